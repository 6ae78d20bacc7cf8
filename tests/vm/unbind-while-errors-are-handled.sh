# SPDX-License-Identifier: GPL-2.0
# A host is unbound while its errors are handled, 20 times (6 in a brief run), in each mode, under I/O:
# nothing hangs, it can be bound again and works, and the other host's I/O goes on.
# vm: append="log_buf_len=16M" cpus=2 rt=on timeout=600
. /job/lib.sh

keep_busy() {
	while [ ! -e "$STOP" ]; do
		if disk=$(disk_of "$1"); then read_disk "$disk" 100 || :; else usleep 10000; fi
	done
}

quiet_console
load_board lies=1
load_driver
host=$(first_host)
lies=/sys/kernel/debug/ufs_board/$host
all=$(modes)
keep_busy "$host" &
verify_until_stop "$(disk_of "$(second_host)")" &
rounds=$(in_form 6 20)
round=0
while [ "$round" -lt "$rounds" ]; do
	# shellcheck disable=SC2086 # words
	set -- $all
	shift $((round % $#))
	mode=$1
	set_mode "$host" "$mode"
	wait_for 20 disk_of "$host" >/dev/null || fail "round $round: no disk"
	usleep 30000
	echo 0x10000 >"$lies/raise"
	# At the begin, in the middle, and some time after.
	usleep $((round % 5 * 20000))
	timeout 60 sh -c "echo $host >$DRIVER/unbind" || fail "round $round: unbinding hangs"
	echo "$host" >"$DRIVER/bind" || fail "round $round: cannot be bound again"
	round=$((round + 1))
done
wait_for 20 disk_of "$host" >/dev/null || fail "no disk after the last round"
stop_and_wait
read_disk "$(disk_of "$host")" 100 || fail "cannot read after all that"
[ "$(dmesg | grep -c "$host: .*saved_err")" -ge $((rounds * 3 / 4)) ] || fail "hardly an error was noticed: this proves nothing"
ok "$round rounds, the other host's I/O was verified $(verified) times"
