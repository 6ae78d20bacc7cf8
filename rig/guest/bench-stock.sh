# SPDX-License-Identifier: GPL-2.0
# The kernel's own driver, measured as the module is.
. /job/lib.sh
. /job/settings

# The logical unit that answers at once, as the module is measured on.
find_disk() {
	for block in /sys/bus/pci/devices/*/host*/target*/*:0:0:1/block/sd*; do
		disk=/dev/${block##*/}
		[ -e "$disk" ] && return 0
	done
	return 1
}

load_stock
wait_for 20 find_disk || fail "no logical unit 1 after 20 s"
round=1
while [ "$round" -le "$ROUNDS" ]; do
	read_cost "stock.$round" "$disk" "$READS"
	ok "round $round of $ROUNDS"
	round=$((round + 1))
done
