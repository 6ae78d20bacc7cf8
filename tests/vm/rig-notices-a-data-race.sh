# SPDX-License-Identifier: GPL-2.0
# The rig itself: the detector of data races is at work in modules, too, and a race
# with one of ours in it outweighs a script that passes.
# vm: kcsan=on cpus=2 hosts=0 timeout=60 expect="^console: bug: .*KCSAN: data-race in ufs_board_race"
. /job/lib.sh

load_board
echo 20000 >/sys/kernel/debug/ufs_board/race &
echo 20000 >/sys/kernel/debug/ufs_board/race
wait
ok "the script itself passes"
