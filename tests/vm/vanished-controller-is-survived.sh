# SPDX-License-Identifier: GPL-2.0
# A controller whose registers read all ones, at probe and later with a request
# on its way, is an error of that host alone: not more than a line in the log for
# its interrupts, and it can be unbound and, when it is back, bound again.
# vm: cpus=2 timeout=300
. /job/lib.sh

load_board
host=$(board_devices | sed -n 1p)
other=$(board_devices | sed -n 2p)
memory=/sys/kernel/debug/ufs_board/$host/memory
echo 0 >"$memory"
insmod /job/ufs_unisoc.ko
same "bound hosts" "$other" "$(hosts)"
echo 1 >"$memory"
echo "$host" >"$DRIVER/bind" || fail "cannot be bound when the controller is back"
wait_for 20 disk_of "$host" >/dev/null || fail "no disk when the controller is back"
ok "gone at probe, then back"

for mode in hardirq threaded; do
	set_mode "$host" "$mode"
	disk=$(disk_of "$host")
	# Seconds for a command, which are spent several times over; not 30.
	echo 2 >"/sys/block/${disk#/dev/}/device/timeout"
	wire=$(wire_of "$host")
	log_mark
	# Idle at that moment: a controller that keeps its interrupt asserted for good
	# is silenced by the kernel, with a warning.
	echo 0 >"$memory"
	before=$(fired "$wire")
	{ read_disk "$disk" 10 || :; } &
	reader=$!
	for _ in 1 2 3; do
		echo 1 >"/sys/kernel/debug/ufs_board/$host/inject"
		usleep 100000
	done
	same "$mode: interrupts from a controller that is gone" 3 $(($(fired "$wire") - before))
	said=$(log_since | grep -c 'does not answer' || :)
	[ "$said" -le 1 ] || fail "$mode: said $said times"
	read_disk "$(disk_of "$other")" 20 || fail "$mode: the other host cannot read"
	echo "$host" >"$DRIVER/unbind"
	wait "$reader" || :
	echo 1 >"$memory"
	echo "$host" >"$DRIVER/bind" || fail "$mode: cannot be bound again"
	wait_for 20 disk_of "$host" >/dev/null || fail "$mode: no disk after it was bound again"
	read_disk "$(disk_of "$host")" 20 || fail "$mode: cannot read after it was bound again"
	ok "$mode: gone under I/O, then back"
done
