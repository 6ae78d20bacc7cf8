# SPDX-License-Identifier: GPL-2.0
# A request that completes while the handler is at work on another is not lost:
# pairs of requests, and nothing after them that would bring it up later. So the
# status is acknowledged before the doorbell is read, in each mode.
# vm: short=on short_debug=on rt=on cpus=2 forbid="ufshcd_abort|timing out command"
. /job/lib.sh

load_board
load_driver
host=$(first_host)
disk=$(disk_of "$host")
reads=$(in_form 800 4000) together=0
for mode in $(modes); do
	set_mode "$host" "$mode"
	before=$(fired "$(wire_of "$host")")
	fio --name=pairs --filename="$disk" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=2 \
		--iodepth_batch_submit=2 --iodepth_batch_complete_min=2 --iodepth_batch_complete_max=2 \
		--number_ios="$reads" --size=64m --norandommap >/tmp/fio || { cat /tmp/fio; fail "$mode: fio failed"; }
	cat /tmp/fio
	interrupts=$(($(fired "$(wire_of "$host")") - before))
	if [ "$interrupts" -lt "$reads" ]; then
		together=$((together + 1))
	else
		[ "$(in_form brief whole)" = brief ] || fail "$mode: no two requests ever completed together: this proves nothing"
	fi
	ok "$mode: $reads reads in pairs, $interrupts interrupts"
done
# With few reads it is rare on a slow kernel, in a single mode.
[ "$together" -ge 1 ] || fail "no two requests ever completed together: this proves nothing"
