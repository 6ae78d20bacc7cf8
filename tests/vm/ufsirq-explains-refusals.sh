# SPDX-License-Identifier: GPL-2.0
# Where interrupts are force-threaded a mode cannot be had; ufsirq says why, and
# goes on with the modes that can, and recommends nothing.
# vm: cpus=2 append="threadirqs"
. /job/lib.sh

load_board
load_driver irq_mode=hardirq
one=$(first_host)
! ufsirq mode all hardirq >/tmp/said 2>&1 || fail "hardirq was taken: $(cat /tmp/said)"
cat /tmp/said
same "hosts it was explained for" 2 "$(grep -c "^ufsirq: .*: cannot have hardirq: interrupts are force-threaded" /tmp/said)"
same "mode of $one" threaded "$(mode_of "$one")"
ok "says that interrupts are force-threaded"
ufsirq mode all threaded >/tmp/said
same "hosts that have threaded already" 2 "$(grep -c "is threaded already" /tmp/said)"
ok "the mode that can be had is had"
read_until_stop "$(disk_of "$one")" &
ufsirq suggest "$one" --seconds 3 >/tmp/said
stop_and_wait
cat /tmp/said
grep -q "recommendation  *none" /tmp/said || fail "suggest: $(cat /tmp/said)"
grep -q "Interrupts are force-threaded" /tmp/said || fail "suggest: $(cat /tmp/said)"
ok "does not recommend what cannot be had"
