# SPDX-License-Identifier: GPL-2.0
# A kernel with the driver built in has its root file system on a UFS disk, with the
# mode that its command line says, and without a single module; the mode can be changed
# and the disk written to as ever.
# vm: intree=builtin hosts=1 append="ufs_unisoc.irq_mode=hardirq ufs_unisoc.phy_tuning=v2"
. /job/lib.sh

host=$(first_host)
same "modules that are loaded" "" "$(cat /proc/modules)"
root_is_on "$host"

same "the parameter" hardirq "$(cat "$PARAM")"
same "the other parameter" v2 "$(cat /sys/module/ufs_unisoc/parameters/phy_tuning)"
same "mode of $host" hardirq "$(mode_of "$host")"
read_disk "$(disk_of "$host")" 50
same "where completions ran" hardirq "$(context_of "$host")"
ok "root on $host, in the mode of the command line"

# What a module's owner is for others, is nothing here.
[ ! -e "$DRIVER/module" ] || [ "$(readlink -f "$DRIVER/module")" = /sys/module/ufs_unisoc ] ||
	fail "the driver belongs to $(readlink -f "$DRIVER/module")"
exec 3<"$(debug_of "$host")/stats"
head -n 1 <&3 >/dev/null || fail "the statistics cannot be read"
exec 3<&-

echo threaded >"$PARAM"
same "mode of $host after a write to the parameter" threaded "$(mode_of "$host")"
refused invalid write_to "$PARAM" soon
write_and_read_back
same "where completions ran" thread "$(context_of "$host")"
ok "the mode changes while the disk is in use"
