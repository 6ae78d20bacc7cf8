# SPDX-License-Identifier: GPL-2.0
# The rig itself: one line on the console outweighs a script that passes.
# vm: rt=on cpus=1 hosts=0 timeout=60 expect="^console: warning: .*WARNING: rig"
. /job/lib.sh

echo "WARNING: rig: written to the kernel's log by hand" >/dev/kmsg
ok "the script itself passes"
