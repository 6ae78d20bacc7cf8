# SPDX-License-Identifier: GPL-2.0
# How long the hard handler of the module's interrupt is at a time, in each of its
# modes in turn in one boot, by the kernel's irq trace events.
. /job/lib.sh
. /job/settings

# sections NAME LOAD...: the lengths of the handler's sections with this load, a line
# "MICROSECONDS NUMBER" for each.
sections() {
	name=$1
	shift
	sleep 0.2
	for event in irq_handler_entry irq_handler_exit; do
		echo "irq == $wire" >"$TRACING/events/irq/$event/filter"
		echo 1 >"$TRACING/events/irq/$event/enable"
	done
	echo >"$TRACING/trace"
	"$@" >/tmp/load || fail "$* failed; see the log"
	echo 0 >"$TRACING/events/irq/enable"
	# The buffer keeps the last ones if they are too many.
	awk '{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/)
				at = int($i * 1000000 + 0.5)
	}
	/irq_handler_entry/ { begin = at; open = 1 }
	/irq_handler_exit/ && open { open = 0; n[at - begin]++ }
	END { for (length_us in n) print length_us, n[length_us] }' "$TRACING/trace" >/tmp/sections
	send "$name" /tmp/sections
}

load_board
load_driver
gating_off
host=$(first_host)
disk=$(null_disk "$host")
wire=$(wire_of "$host")
all_tags "$disk"
echo 8 >/proc/sys/vm/nr_hugepages
modes=$(modes_of "$host" | tr -d '[]')
round=1
while [ "$round" -le "$ROUNDS" ]; do
	for mode in $modes; do
		set_mode "$host" "$mode"
		sections "section/4k/$mode/$round" workcost "$disk" 1 1 1 4096 "$READS"
		sections "section/4k, bursts of 32/$mode/$round" workcost "$disk" 1 32 32 4096 $((READS * 4))
		sections "section/128k, bursts of 32/$mode/$round" workcost "$disk" 1 32 32 131072 $((READS * 2))
	done
	ok "round $round of $ROUNDS"
	round=$((round + 1))
done
