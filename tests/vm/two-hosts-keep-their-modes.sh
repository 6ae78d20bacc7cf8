# SPDX-License-Identifier: GPL-2.0
# Two hosts with different modes under I/O at the same time: each completes in
# its own context, and unbinding one leaves the other's I/O alone.
# vm: cpus=2 timeout=180 forbid="ufshcd_abort|ufshcd_.*timed? ?out|error handler"
. /job/lib.sh

load_board
load_driver "irq_mode=hardirq,$(board_devices | sed -n 2p):threaded"
one=$(first_host)
two=$(second_host)
verify_until_stop "$(disk_of "$one")" &
round=0
while [ "$round" -lt 20 ]; do
	read_disk "$(disk_of "$two")" 10
	same "irq_context of $two" thread "$(context_of "$two")"
	same "irq_context of $one" hardirq "$(context_of "$one")"
	round=$((round + 1))
done
ok "each host completes in its own context"
rounds=$(in_form 2 5)
round=0
while [ "$round" -lt "$rounds" ]; do
	echo "$two" >"$DRIVER/unbind"
	same "mode of $one" hardirq "$(mode_of "$one")"
	echo "$two" >"$DRIVER/bind"
	wait_for 20 disk_of "$two" >/dev/null || fail "$two: no disk after binding"
	same "mode of $two" threaded "$(mode_of "$two")"
	round=$((round + 1))
done
stop_and_wait
ok "unbinding and binding $two $round times did not disturb $one"
