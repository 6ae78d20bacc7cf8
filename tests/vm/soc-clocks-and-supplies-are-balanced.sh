# SPDX-License-Identifier: GPL-2.0
# Whatever state a host is in when it is unbound (active, clocks gated, suspended
# at run time, after a system suspend, or its probe failed late), its clocks and
# its supply end as they were.
# vm: rt=on cpus=2 timeout=300
. /job/lib.sh

DEBUG=/sys/kernel/debug
# Its clocks are gates; it is the one looked at where one will do.
CLEAN=22000000.ufs

# counts: use counts of the board's clocks and supplies.
counts() {
	awk '$1 ~ /\.ufs-/ { print $1, $2, $3, $4 }' $DEBUG/clk/clk_summary
	# Without those who use it, which are lines of their own below it.
	awk '$1 ~ /\.ufs-/ { print $1, $2, $3, $4 }' $DEBUG/regulator/regulator_summary
	for supply in /sys/class/regulator/*; do
		echo "$(cat "$supply/name") $(cat "$supply/num_users" 2>/dev/null)" \
			"$(cat "$supply/state" 2>/dev/null)"
	done | grep '\.ufs-' | sort
}

# in_use HOST: whether its supply is.
in_use() { counts | grep -q "^$1-vcc 1 enabled"; }

# unbind_in STATE: the driver goes, and all must be as before.
unbind_in() {
	rmmod ufs_unisoc
	counts >/tmp/after
	cmp -s /tmp/before /tmp/after || {
		diff /tmp/before /tmp/after || :
		fail "unbound $1: clocks or supplies differ"
	}
	ok "unbound $1"
}

# clock_count HOST CLOCK: how often it is enabled.
clock_count() { counts | awk -v "clock=$1-$2" '$1 == clock { print $2; exit }'; }

clocks_are() { [ "$(clock_count $CLEAN core)" = "$1" ]; }
is_suspended() { [ "$(cat "$(attr $CLEAN power/runtime_status)")" = suspended ]; }

load_board
counts >/tmp/before
grep -q "^$CLEAN-core" /tmp/before || fail "no clock of $CLEAN in clk_summary"
grep -q "^$CLEAN-vcc" /tmp/before || fail "no supply of $CLEAN in regulator_summary"

load_driver
for name in $(hosts); do
	in_use "$name" || fail "$name: the supply is not in use while it is bound"
	echo 0 >"$(attr "$name" clkgate_enable)"
	read_disk "$(disk_of "$name")" 1
done
same "enables of the core's clock while it is active" 1 "$(clock_count $CLEAN core)"
unbind_in "active"

load_driver
wait_for 10 clocks_are 0 || fail "the clocks are not gated when idle"
unbind_in "with clocks gated"

load_driver
for device in /sys/bus/platform/devices/*.ufs/host*/target*/*:*/power; do
	echo auto >"$device/control"
	echo 10 >"$device/autosuspend_delay_ms" || :
done
wait_for 10 is_suspended || fail "not suspended at run time when idle"
clocks_are 0 || fail "the clocks are on while it is suspended"
unbind_in "while suspended at run time"

load_driver
echo 0 >/sys/class/rtc/rtc0/wakealarm
echo +2 >/sys/class/rtc/rtc0/wakealarm
echo freeze >/sys/power/state || fail "cannot suspend"
for name in $(hosts); do
	read_disk "$(disk_of "$name")" 10 || fail "$name: cannot read after the suspend"
done
unbind_in "after a system suspend"

rounds=$(in_form 3 10)
round=0
while [ "$round" -lt "$rounds" ]; do
	insmod /job/ufs_unisoc.ko
	rmmod ufs_unisoc
	round=$((round + 1))
done
load_driver
unbind_in "$round times right after it was bound"

rmmod ufs_board
load_board set=0:lanes-per-direction=2/1:lanes-per-direction=2
counts >/tmp/before
insmod /job/ufs_unisoc.ko
same "bound hosts" "" "$(hosts)"
unbind_in "since the probe failed at link startup"
