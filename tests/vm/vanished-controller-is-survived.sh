# SPDX-License-Identifier: GPL-2.0
# A controller whose registers read all ones, at probe and for a while later, is
# an error of that host alone: its interrupts are told to the kernel as not ours,
# with one line in the log, and it works when it is back.
# vm: rt=on cpus=2
. /job/lib.sh

load_board
host=$(board_devices | sed -n 1p)
other=$(board_devices | sed -n 2p)
memory=/sys/kernel/debug/ufs_board/$host/memory
echo 0 >"$memory"
insmod /job/ufs_unisoc.ko
same "bound hosts" "$other" "$(hosts)"
! echo "$host" 2>/dev/null >"$DRIVER/bind" || fail "bound without a controller"
echo 1 >"$memory"
echo "$host" >"$DRIVER/bind" || fail "cannot be bound when the controller is back"
wait_for 20 disk_of "$host" >/dev/null || fail "no disk when the controller is back"
wait_for 20 disk_of "$other" >/dev/null || fail "$other: no disk"
gating_off
ok "gone at probe, then back"

wire=$(wire_of "$host")
log_mark
for mode in $(modes); do
	set_mode "$host" "$mode"
	# With nothing on its way: the core has no patience with a lost request.
	echo 0 >"$memory"
	before=$(fired "$wire")
	for _ in 1 2 3; do
		echo 1 >"/sys/kernel/debug/ufs_board/$host/inject"
		usleep 100000
	done
	same "$mode: interrupts from a controller that is gone" 3 $(($(fired "$wire") - before))
	[ "$(unhandled "$wire")" -ge 1 ] || fail "$mode: the kernel was told that they were for something"
	echo 1 >"$memory"
	read_disk "$(disk_of "$host")" 50 || fail "$mode: cannot read when it is back"
	read_disk "$(disk_of "$other")" 50 || fail "$mode: the other host cannot read"
	ok "$mode: gone for a while, then back"
done
same "lines about it in the log" 1 "$(log_since | grep -c 'does not answer')"
ok "said once"
