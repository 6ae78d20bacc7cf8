# SPDX-License-Identifier: GPL-2.0
# Where transfers complete by the UFS core's own tracepoint is what the mode and
# irq_context say, for each of two hosts, after each of several switches.
# vm: short=on cpus=2
. /job/lib.sh

# check HOST MODE
check() {
	trace_on
	read_disk "$(disk_of "$1")" 100
	completions "$1" | sort | uniq -c >/tmp/contexts
	cat /tmp/contexts
	case $2 in
	hardirq | adaptive)
		same "irq_context of $1" hardirq "$(context_of "$1")"
		same "$1: completions in a hard interrupt" 100 "$(awk '$2 == "hardirq" { n += $1 } END { print n + 0 }' /tmp/contexts)"
		same "$1: kinds of context" hardirq "$(awk '{ print $2 }' /tmp/contexts | sort -u)"
		;;
	threaded)
		same "irq_context of $1" thread "$(context_of "$1")"
		same "$1: contexts" "100 task irq/$(wire_of "$1")-ufs_unis" "$(awk '{ print $1, $2, $3 }' /tmp/contexts)"
		;;
	esac
	ok "$1 $2: 100 of 100 completions, by tracepoint"
}

load_board
load_driver "irq_mode=hardirq,$(board_devices | sed -n 2p):threaded"
no_time_limits
one=$(first_host)
two=$(second_host)
check "$one" hardirq
check "$two" threaded
set_mode "$one" threaded
check "$one" threaded
check "$two" threaded
set_mode "$two" hardirq
check "$one" threaded
check "$two" hardirq
# Single small reads are little work.
set_mode "$one" adaptive
check "$one" adaptive
check "$two" hardirq
