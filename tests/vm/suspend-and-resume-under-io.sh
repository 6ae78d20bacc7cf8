# SPDX-License-Identifier: GPL-2.0
# Suspend to idle and resume, several times in each mode with I/O going on: the
# host comes back each time, with its mode, and no byte is wrong.
# vm: short=on cpus=2 timeout=300 forbid="uic cmd .* timeout|ufshcd_abort|timing out command|PM: .*failed"
. /job/lib.sh

load_board
load_driver "irq_mode=hardirq,$(board_devices | sed -n 2p):threaded"
one=$(first_host)
two=$(second_host)
verify_until_stop "$(disk_of "$one")" &
verify_until_stop "$(disk_of "$two")" &
rounds=$(in_form 3 6)
round=0
while [ "$round" -lt "$rounds" ]; do
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +3 >/sys/class/rtc/rtc0/wakealarm
	echo freeze >/sys/power/state || fail "round $round: cannot suspend"
	usleep 500000
	round=$((round + 1))
done
stop_and_wait
same "mode of $one" hardirq "$(mode_of "$one")"
same "mode of $two" threaded "$(mode_of "$two")"
read_disk "$(disk_of "$one")" 20
read_disk "$(disk_of "$two")" 20
same "irq_context of $one" hardirq "$(context_of "$one")"
same "irq_context of $two" thread "$(context_of "$two")"
ok "$round times suspended under I/O, verified $(verified) times"
