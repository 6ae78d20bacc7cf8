# SPDX-License-Identifier: GPL-2.0
# Doorbell bits of requests that were never rung in, and causes of interrupts that no
# specification has, change nothing: I/O goes on and is right, in each mode.
# vm: rt=on cpus=2 timeout=600 forbid="ufshcd_abort|timing out command|ufshcd_err_handler|I/O error|does not stop"
. /job/lib.sh

enough() { [ "$(verified)" -ge "$1" ]; }

load_board lies=1
load_driver
host=$(first_host)
disk=$(disk_of "$host")
lies=/sys/kernel/debug/ufs_board/$host
echo 0xffffffff >"$lies/ghosts"
touch /tmp/rounds
for mode in $(modes); do
	set_mode "$host" "$mode"
	for status in 0 0x80000000; do
		echo "0x20 $status" >"$lies/forge"
		start=$(verified)
		verify_until_stop "$disk" &
		verify_until_stop "$disk" --offset=8m --bsrange=4k-128k --blockalign=4k --iodepth=32 --size="$(in_form 2m 8m)" &
		wait_for 200 enough $((start + $(in_form 1 2))) || fail "$mode, status $status: only $(($(verified) - start)) rounds"
		stop_and_wait
	done
	ok "$mode: verified $(verified) times so far"
done
[ "$(sed -n 's/^reads //p' "$lies/forge")" -gt 1000 ] || fail "the registers were hardly read: this proves nothing"
