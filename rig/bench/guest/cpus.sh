# SPDX-License-Identifier: GPL-2.0
# On which CPU the work for a read is done: all modes, and requests that complete
# on the interrupt's CPU (rq_affinity 1) or on that which submitted them (2), in
# turn in one boot. The interrupt is CPU 0's.
# Counting takes time, so there are fewer reads than where one CPU is measured.
. /job/lib.sh
. /job/settings

# ipis: how often one CPU interrupted another one, so far.
ipis() {
	awk '$1 ~ /^IPI/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' \
		/proc/interrupts
}

# measure NAME CPU...
measure() {
	name=$1
	shift
	# An idle moment, as before other measurements.
	sleep 0.2
	before=$(ipis)
	cpureads "$disk" "$READS" "$@" || fail "cpureads on CPUs $* failed; see the log"
	echo "reads $((READS * $#)) ipis $(($(ipis) - before))" >/tmp/counts
	send "$name" /tmp/counts
}

load_board
load_driver
gating_off
host=$(first_host)
disk=$(null_disk "$host")
queue=/sys/block/${disk##*/}/queue/rq_affinity
same "rq_affinity that the driver has set" 2 "$(cat "$queue")"
echo 0 >"/proc/irq/$(wire_of "$host")/smp_affinity_list"
round=1
while [ "$round" -le "$ROUNDS" ]; do
	for mode in hardirq threaded adaptive; do
		set_mode "$host" "$mode"
		for affinity in 1 2; do
			echo "$affinity" >"$queue"
			# First on all CPUs, so that QEMU's counter gets to know them.
			measure "cpus/$affinity 4/$mode/$round" 0 1 2 3
			measure "cpus/$affinity 1/$mode/$round" 2
		done
	done
	ok "round $round of $ROUNDS"
	round=$((round + 1))
done
