# SPDX-License-Identifier: GPL-2.0
# With threadirqs transfers complete in the interrupt's own thread, without a
# second thread being woken; hardirq cannot be had, and the probe succeeds.
# vm: short=on rt=on cpus=2 append="threadirqs"
. /job/lib.sh

log_mark
load_board
load_driver irq_mode=hardirq
host=$(first_host)
same "hosts" 2 "$(hosts | wc -l)"
same "lines about it in the log, for each host" 2 "$(log_since | grep -c 'ufs_unisoc .*: interrupts are force-threaded')"
same "irq_mode" "hardirq [threaded] adaptive" "$(modes_of "$host")"
refused "not supported" write_to "$(attr "$host" irq_mode)" hardirq
refused "not supported" write_to "$(attr "$host" irq_mode)" adaptive
same "irq_mode" "hardirq [threaded] adaptive" "$(modes_of "$host")"
set_mode "$host" threaded
ok "two hosts, both say that hardirq cannot be had"
trace_on
read_disk "$(disk_of "$host")" 100
# The second thread would be called irq/N-s-ufs_unisoc.
same "completions" "100 task irq/$(wire_of "$host")-ufs_unis" "$(completions "$host" | sort | uniq -c | awk '{ print $1, $2, $3 }')"
same "irq_context" thread "$(context_of "$host")"
ok "100 of 100 completions in the interrupt's own thread"
