# SPDX-License-Identifier: GPL-2.0
# A controller whose interrupt does not stop, whatever its cause and the host's mode:
# the line is switched off and the log says so once, no CPU is lost to it, the other
# host's verified I/O goes on, and a reset of a controller that has come to its
# senses brings the host back.
# vm: append="log_buf_len=16M" rt=on cpus=2 timeout=600
. /job/lib.sh

said()    { log_since | grep -c "$host: the interrupt does not stop" || :; }
was_said() { [ "$(said)" -ge 1 ]; }
quiet()   { before=$(fired "$wire"); sleep 1; [ "$(fired "$wire")" = "$before" ]; }

# storm MODE CAUSE: it storms for that.
storm() {
	log_mark
	start=$(fired "$wire")
	echo "$2" >"$lies/stuck"
	wait_for 30 was_said || fail "$1, status $2: nothing was said about a storm"
	wait_for 10 quiet || fail "$1, status $2: the line still fires"
	[ "$(($(fired "$wire") - start))" -le 1000 ] ||
		fail "$1, status $2: the line fired $(($(fired "$wire") - start)) times"
	echo 0 >"$lies/stuck"
	sg_reset -H "$disk" >/tmp/reset 2>&1 || { cat /tmp/reset; fail "$1, status $2: cannot be reset"; }
	log_since | grep -q "$host: the interrupt is switched on again" || fail "$1, status $2: not switched on again"
	read_disk "$disk" 100 || fail "$1, status $2: cannot read afterwards"
	same "$1, status $2: times it was said" 1 "$(said)"
}

quiet_console
load_board lies=1
load_driver
gating_off
host=$(first_host)
disk=$(disk_of "$host")
lies=/sys/kernel/debug/ufs_board/$host
wire=$(wire_of "$host")
verify_until_stop "$(disk_of "$(second_host)")" &
# A transfer, the link, a task, and what is reserved. How the core takes the last ones
# is the same in every mode.
causes=$(in_form "0x1 0x400" "0x1 0x400 0x200 0x80000000")
for mode in $(modes); do
	set_mode "$host" "$mode"
	for cause in $causes; do
		storm "$mode" "$cause"
	done
	causes=$(in_form 0x1 "0x1 0x400")
	ok "$mode: switched off each time, and back after a reset"
done
stop_and_wait
ok "the other host's I/O was verified $(verified) times meanwhile"
