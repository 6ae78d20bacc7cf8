# SPDX-License-Identifier: GPL-2.0
# A host's irq_mode: reading gives the modes with one in brackets, writing takes
# a word with or without a newline, and writing what is in effect does nothing.
# vm: short=on cpus=2
. /job/lib.sh

load_board
load_driver irq_mode=hardirq
host=$(first_host)
file=$(attr "$host" irq_mode)
same "irq_mode" "[hardirq] threaded adaptive" "$(cat "$file")"
same "irq_mode ends with one newline" 1 "$(wc -l <"$file")"
echo threaded >"$file"
same "irq_mode" "hardirq [threaded] adaptive" "$(cat "$file")"
write_to "$file" hardirq
same "irq_mode, written without newline" "[hardirq] threaded adaptive" "$(cat "$file")"
echo hardirq >"$file"
same "irq_mode, written again" "[hardirq] threaded adaptive" "$(cat "$file")"
same "mode of the other host" hardirq "$(mode_of "$(second_host)")"
ok "reads and writes"
same "rights of irq_mode" 644 "$(stat -c %a "$file")"
same "rights of irq_context" 444 "$(stat -c %a "$(attr "$host" irq_context)")"
same "rights of the parameter" 644 "$(stat -c %a "$PARAM")"
ok "rights"
for mode in threaded hardirq threaded; do
	set_mode "$host" "$mode"
	read_disk "$(disk_of "$host")" 1
	expect=$mode
	[ "$mode" = hardirq ] || expect=thread
	same "irq_context of the very next request" "$expect" "$(context_of "$host")"
done
ok "a switch counts for the next request"
