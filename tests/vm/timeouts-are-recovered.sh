# SPDX-License-Identifier: GPL-2.0
# Requests that the controller never reports time out, are aborted and end in a host
# reset, in each mode, with a switch of the mode in the middle: their data is right in
# the end, and the other host notices nothing.
# vm: append="log_buf_len=16M" cpus=2 rt=on timeout=600
. /job/lib.sh

other_mode() { case $1 in hardirq) echo adaptive ;; threaded) echo hardirq ;; *) echo threaded ;; esac; }
idle() { [ "$(tr -d ' 0' <"/sys/block/${disk##*/}/inflight")" = "" ]; }
timeouts() { echo $(($(cat "/sys/block/${disk##*/}/device/iotmo_cnt"))); }
# With the first one the lie ends, and not when the log has it, which on a slow kernel is
# when the core has begun to recover.
one_more() { [ "$(timeouts)" -gt "$timeouts_before" ]; }
aborted() { log_since | grep -q "ufs_unisoc $host: ufshcd_abort"; }
more_than() { [ "$(grep -c "^$disk" /tmp/rounds)" -gt "$1" ]; }

quiet_console
load_board lies=1
load_driver
host=$(first_host)
disk=$(disk_of "$host")
lies=/sys/kernel/debug/ufs_board/$host
echo 2 >"/sys/block/${disk##*/}/device/timeout"
verify_until_stop "$(disk_of "$(second_host)")" &
verify_until_stop "$disk" --iodepth=8 &
wait_for 60 more_than 0 || fail "no round of verified I/O"
for mode in $(modes); do
	set_mode "$host" "$mode"
	log_mark
	timeouts_before=$(timeouts)
	# But for the core's own commands, which have tag 0: where one of these times out in its
	# recovery and cannot be cleared, the core waits for itself (Documentation/testing.rst).
	echo "0x58 0xfffffffe" >"$lies/forge"
	wait_for 30 one_more || fail "$mode: nothing timed out"
	set_mode "$host" "$(other_mode "$mode")" 2>/dev/null || :
	echo "0x58 0" >"$lies/forge"
	wait_for 100 aborted || fail "$mode: nothing was aborted"
	rounds=$(grep -c "^$disk" /tmp/rounds)
	wait_for 100 more_than $((rounds + $(in_form 0 1))) || fail "$mode: I/O does not go on"
	ok "$mode: $(log_since | grep -c "ufs_unisoc $host: ufshcd_abort") aborts, verified $(verified) times so far"
done
stop_and_wait
wait_for 20 idle || fail "requests are left: $(cat "/sys/block/${disk##*/}/inflight")"
