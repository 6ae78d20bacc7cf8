# SPDX-License-Identifier: GPL-2.0
# Each host has its directory in debugfs as long as it is bound, also where the last
# host goes while another comes; and counters are whole numbers while they are reset.
# vm: append="log_buf_len=16M" cpus=2 rt=on timeout=300
. /job/lib.sh

cycle() {
	n=0
	while [ ! -e "$STOP" ]; do
		echo "$1" >"$DRIVER/bind" || echo "$1: cannot be bound" >>"$FAILED"
		[ -e "$(debug_of "$1")/stats" ] || echo "$1: no directory in round $n" >>"$FAILED"
		# Not a moment between: the directory of both goes and comes.
		echo "$1" >"$DRIVER/unbind"
		[ ! -e "$(debug_of "$1")" ] || echo "$1: still a directory in round $n" >>"$FAILED"
		n=$((n + 1))
		echo "$n" >"/tmp/cycles.$1"
	done
}

# fail_to_bind HOST: it has too few registers, so that its directory is there for a moment only.
fail_to_bind() {
	n=0
	while [ ! -e "$STOP" ]; do
		! echo "$1" 2>/dev/null >"$DRIVER/bind" || echo "$1: bound with too few registers" >>"$FAILED"
		n=$((n + 1))
		echo "$n" >"/tmp/probes.$1"
	done
}
probed() { [ "$(cat "/tmp/probes.$one" 2>/dev/null)" -ge "$1" ] && [ "$(cat "/tmp/probes.$two" 2>/dev/null)" -ge "$1" ]; }

reset_until_stop() { while [ ! -e "$STOP" ]; do counters_reset "$1"; done; }

# read_counters SECONDS FILE...: again and again; how often.
read_counters() {
	seconds=$1
	shift
	# Without a program for each time: what could go wrong takes a microsecond.
	awk -v seconds="$seconds" 'BEGIN {
		end = systime() + seconds
		while (systime() < end)
			for (i = 1; i < ARGC; i++) {
				while ((getline <ARGV[i]) > 0)
					if (length($2) > 15 || length($3) > 15) { print; exit 1 }
				close(ARGV[i])
				n++
			}
		print n
	}' "$@"
}

load_board
load_driver
one=$(first_host)
two=$(second_host)
disk=$(disk_of "$one")
read_until_stop "$disk" &
reset_until_stop "$one" &
reads=$(read_counters "$(in_form 4 15)" "$(debug_of "$one")/stats" "$(debug_of "$one")/hardirq_us") || fail "a counter that was reset is below zero: $reads"
stop_and_wait
[ "$reads" -ge "$(in_form 200 1000)" ] || fail "only $reads reads"
ok "$reads reads of the counters while they were reset"

echo "$one" >"$DRIVER/unbind"
echo "$two" >"$DRIVER/unbind"
[ ! -e /sys/kernel/debug/ufs_unisoc ] || fail "a directory without hosts"
log_mark
cycle "$one" &
cycle "$two" &
sleep "$(in_form 4 12)"
stop_and_wait
! log_since | grep "debugfs:" || fail "debugfs complains"
ok "$(cat "/tmp/cycles.$one") and $(cat "/tmp/cycles.$two") times bound and unbound, each with its directory"

# The last one goes in the very moment that another comes.
rmmod ufs_unisoc
rmmod ufs_board
load_board set=0:reg=0x22000000:0x10/1:reg=0x22100000:0x10:0x64560000:0x10000:0x64000000:0x10000
quiet_console "$one|$two"
log_mark
insmod /job/ufs_unisoc.ko
fail_to_bind "$one" &
fail_to_bind "$two" &
wait_for 100 probed "$(in_form 100 300)" || fail "only $(cat "/tmp/probes.$one") and $(cat "/tmp/probes.$two") probes: this proves nothing"
stop_and_wait
for name in $one $two; do
	log_since | grep -q "$name: .* bytes long" || fail "$name was not probed, or not so far"
done
! log_since | grep "debugfs:" || fail "debugfs complains about hosts that come and go at once"
[ ! -e /sys/kernel/debug/ufs_unisoc ] || fail "a directory without hosts"
ok "$(cat "/tmp/probes.$one") and $(cat "/tmp/probes.$two") times there for a moment"
