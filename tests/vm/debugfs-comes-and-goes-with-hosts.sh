# SPDX-License-Identifier: GPL-2.0
# Each host has its directory in debugfs as long as it is bound, also where the last
# host goes while another comes; and counters are whole numbers while they are reset.
# vm: cpus=2 rt=on timeout=200
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

reset_until_stop() { while [ ! -e "$STOP" ]; do counters_reset "$1"; done; }

load_board
load_driver
one=$(first_host)
two=$(second_host)
disk=$(disk_of "$one")
read_until_stop "$disk" &
reset_until_stop "$one" &
reads=0
end=$(uptime_after 60)
while [ "$reads" -lt 100 ] && [ "$(seconds_up)" -lt "$end" ]; do
	awk 'length($2) > 15 { print; bad = 1 } END { exit bad }' "$(debug_of "$one")/stats" "$(debug_of "$one")/hardirq_us" ||
		fail "a counter that was reset is below zero"
	reads=$((reads + 1))
done
stop_and_wait
[ "$reads" -ge 5 ] || fail "only $reads reads"
ok "$reads reads of the counters while they were reset"

echo "$one" >"$DRIVER/unbind"
echo "$two" >"$DRIVER/unbind"
[ ! -e /sys/kernel/debug/ufs_unisoc ] || fail "a directory without hosts"
log_mark
cycle "$one" &
cycle "$two" &
sleep 12
stop_and_wait
! log_since | grep "debugfs:" || fail "debugfs complains"
ok "$(cat "/tmp/cycles.$one") and $(cat "/tmp/cycles.$two") times bound and unbound, each with its directory"
