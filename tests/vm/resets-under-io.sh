# SPDX-License-Identifier: GPL-2.0
# Logical unit and host resets as users ask for them, and host resets after errors
# that the core is told of, with verified I/O going on, in each mode, with a switch of
# the mode in the middle: I/O goes on, no byte is wrong, no request is left behind.
# QEMU's controller answers no task management request, so that each unit reset
# times out and becomes a host reset, with the kernel's own driver as well.
# vm: cpus=2 rt=on timeout=600
. /job/lib.sh

idle() { [ "$(cat "/sys/block/${disk##*/}/inflight" | tr -d ' 0')" = "" ]; }
recovered() { [ "$(cat "$debug/saved_err")" = 0 ]; }
other_mode() { case $1 in hardirq) echo adaptive ;; threaded) echo hardirq ;; *) echo threaded ;; esac; }

load_board
load_driver
host=$(first_host)
other=$(second_host)
disk=$(disk_of "$host")
debug=/sys/kernel/debug/ufshcd/$host
# Not even a retry may be needed for the other one.
verify_until_stop "$(disk_of "$other")" &
rounds=$(in_form 2 6)
for mode in $(modes); do
	set_mode "$host" "$mode"
	verify_until_stop "$disk" --iodepth=4 &
	n=0
	while [ "$n" -lt "$rounds" ]; do
		for kind in -d -H; do
			sg_reset "$kind" "$disk" >/tmp/reset 2>&1 || { cat /tmp/reset; fail "$mode: sg_reset $kind failed"; }
		done
		[ "$n" != 1 ] || set_mode "$host" "$(other_mode "$mode")" 2>/dev/null || :
		echo 0x10000 >"$debug/saved_err"
		wait_for 20 recovered || fail "$mode: no recovery from an error"
		n=$((n + 1))
	done
	stop_and_wait
	verify_until_stop "$(disk_of "$other")" &
	wait_for 20 idle || fail "$mode: requests are left: $(cat "/sys/block/${disk##*/}/inflight")"
	read_disk "$disk" 100 || fail "$mode: cannot read afterwards"
	ok "$mode: $n unit resets, $((n * 2)) host resets, verified $(verified) times so far"
done
stop_and_wait
