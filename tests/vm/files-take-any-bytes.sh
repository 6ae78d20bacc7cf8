# SPDX-License-Identifier: GPL-2.0
# Random bytes, huge and empty texts, written to every file of the driver by several
# writers at once, with I/O going on and while the host is unbound and bound: the
# kernel takes it, values stay in range, and the host works afterwards.
# vm: rt=on cpus=2 timeout=400 forbid="ufshcd_abort|timing out command|I/O error"
. /job/lib.sh

# files: all that root can write, of both hosts. "reset" takes anything.
files() {
	echo "$PARAM"
	echo /sys/module/ufs_unisoc/parameters/phy_tuning
	for host in $(board_devices); do
		for name in irq_mode irq_fastpath/max_bytes irq_fastpath/max_time_us irq_fastpath/max_cpu_percent; do
			attr "$host" "$name"
		done
		echo "$(debug_of "$host")/reset"
	done
}

# A pool of texts: noise, nearly right words, and sizes around a page.
make_texts() {
	mkdir -p /tmp/texts
	n=0
	for size in 0 1 2 3 7 16 100 511 512 513 4095 4096 4097 9000; do
		head -c "$size" /dev/urandom >/tmp/texts/noise$n
		head -c "$size" /dev/zero >/tmp/texts/zero$n
		long_text "$size" >/tmp/texts/long$n
		n=$((n + 1))
	done
	for word in hardirq threaded adaptive 'adaptive ' 'threaded,22000000.ufs:hardirq' 'x:' ':' ',' ',,' '%s%n%x' \
		'22000000.ufs:adaptive,22100000.ufs:threaded' -1 0 1 25 100 101 4096 99999999999999999999 v1 v2 v3 '' ' '; do
		printf '%s' "$word" >/tmp/texts/word$n
		printf '%s\n' "$word" >/tmp/texts/line$n
		n=$((n + 1))
	done
}

# fuzz, in the background: whatever comes of it. The number of writes. Each text is written
# to each file, but in a brief run, which ends in the middle.
whole=$(in_form no yes)
fuzz() {
	writes=0
	while [ ! -e "$STOP" ]; do
		for text in /tmp/texts/*; do
			[ $whole = yes ] || [ ! -e "$STOP" ] || break
			for file in $(files); do
				dd if="$text" of="$file" bs=64k 2>/dev/null || :
				writes=$((writes + 1))
			done
		done
		echo "$writes" >"/tmp/writes.$1"
	done
}

in_range() { [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1 is $2"; }

# check: what the files say is whole and in range.
check() {
	for host in $(hosts); do
		case $(modes_of "$host") in
		"[hardirq] threaded adaptive" | "hardirq [threaded] adaptive" | "hardirq threaded [adaptive]") ;;
		*) fail "irq_mode of $host reads '$(modes_of "$host")'" ;;
		esac
		in_range max_bytes "$(cat "$(attr "$host" irq_fastpath/max_bytes)")" 0 67108864
		in_range max_time_us "$(cat "$(attr "$host" irq_fastpath/max_time_us)")" 1 10000
		in_range max_cpu_percent "$(cat "$(attr "$host" irq_fastpath/max_cpu_percent)")" 1 100
	done
}

load_board
load_driver
one=$(first_host)
two=$(second_host)
# It would fill the log.
dmesg -n 3
make_texts
fuzz a &
fuzz b &
read_until_stop "$(disk_of "$one")" &
end=$(uptime_after 6)
while [ "$(seconds_up)" -lt "$end" ]; do
	check
	usleep 100000
done
stop_and_wait
ok "$(($(cat /tmp/writes.a) + $(cat /tmp/writes.b))) writes under I/O"

# With the files coming and going.
fuzz a &
fuzz b &
rounds=$(in_form 4 8)
round=0
while [ "$round" -lt "$rounds" ]; do
	echo "$two" >"$DRIVER/unbind"
	usleep 20000
	echo "$two" >"$DRIVER/bind" || fail "round $round: cannot be bound again"
	usleep 50000
	round=$((round + 1))
done
stop_and_wait
ok "$(($(cat /tmp/writes.a) + $(cat /tmp/writes.b))) writes while $two was unbound and bound $round times"

for host in $one $two; do
	wait_for 20 disk_of "$host" >/dev/null || fail "$host: no disk"
	for mode in $(modes); do
		set_mode "$host" "$mode"
		same "mode of $host" "$mode" "$(mode_of "$host")"
		read_disk "$(disk_of "$host")" 100
	done
	[ "$(counter "$host" interrupts)" -ge 1 ] || fail "$host: nothing was counted"
done
ok "both hosts work"
