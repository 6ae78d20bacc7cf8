# SPDX-License-Identifier: GPL-2.0
# Interrupts that the controller did not ask for are reported to the kernel as
# such, and the host goes on, in each mode and under I/O.
# vm: rt=on cpus=2 forbid="ufshcd_abort|ufshcd_err_handler"
. /job/lib.sh

load_board
load_driver
gating_off
host=$(first_host)
wire=$(wire_of "$host")
inject=/sys/kernel/debug/ufs_board/$host/inject
for mode in $(modes); do
	set_mode "$host" "$mode"
	before=$(fired "$wire")
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo 1 >"$inject"
		usleep 5000
	done
	same "$mode: interrupts for nothing" 10 $(($(fired "$wire") - before))
	[ "$(unhandled "$wire")" -ge 1 ] || fail "$mode: the kernel was told that they were for something"
	read_until_stop "$(disk_of "$host")" &
	n=0
	while [ "$n" -lt 300 ]; do
		echo 1 >"$inject"
		n=$((n + 1))
	done
	stop_and_wait
	before=$(fired "$wire")
	read_disk "$(disk_of "$host")" 50
	same "$mode: interrupts for 50 reads afterwards" 50 $(($(fired "$wire") - before))
	ok "$mode: 310 spurious interrupts, 300 of them under I/O"
done
