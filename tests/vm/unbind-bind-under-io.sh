# SPDX-License-Identifier: GPL-2.0
# A host is unbound and bound 50 times (12 in a brief run) under I/O. Its I/O may fail then; the
# kernel may not, and the other host's verified I/O goes on without an error.
# vm: cpus=2 timeout=300
. /job/lib.sh

# Reads that may fail, from whatever disk the host has.
keep_busy() {
	while [ ! -e "$STOP" ]; do
		if disk=$(disk_of "$1"); then read_disk "$disk" 200 || :; else usleep 10000; fi
	done
}

load_board
load_driver
host=$(first_host)
other=$(second_host)
irqs=$(find /sys/kernel/irq | sort)
keep_busy "$host" &
keep_busy "$host" &
verify_until_stop "$(disk_of "$other")" &
rounds=$(in_form 12 50)
round=0
while [ "$round" -lt "$rounds" ]; do
	case $((round % 3)) in
	0) mode=hardirq ;;
	1) mode=threaded ;;
	*) mode=adaptive ;;
	esac
	set_mode "$host" "$mode"
	# Most rounds unbind right in the middle of the I/O.
	[ $((round % 5)) = 0 ] || wait_for 20 disk_of "$host" >/dev/null || fail "round $round: no disk"
	usleep 50000
	echo "$host" >"$DRIVER/unbind"
	echo "$host" >"$DRIVER/bind" || fail "round $round: cannot be bound again"
	round=$((round + 1))
done
stop_and_wait
ok "$round rounds; the other host's I/O was verified $(verified) times meanwhile"
# Their numbers are given out anew.
same "number of interrupts in the system" "$(echo "$irqs" | wc -l)" "$(find /sys/kernel/irq | wc -l)"
wait_for 20 disk_of "$host" >/dev/null || fail "no disk after the last round"
disk=$(disk_of "$host")
mkfs.ext4 -q "$disk" || fail "$disk cannot be used any more"
ok "the host still works"
