# SPDX-License-Identifier: GPL-2.0
# The KUnit tests of the abstractions in rust/ (rust/kunit): the gate, words, debugfs
# files, parameters, sysfs files, register maps, resets, queues. They run when the
# module that has them is loaded; all must have run and passed.
# vm: debug=on short_debug=on cpus=2 hosts=0 timeout=60
. /job/lib.sh
. /job/kunit.sh

load_core
# Loading waits for the tests, which look after their time themselves.
echo 0 >/proc/sys/kernel/hung_task_timeout_secs
insmod /job/ufs_unisoc_kunit.ko
suites_passed

# Whatever they have made is gone: no interrupt, device or file is left.
rmmod ufs_unisoc
for left in /sys/bus/platform/*/*kunit* /sys/kernel/debug/ufs_unisoc*; do
	[ ! -e "$left" ] || fail "the tests have left $left"
done
! grep -q kunit /proc/interrupts || fail "the tests have left an interrupt"
ok "the module goes, with all that the tests have made"
