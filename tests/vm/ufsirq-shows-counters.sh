# SPDX-License-Identifier: GPL-2.0
# What ufsirq shows of the driver's counters is what has happened: requests where
# they completed, rates while they do, histograms, limits, and after a reset
# nothing. It recommends what the I/O asks for. Without debugfs it says what to
# mount and shows the rest.
# One CPU: no request completes while the thread still looks after the last one.
# vm: slow=on cpus=1
. /job/lib.sh

# figure TITLE: the first number after that title in the list of $one.
figure() {
	ufsirq list "$one" | awk -v title="  $1 " 'index($0, title) == 1 {
		sub(title, ""); print $1 }'
}

# said TEXT COMMAND...: the command must succeed and say that text.
said() {
	text=$1
	shift
	"$@" >/tmp/said 2>&1 || fail "$*: $(cat /tmp/said)"
	cat /tmp/said
	grep -q "$text" /tmp/said || fail "$*: should have said '$text': $(cat /tmp/said)"
}

load_board
load_driver irq_mode=hardirq
gating_off
one=$(first_host)
two=$(second_host)
disk=$(disk_of "$one")

said "counters begin at zero" ufsirq reset "$one"
said "^$one\$" ufsirq list "$one"
same "interrupts after a reset" 0 "$(figure interrupts)"
same "requests after a reset" "0 0" "$(figure "in the handler") $(figure "in the thread")"
read_disk "$disk" 100
same "requests in hard IRQ, in the thread" "100 0" "$(figure "in the handler") $(figure "in the thread")"
[ "$(figure interrupts)" -ge 100 ] || fail "interrupts: $(figure interrupts)"
ufsirq mode "$one" threaded
read_disk "$disk" 50
same "requests in hard IRQ, in the thread" "100 50" "$(figure "in the handler") $(figure "in the thread")"
same "mode switches" 1 "$(figure "mode switches")"
ufsirq list "$one" | awk '/left to the thread/ { print $NF }' >/tmp/deferred
same "interrupts left to the thread by the mode" 50 "$(cat /tmp/deferred)"
ok "100 requests in hard IRQ and 50 in the thread are counted as such"

said "length of hard-IRQ sections: [1-9]" ufsirq hist "$one"
said "start of the thread: 50, median" ufsirq hist "$one"
ok "histograms have them too"

for limit in max_bytes:8192 max_time_us:5555 max_cpu_percent:97; do
	said "$one: ${limit%:*} was [0-9]*, is ${limit#*:}" ufsirq limit "$one" "${limit%:*}" "${limit#*:}"
	same "${limit%:*} of $one" "${limit#*:}" "$(cat "$(attr "$one" "irq_fastpath/${limit%:*}")")"
	same "listed ${limit%:*}" "${limit#*:}" "$(figure "${limit%:*}")"
	[ "$(cat "$(attr "$two" "irq_fastpath/${limit%:*}")")" != "${limit#*:}" ] || fail "$two has it too"
done
! ufsirq limit "$one" max_cpu_percent 101 >/tmp/said 2>&1 || fail "101 percent were taken"
grep -q "max_cpu_percent cannot be 101" /tmp/said || fail "101 percent: $(cat /tmp/said)"
! ufsirq limit "$one" max_fun 1 >/tmp/said 2>&1 || fail "max_fun was taken"
grep -q "valid are: max_bytes, max_time_us, max_cpu_percent" /tmp/said || fail "max_fun: $(cat /tmp/said)"
# They leave room for single requests also on this slow machine.
ok "limits are set, and wrong ones told"

said "No I/O was seen" ufsirq suggest "$one" --seconds 2
read_until_stop "$disk" &
said "recommendation  *adaptive" ufsirq suggest "$one" --seconds 3
said "ufsirq mode $one adaptive" ufsirq suggest "$one" --seconds 3
ufsirq top 1 3 >/tmp/top
cat /tmp/top
awk -v host="$one" '$2 == host && $3 == "threaded" && $4 > 10 && $5 > 10 && $7 == "0.0" && $10 > 10' /tmp/top >/tmp/rates
same "intervals with rates" 3 "$(wc -l </tmp/rates)"
ufsirq mode "$one" adaptive
sleep 1
ufsirq top 1 2 >/tmp/top
cat /tmp/top
awk -v host="$one" '$2 == host && $3 == "adaptive" && $5 > 10 && $7 > 50' /tmp/top >/tmp/rates
same "intervals with inline completions" 2 "$(wc -l </tmp/rates)"
stop_and_wait
ok "single requests in the thread: recommends adaptive, and top shows that it helps"

ufsirq top 0.2 >/tmp/top &
top=$!
wait_for 10 grep -q "$two" /tmp/top || fail "top shows nothing of $two"
echo "$two" >"$DRIVER/unbind"
wait_for 10 grep -q "$two  *was unbound" /tmp/top || fail "top does not tell: $(tail -n 3 /tmp/top)"
kill -0 "$top" || fail "top has ended"
kill "$top"
wait "$top" 2>/dev/null || true
ufsirq top 0.1 | head -n 1
ok "top goes on when a host goes, and ends when nobody reads"

umount /sys/kernel/debug
said "mount -t debugfs none /sys/kernel/debug" ufsirq list "$one"
same "listed mode without debugfs" adaptive "$(figure irq_mode)"
same "listed interrupts without debugfs" - "$(figure interrupts)"
! ufsirq top 1 1 >/tmp/said 2>&1 || fail "top without debugfs: $(cat /tmp/said)"
grep -q "mount -t debugfs" /tmp/said || fail "top without debugfs: $(cat /tmp/said)"
mount -t debugfs none /sys/kernel/debug
same "listed interrupts with debugfs" 0 "$(($(figure interrupts) < 0))"
ok "without debugfs it says what to mount"
