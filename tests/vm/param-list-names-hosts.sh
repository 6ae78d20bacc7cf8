# SPDX-License-Identifier: GPL-2.0
# A list gives each host its own mode, whatever the order of the entries, and a
# name that no host has does no harm.
# vm: cpus=2
. /job/lib.sh

# check LIST MODE_OF_FIRST MODE_OF_SECOND
check() {
	load_driver "irq_mode=$1"
	same "$1: mode of $one" "$2" "$(mode_of "$one")"
	same "$1: mode of $two" "$3" "$(mode_of "$two")"
	same "the parameter" "$1" "$(cat "$PARAM")"
	rmmod ufs_unisoc
	ok "$1: $2, $3"
}

load_board
one=$(board_devices | sed -n 1p)
two=$(board_devices | sed -n 2p)
check "hardirq,$two:threaded" hardirq threaded
check "$one:threaded,hardirq" threaded hardirq
check "$one:threaded,$two:hardirq" threaded hardirq
check "$two:threaded" adaptive threaded
check "threaded,99999999.ufs:hardirq" threaded threaded
