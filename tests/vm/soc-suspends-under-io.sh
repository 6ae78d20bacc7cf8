# SPDX-License-Identifier: GPL-2.0
# System suspend with I/O going on, in every mode: each time the clocks and VCC go
# off, and the host is brought up from the beginning once. All data is right after.
# 9 times, 3 in a brief run; 150 with `make test-long`.
# vm: cpus=2 timeout=900 long_timeout=5400 forbid="uic cmd .* timeout|ufshcd_abort|timing out command|ufshcd_err_handler|I/O error|PM: .*failed"
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board

rounds=$(in_form 3 9 150)

# events HOST WHAT: how often the board saw that in this round.
events() { grep -c " $2 " "$BOARD/$1/events" || :; }

# Another pair of modes each round.
modes_of_round() {
	case $(($1 % 3)) in
	0) echo hardirq threaded ;;
	1) echo threaded adaptive ;;
	*) echo adaptive hardirq ;;
	esac
}

load_board
load_driver
one=$(first_host)
two=$(second_host)

# What lies on the disks must survive everything, too.
dd if=/dev/urandom of=/tmp/pattern bs=64k count=16 2>/dev/null
for name in $one $two; do
	dd if=/tmp/pattern of="$(disk_of "$name")" bs=64k seek=1024 oflag=direct 2>/dev/null
done
# The user's, and so it stays.
echo 25 >"$(attr "$one" clkgate_delay_ms)"
verify_until_stop "$(disk_of "$one")" &
verify_until_stop "$(disk_of "$two")" &

round=0
while [ "$round" -lt "$rounds" ]; do
	read -r first second <<-END
		$(modes_of_round "$round")
	END
	set_mode "$one" "$first"
	set_mode "$two" "$second"
	usleep 300000
	for name in $one $two; do
		echo >"$BOARD/$name/events"
	done
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +3 >/sys/class/rtc/rtc0/wakealarm
	echo freeze >/sys/power/state || fail "round $round: cannot suspend"
	for name in $one $two; do
		same "round $round: $name: VCC switched off" 1 "$(events "$name" "supply vcc off")"
		same "round $round: $name: VCC switched on" 1 "$(events "$name" "supply vcc on")"
		same "round $round: $name: global resets" 1 "$(events "$name" "reset global assert")"
		same "round $round: $name: resets" 1 "$(events "$name" "reset controller assert")"
	done
	[ "$(events "$one" "clock core off")" -ge 1 ] || fail "round $round: the clocks were left on"
	same "round $round: mode of $one" "$first" "$(mode_of "$one")"
	same "round $round: mode of $two" "$second" "$(mode_of "$two")"
	read_disk "$(disk_of "$one")" 5 || fail "round $round: $one: cannot read"
	read_disk "$(disk_of "$two")" 5 || fail "round $round: $two: cannot read"
	round=$((round + 1))
done
stop_and_wait
same "clkgate_delay_ms of $one after all that" 25 "$(cat "$(attr "$one" clkgate_delay_ms)")"
same "clkgate_delay_ms of $two" 10 "$(cat "$(attr "$two" clkgate_delay_ms)")"
for name in $one $two; do
	dd if="$(disk_of "$name")" of=/tmp/found bs=64k skip=1024 count=16 iflag=direct 2>/dev/null
	cmp /tmp/pattern /tmp/found || fail "$name: data changed"
done
ok "$round suspends under I/O, verified $(verified) times"
