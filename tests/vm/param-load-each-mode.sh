# SPDX-License-Identifier: GPL-2.0
# irq_mode= at load gives every host that mode, and none gives adaptive; what the
# parameter, the host's files and the completions say agrees.
# vm: short=on cpus=2
. /job/lib.sh

# check MODE CONTEXT, for the module as it is loaded now
check() {
	no_time_limits
	[ "$(hosts | wc -l)" = 2 ] || fail "$(hosts | wc -l) hosts instead of 2"
	same "the parameter" "$1" "$(cat "$PARAM")"
	for host in $(hosts); do
		same "irq_mode of $host" "$1" "$(mode_of "$host")"
		read_disk "$(disk_of "$host")" 20
		same "irq_context of $host" "$2" "$(context_of "$host")"
	done
}

load_board
load_driver
check adaptive hardirq
ok "without a parameter: adaptive, and single small reads complete in hard IRQ"
rmmod ufs_unisoc
load_driver irq_mode=hardirq
check hardirq hardirq
ok "irq_mode=hardirq"
rmmod ufs_unisoc
load_driver irq_mode=threaded
check threaded thread
ok "irq_mode=threaded"
rmmod ufs_unisoc
load_driver irq_mode=adaptive
check adaptive hardirq
ok "irq_mode=adaptive"
