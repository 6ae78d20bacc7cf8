# SPDX-License-Identifier: GPL-2.0
# vm: cpus=2 short=on
# A host whose node the vendor's driver matches as well is that driver's which was
# loaded first, and the other one leaves it alone; the owner can have it change hands
# and come back, and say beforehand whose it shall be.

. /job/lib.sh

load_board
for ours in /sys/bus/platform/devices/*.ufs; do
	case $(tr '\0' '\n' <"$ours/of_node/compatible") in
	*ufshc-ums9230*) host=${ours##*/} ;;
	esac
done
other=$(board_devices | grep -v "^$host\$")
VENDOR=/sys/bus/platform/drivers/ufs_sprd

# owner: whose the contended host is.
owner() {
	link=$(readlink "$(attr "$host" driver)") || { echo nobody; return; }
	basename "$link"
}

works() {
	wait_for 20 disk_of "$1" >/dev/null || fail "$1: no disk after 20 s"
	read_disk "$(disk_of "$1")" 50 || fail "$1: reading failed"
}

insmod /job/ufs-sprd.ko
same "the only driver's" ufs_sprd "$(owner)"
insmod /job/ufs_unisoc.ko
same "loaded second, ours takes nothing away" ufs_sprd "$(owner)"
works "$other"
ok "the host is the vendor's that was loaded first, and $other is ours"

# A misspelt choice must not look like one.
if echo "$host" >"$DRIVER/bind" 2>/dev/null; then fail "a host with a driver was bound again"; fi
echo "$host" >"$VENDOR/unbind"
same "unbound" nobody "$(owner)"
echo "$host" >"$DRIVER/bind" || fail "$host cannot be bound to ours by hand"
same "bound by hand" ufs_unisoc "$(owner)"
works "$host"
ok "the host changes hands, and does I/O with us"

echo "$host" >"$DRIVER/unbind"
echo "$host" >"$VENDOR/bind"
same "given back" ufs_sprd "$(owner)"
ok "the host goes back"

# Both modules anew, the vendor's first again, with the choice made beforehand.
rmmod ufs-sprd
rmmod ufs_unisoc
echo ufs_unisoc >"$(attr "$host" driver_override)"
insmod /job/ufs-sprd.ko
same "the vendor's driver heeds the choice" nobody "$(owner)"
load_driver
same "with driver_override" ufs_unisoc "$(owner)"
works "$host"
rmmod ufs_unisoc
echo >"$(attr "$host" driver_override)"
echo "$host" >/sys/bus/platform/drivers_probe
same "after driver_override was emptied" ufs_sprd "$(owner)"
ok "driver_override says whose the host is, whatever the order, until it is emptied"

rmmod ufs-sprd
load_driver
same "loaded first" ufs_unisoc "$(owner)"
insmod /job/ufs-sprd.ko
same "loaded second, the vendor's takes nothing away" ufs_unisoc "$(owner)"
works "$host"
ok "without the vendor's module, or before it, the host is ours"
