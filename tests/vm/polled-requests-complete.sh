# SPDX-License-Identifier: GPL-2.0
# Polled requests, which the interrupt leaves to their poller, complete in each mode,
# beside others and while modes are switched; no interrupt counts as for nothing.
# vm: rt=on cpus=2 timeout=300 forbid="ufshcd_abort|timing out command|nobody cared|I/O error"
. /job/lib.sh

# poll COUNT: reads by jobs that poll and one that does not.
poll() {
	fio --filename="$disk" --rw=randread --bs=4k --direct=1 --size=64m --norandommap --number_ios="$1" \
		--name=polled --ioengine=io_uring --hipri=1 --numjobs=3 \
		--name=other --ioengine=psync >/tmp/fio 2>&1 || { cat /tmp/fio; fail "$mode: fio failed"; }
}

switch_until_stop() {
	while [ ! -e "$STOP" ]; do
		for m in hardirq threaded adaptive; do
			set_mode "$host" $m
			usleep 10000
		done
	done
}

load_board
load_driver
gating_off
host=$(first_host)
disk=$(disk_of "$host")
same "the queue can be polled" 1 "$(cat "/sys/block/${disk##*/}/queue/io_poll")"
for mode in $(modes); do
	set_mode "$host" "$mode"
	counters_reset "$host"
	poll 500
	seen=$(($(counter "$host" inline_requests) + $(counter "$host" thread_requests)))
	# Five hundred are not polled, of which pollers complete some that they come by.
	{ [ "$seen" -ge 1 ] && [ "$seen" -le 550 ]; } || fail "$mode: $seen requests count as completed by interrupt, of 500"
	ok "$mode: 2000 reads, of which interrupts completed $seen"
done
mode="all modes"
switch_until_stop &
poll 1000
stop_and_wait
ok "4000 reads while the mode was switched"
