# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Two hosts in one boot: the kernel's own driver on the first, the module on the
# second. Source it behind lib.sh and the settings; measure SUBJECT DISK is the
# caller's.

# give_hosts: who gets which of QEMU's controllers, before any driver is there.
give_hosts() {
	# shellcheck disable=SC2046 # a list
	set -- $(grep -l 0x010901 /sys/bus/pci/devices/*/class)
	stock_host=$(dirname "$1")
	echo ufshcd >"$stock_host/driver_override"
	echo ufs_board >"$(dirname "$2")/driver_override"
}

# find_stock_disks: the logical unit that answers at once, and one that files can be on.
find_stock_disks() {
	for block in "$stock_host"/host*/target*/*:0:0:[01]/block/sd*; do
		[ -e "/dev/${block##*/}" ] || return 1
		case $block in
		*:0:0:0/*) stock_files=/dev/${block##*/} ;;
		*) stock_disk=/dev/${block##*/} ;;
		esac
	done
	[ -n "${stock_files:-}" ] && [ -n "${stock_disk:-}" ]
}

# wanted SUBJECT: all are, unless the settings name some.
wanted() {
	case " ${SUBJECTS:-$1} " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# take_turns: measure in each round the kernel's own driver and each mode.
take_turns() {
	give_hosts
	load_core
	modprobe ufshcd-pci
	load_board
	load_driver
	gating_off
	host=$(first_host)
	wait_for 20 find_stock_disks || fail "stock driver: no logical unit 1 after 20 s"
	wait_for 20 disk_of "$host" 1 >/dev/null || fail "$host: no logical unit 1 after 20 s"
	disk=$(disk_of "$host" 1)
	all_tags "$stock_disk"
	all_tags "$disk"
	echo 8 >/proc/sys/vm/nr_hugepages
	modes=$(modes_of "$host" | tr -d '[]')
	round=1
	while [ "$round" -le "$ROUNDS" ]; do
		! wanted stock || measure stock "$stock_disk"
		for mode in $modes; do
			wanted "$mode" || continue
			# Not every mode can be had with every command line (threadirqs).
			set_mode "$host" "$mode" 2>/dev/null || continue
			measure "$mode" "$disk"
		done
		ok "round $round of $ROUNDS"
		round=$((round + 1))
	done
}
