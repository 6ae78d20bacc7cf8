# SPDX-License-Identifier: GPL-2.0
# modinfo shows licence, author, description, version, the parameters with their values and
# the aliases by which a device tree loads the module.
# vm: rt=on cpus=1 hosts=0
. /job/lib.sh

modinfo /job/ufs_unisoc.ko >/tmp/modinfo
for line in '^license: *GPL' '^author: *[^ ]' '^description: *[^ ]' \
	'^version: *[0-9]*\.[0-9]*\.[0-9]*$' '^parm: *phy_tuning:.*v1.*v2' \
	'^parm: *irq_mode:.*hardirq.*threaded' \
	'^alias: *of:N\*T\*Csprd,ums9230-ufs' '^alias: *of:N\*T\*Csprd,ufshc-ums9230'; do
	grep -q "$line" /tmp/modinfo || fail "modinfo has no line '$line'"
done
grep -q '^depends:.*ufshcd-core' /tmp/modinfo || fail "modinfo: does not depend on ufshcd-core"
ok "all there"
