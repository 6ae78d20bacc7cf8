# SPDX-License-Identifier: GPL-2.0
# A host's files are held open while it is unbound and while the module goes, and
# are read without pause: later accesses are errors, nothing hangs, and the module is
# gone.
# vm: short=on rt=on cpus=2 timeout=600
. /job/lib.sh

# hold HOST: the files open, one for reading, one for writing, of each kind.
hold() {
	exec 4<"$(attr "$1" irq_mode)" 5>"$(attr "$1" irq_fastpath/max_bytes)"
	exec 6<"$(debug_of "$1")/stats" 7>"$(debug_of "$1")/reset" 8<"$(debug_of "$1")/hardirq_us"
}
let_go() { exec 4<&- 5>&- 6<&- 7>&- 8<&-; }

# use: all that is held. None may work any more.
use() {
	! cat <&4 >/dev/null 2>&1 || fail "$1: irq_mode can be read"
	! echo 4096 2>/dev/null >&5 || fail "$1: max_bytes can be written"
	! cat <&6 >/dev/null 2>&1 || fail "$1: stats can be read"
	! echo 1 2>/dev/null >&7 || fail "$1: reset can be written"
	! cat <&8 >/dev/null 2>&1 || fail "$1: hardirq_us can be read"
}

read_files_until_stop() {
	while [ ! -e "$STOP" ]; do
		cat "$(attr "$1" irq_mode)" "$(attr "$1" irq_fastpath/max_time_us)" \
			"$(debug_of "$1")/stats" "$(debug_of "$1")/wakeup_us" "$PARAM" >/dev/null 2>&1 || :
	done
}

load_board
load_driver
host=$(first_host)
hold "$host"
echo "$host" >"$DRIVER/unbind"
use "unbound"
echo "$host" >"$DRIVER/bind"
wait_for 20 disk_of "$host" >/dev/null || fail "no disk"
use "bound again"
let_go
ok "held over unbinding and binding"

# Files of debugfs keep the module, as those of the kernel's own drivers do; those of
# sysfs do not.
hold "$host"
refused "temporarily unavailable" rmmod ufs_unisoc
[ -e "$DRIVER/$host" ] || fail "$host is gone after a removal that was refused"
exec 6<&- 7>&- 8<&-
rmmod ufs_unisoc
! cat <&4 >/dev/null 2>&1 || fail "without the module: irq_mode can be read"
insmod /job/ufs_unisoc.ko
! echo 4096 2>/dev/null >&5 || fail "with another module: max_bytes can be written"
let_go
wait_for 20 disk_of "$host" >/dev/null || fail "no disk with another module"
[ "$(counter "$host" interrupts)" -ge 1 ] || fail "no new stats"
ok "held over the module's removal"

read_files_until_stop "$host" &
read_files_until_stop "$(second_host)" &
rounds=$(in_form 3 15)
round=0
while [ "$round" -lt "$rounds" ]; do
	# Not in the moment that one of them is open.
	wait_for 10 rmmod ufs_unisoc 2>/dev/null || fail "round $round: cannot be removed"
	[ ! -e /sys/kernel/debug/ufs_unisoc ] || fail "round $round: still in debugfs"
	insmod /job/ufs_unisoc.ko
	round=$((round + 1))
done
stop_and_wait
ok "read without pause while the module came and went $round times"
