# SPDX-License-Identifier: GPL-2.0
# In threaded mode the block layer's soft interrupt runs in the same thread as
# the completion; waking another one for it costs as much again.
# vm: cpus=2 append="maxcpus=1"
. /job/lib.sh

load_board
load_driver irq_mode=threaded
host=$(first_host)
disk=$(disk_of "$host")
read_disk "$disk" 10
echo >"$TRACING/trace"
echo 'vec == 4' >"$TRACING/events/irq/softirq_entry/filter"
echo 1 >"$TRACING/events/irq/softirq_entry/enable"
read_disk "$disk" 100
echo 0 >"$TRACING/events/irq/softirq_entry/enable"
cat "$TRACING/trace"
tasks=$(sed -n 's/^ *\(.*\)-[0-9]* .*softirq_entry: vec=4 .*/\1/p' "$TRACING/trace" | sort | uniq -c)
same "who ran the block soft interrupt" "100 irq/$(wire_of "$host")-ufs_unis" "$(echo "$tasks" | awk '{ print $1, $2 }')"
ok "100 of 100 in the thread that completes"
