# SPDX-License-Identifier: GPL-2.0
# The rig itself: a guest that panics after its last check must count as failed,
# and at once instead of at the time-out.
# vm: rt=on cpus=1 hosts=0 timeout=60 expect="^console: (panic|oops|call trace): "
. /job/lib.sh

ok "before the panic"
echo 1 >/proc/sys/kernel/sysrq
echo c >/proc/sysrq-trigger
