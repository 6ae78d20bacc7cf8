# SPDX-License-Identifier: GPL-2.0
# The module is removed and loaded again, with I/O on both hosts, and leaves
# nothing behind each time.
# vm: cpus=2 timeout=300
. /job/lib.sh

keep_busy() {
	while [ ! -e "$STOP" ]; do
		if disk=$(disk_of "$1"); then read_disk "$disk" 200 || :; else usleep 10000; fi
	done
}

load_board
resources() { ls /sys/kernel/irq && cat /proc/iomem; }
resources >/tmp/before
for host in $(board_devices); do keep_busy "$host" & done
rounds=$(in_form 5 15)
round=0
while [ "$round" -lt "$rounds" ]; do
	case $((round % 2)) in
	0) modes="threaded,$(board_devices | head -n 1):hardirq" ;;
	*) modes=adaptive ;;
	esac
	load_driver "irq_mode=$modes"
	usleep 100000
	rmmod ufs_unisoc || fail "round $round: cannot be removed"
	[ ! -e /sys/module/ufs_unisoc ] || fail "round $round: still there"
	resources >/tmp/after
	cmp /tmp/before /tmp/after || { diff /tmp/before /tmp/after || :; fail "round $round: something was left behind; see the log"; }
	round=$((round + 1))
done
stop_and_wait
ok "$round times removed and loaded, nothing left behind"
