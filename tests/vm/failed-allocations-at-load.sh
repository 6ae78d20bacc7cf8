# SPDX-License-Identifier: GPL-2.0
# Allocations that are made while the module is loaded fail: it is refused and nothing
# of it stays, or it is there, and can be removed and loaded again.
# vm: debug=on cpus=2 timeout=300 long_timeout=2400 hosts=0 allow="kobject_add_internal failed for .*error: -12"
. /job/lib.sh
. /job/faults.sh

loaded() {
	if grep -q '^ufs_unisoc ' /proc/modules; then
		[ "$1" = ok ] || fail "allocation $n: refused with $1, but it is there"
		rmmod ufs_unisoc
		survivals=$((survivals + 1))
	else
		# With the error that the kernel makes of it: EINVAL where a name is missing.
		[ "$1" != ok ] || fail "allocation $n: went well, but it is not there"
		refusals=$((refusals + 1))
	fi
	[ ! -e "$DRIVER" ] || fail "allocation $n: the driver is still there"
	[ ! -e /sys/module/ufs_unisoc ] || fail "allocation $n: the module is still there"
}

load_core
faults_anywhere
# The kernel has a lot to say when it gets no memory for a module itself.
not_below __vmalloc_node_range_noprof
for parameters in "" "irq_mode=threaded,22000000.ufs:hardirq,22100000.ufs:adaptive"; do
	refusals=0 survivals=0
	each_failure loaded "$(in_form 12 40 all)" insmod /job/ufs_unisoc.ko "$parameters"
	note "parameters '$parameters': $allocations allocations, $rounds failed: $refusals times refused, $survivals times not"
	[ "$refusals" -ge 3 ] || fail "refused only $refusals times"
done
ok "refused, or there"
no_leaks
insmod /job/ufs_unisoc.ko
rmmod ufs_unisoc
ok "loads again, and no memory is lost"
