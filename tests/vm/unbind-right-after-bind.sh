# SPDX-License-Identifier: GPL-2.0
# Protects: a host that is unbound while the core still scans it for logical units.
# vm: short=on rt=on cpus=2 timeout=120
. /job/lib.sh

load_board
load_driver
host=$(first_host)
other=$(second_host)

# The core scans in an asynchronous call that nothing but the removal waits for: without that wait
# the second round ends in a NULL pointer dereference.
rounds=$(in_form 8 20)
round=1
while [ "$round" -le "$rounds" ]; do
	echo "$host" >"$DRIVER/unbind"
	echo "$host" >"$DRIVER/bind"
	round=$((round + 1))
done
echo "$host" >"$DRIVER/unbind"
ok "$rounds times unbound right after it was bound"

rmmod ufs_unisoc
insmod /job/ufs_unisoc.ko
rmmod ufs_unisoc
ok "unloaded right after it was loaded"

load_driver
read_disk "$(disk_of "$host")" 10 || fail "$host: cannot read after all that"
read_disk "$(disk_of "$other")" 10 || fail "$other: cannot read after all that"
ok "both hosts still do I/O"
