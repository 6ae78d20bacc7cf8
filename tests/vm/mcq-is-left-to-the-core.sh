# SPDX-License-Identifier: GPL-2.0
# A host with completion queues (MCQ) does I/O, irq_mode reads [core] and cannot
# be written, whatever the parameter says.
# vm: rt=on cpus=2 mcq=1
. /job/lib.sh

load_board
load_driver irq_mode=threaded
host=$(first_host)
file=$(attr "$host" irq_mode)
same "irq_mode" "[core]" "$(cat "$file")"
for word in hardirq threaded adaptive core sometimes; do
	refused "not supported" write_to "$file" "$word"
	same "irq_mode" "[core]" "$(cat "$file")"
done
ok "irq_mode reads [core] and takes nothing"
echo hardirq >"$PARAM"
same "irq_mode" "[core]" "$(cat "$file")"
ok "the parameter can be written and changes nothing here"
for h in $(hosts); do
	verify_until_stop "$(disk_of "$h")" --bsrange=4k-64k --blockalign=4k &
done
sleep 5
stop_and_wait
same "irq_context" none "$(context_of "$host")"
ok "verified I/O on both hosts, $(verified) rounds"
