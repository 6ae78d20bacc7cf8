# SPDX-License-Identifier: GPL-2.0
# Polled requests, which the interrupt leaves to their poller, complete in each mode,
# beside others and while modes are switched; by the core's own tracepoint no interrupt
# takes them from their poller, and no interrupt counts as for nothing.
# vm: rt=on cpus=2 timeout=600 forbid="ufshcd_abort|timing out command|nobody cared|I/O error"
. /job/lib.sh

# poll COUNT: reads by jobs that poll and one that does not.
poll() {
	fio --filename="$disk" --rw=randread --bs=4k --direct=1 --size=64m --norandommap --number_ios="$1" \
		--name=polled --ioengine=io_uring --hipri=1 --numjobs=3 \
		--name=other --ioengine=psync >/tmp/fio 2>&1 || { cat /tmp/fio; fail "$mode: fio failed"; }
}

# completed: how many requests, and how many of them in a hard interrupt or in an interrupt's thread.
completed() { completions "$host" | awk '$1 == "hardirq" || $2 ~ /^irq\// { n++ } END { print NR, n + 0 }'; }

switch_until_stop() {
	while [ ! -e "$STOP" ]; do
		for m in hardirq threaded adaptive; do
			set_mode "$host" $m
			usleep 10000
		done
	done
}

# Reads of each job, and what interrupts may complete at most of one job's.
each=$(in_form 150 400)
most=$((each + 20))

load_board
load_driver
gating_off
host=$(first_host)
disk=$(disk_of "$host")
echo 8192 >"$TRACING/buffer_size_kb"
same "the queue can be polled" 1 "$(cat "/sys/block/${disk##*/}/queue/io_poll")"
for mode in $(modes); do
	set_mode "$host" "$mode"
	counters_reset "$host"
	trace_on
	poll $each
	echo 0 >"$TRACING/events/enable"
	read -r all taken <<-END
		$(completed)
	END
	# Now and then the trace lacks one.
	[ "$all" -ge $((each * 3)) ] || fail "$mode: only $all completions were traced"
	[ "$taken" -le $most ] || fail "$mode: interrupts completed $taken requests, of $each that are theirs"
	seen=$(($(counter "$host" inline_requests) + $(counter "$host" thread_requests)))
	# A quarter is not polled, of which pollers complete some that they come by.
	{ [ "$seen" -ge 1 ] && [ "$seen" -le $most ]; } || fail "$mode: $seen requests count as completed by interrupt, of $each"
	ok "$mode: $((each * 4)) reads, of which interrupts completed $seen"
done
mode="all modes"
switch_until_stop &
poll $((each * 2))
stop_and_wait
ok "$((each * 8)) reads while the mode was switched"
