# SPDX-License-Identifier: GPL-2.0
# The module of the same tree, loaded in an initramfs by the alias of the device, as
# modprobe does it, has the root file system on its disk; it takes the mode from the
# kernel's command line.
# vm: intree=module hosts=1 append="ufs_unisoc.irq_mode=threaded,22000000.ufs:hardirq"
. /job/lib.sh

host=$(first_host)
[ -e /from-initramfs ] || fail "this is not the root file system that the initramfs went to"
grep -q '^ufs_unisoc ' /proc/modules || fail "the driver is no module"
root_is_on "$host"
same "the parameter" threaded,22000000.ufs:hardirq "$(cat "$PARAM")"
same "mode of $host" hardirq "$(mode_of "$host")"
write_and_read_back
# A module of the tree: the kernel is not tainted by it.
same "the kernel's taint" 0 "$(cat /proc/sys/kernel/tainted)"
[ ! -e /sys/module/ufs_unisoc/taint ] || same "the module's taint" "" "$(cat /sys/module/ufs_unisoc/taint)"
ok "root on $host"
