# SPDX-License-Identifier: GPL-2.0
# One request at a time makes exactly one interrupt of the wire, in each mode,
# none of it reaches the core's handler, and none is spurious.
# vm: cpus=2
. /job/lib.sh

load_board
load_driver irq_mode=hardirq
gating_off
host=$(first_host)
wire=$(wire_of "$host")
disk=$(disk_of "$host")
for mode in $(modes); do
	set_mode "$host" "$mode"
	read_disk "$disk" 10
	before=$(fired "$wire") core=$(interrupts ufshcd)
	read_disk "$disk" 500
	same "$mode: interrupts of the wire for 500 reads" 500 $(($(fired "$wire") - before))
	same "$mode: of these, forwarded to the core" 0 $(($(interrupts ufshcd) - core))
	# Only in hardirq: the kernel also counts an interrupt that comes before the
	# thread has returned from the one before.
	[ "$mode" = threaded ] || same "$mode: interrupts for nothing" 0 "$(unhandled "$wire")"
	ok "$mode: 500 interrupts for 500 reads"
done
