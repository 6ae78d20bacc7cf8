# SPDX-License-Identifier: GPL-2.0
# The same as the controller sees it: while the core's interrupt is disabled,
# nobody reads or acknowledges the interrupt status, nor reads the doorbell.
# vm: rt=on cpus=2 hosts=1 timeout=300 trace=ufs_mmio_read trace=ufs_mmio_write check=tests/board/gate_trace.py
. /job/lib.sh

load_board
load_driver
host=$(first_host)
board=/sys/kernel/debug/ufs_board/$host
echo 50 >"$board/gate_stretch_us"
echo 1 >"$board/gate_markers"
for mode in $(modes); do
	set_mode "$host" "$mode"
	read_until_stop "$(disk_of "$host")" &
	read_until_stop "$(disk_of "$host")" &
	echo 0 500 >"$board/gate_run" || fail "the run failed"
	stop_and_wait
	ok "$mode: 500 windows"
done
