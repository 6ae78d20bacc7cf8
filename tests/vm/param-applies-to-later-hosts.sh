# SPDX-License-Identifier: GPL-2.0
# A host that is bound later gets what the parameter says by then, not what it
# had; the other host is not disturbed by any of it.
# vm: cpus=2
. /job/lib.sh

load_board
load_driver irq_mode=hardirq
one=$(first_host)
two=$(second_host)
set_mode "$one" threaded
set_mode "$two" threaded
echo "$two" >"$DRIVER/unbind"
same "bound hosts" "$one" "$(hosts)"
same "mode of $one" threaded "$(mode_of "$one")"
echo "$two" >"$DRIVER/bind"
same "mode of $two, bound again" hardirq "$(mode_of "$two")"
same "mode of $one" threaded "$(mode_of "$one")"
ok "a host bound again has the parameter's mode, not the one it was given by file"

echo "$two" >"$DRIVER/unbind"
echo "hardirq,$two:threaded" >"$PARAM"
same "mode of $one" hardirq "$(mode_of "$one")"
echo "$two" >"$DRIVER/bind"
same "mode of $two, bound again" threaded "$(mode_of "$two")"
wait_for 20 disk_of "$two" >/dev/null || fail "$two: no disk after binding"
read_disk "$(disk_of "$two")" 20
same "irq_context of $two" thread "$(context_of "$two")"
ok "a host bound after the parameter was written has the new mode"
