# SPDX-License-Identifier: GPL-2.0
# A word on the kernel's command line that is no mode costs a line in the log, not the
# root disk; what else is there takes effect.
# vm: intree=builtin hosts=1 append="ufs_unisoc.irq_mode=quickly ufs_unisoc.phy_tuning=v2"
. /job/lib.sh

host=$(first_host)
root_is_on "$host"
same "the parameter" adaptive "$(cat "$PARAM")"
same "mode of $host" adaptive "$(mode_of "$host")"
same "the other parameter" v2 "$(cat /sys/module/ufs_unisoc/parameters/phy_tuning)"
dmesg | grep -q "ufs_unisoc: irq_mode: .*quickly.*hardirq.*threaded" ||
	fail "the log does not say what is wrong with the mode"
write_and_read_back
ok "root on $host in the default mode"
