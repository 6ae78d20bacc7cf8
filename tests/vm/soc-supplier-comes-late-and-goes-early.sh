# SPDX-License-Identifier: GPL-2.0
# Without its resets and clocks a host waits, and is bound when they come; when they
# go while it is in use, it is unbound before. The other host is not disturbed.
# vm: rt=on cpus=2 timeout=120
. /job/lib.sh

SUPPLIER=ufs-board-0:ap-apb
SUPPLIERS=/sys/bus/platform/drivers/ufs_board_apb

bound() { [ -e "$DRIVER/$1" ]; }

load_board
name=22000000.ufs
other=22100000.ufs
echo $SUPPLIER >$SUPPLIERS/unbind
insmod /job/ufs_unisoc.ko
wait_for 20 bound $other || fail "$other is not bound"
same "bound hosts without the supplier of one" $other "$(hosts)"
grep -q $name /sys/kernel/debug/devices_deferred || fail "$name does not wait"
wait_for 20 disk_of $other >/dev/null || fail "$other: no disk"
echo $SUPPLIER >$SUPPLIERS/bind
wait_for 20 disk_of $name >/dev/null || fail "$name: no disk though its supplier came"
read_disk "$(disk_of $name)" 20 || fail "$name: cannot read"
ok "waits for its supplier"

{ read_disk "$(disk_of $name)" 10000 || :; } &
read_until_stop "$(disk_of $other)" &
usleep 300000
echo $SUPPLIER >$SUPPLIERS/unbind
same "bound hosts when the supplier of one is gone" $other "$(hosts)"
refused "" sh -c "echo $name >$DRIVER/bind"
echo $SUPPLIER >$SUPPLIERS/bind
wait_for 20 disk_of $name >/dev/null || fail "$name: no disk when its supplier was back"
read_disk "$(disk_of $name)" 20 || fail "$name: cannot read after that"
stop_and_wait
ok "is unbound before its supplier goes, under I/O, and comes back with it"
