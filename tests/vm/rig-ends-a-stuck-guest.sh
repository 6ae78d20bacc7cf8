# SPDX-License-Identifier: GPL-2.0
# The rig itself: a guest that never ends is ended by the time-out.
# vm: slow=on rt=on cpus=1 hosts=0 timeout=15 expect="^still running after 15 s"
. /job/lib.sh

ok "going to sleep"
sleep 1000
