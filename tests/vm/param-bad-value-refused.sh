# SPDX-License-Identifier: GPL-2.0
# A bad irq_mode fails the load with EINVAL and one line that names the word,
# leaves nothing behind, and the next load works.
# vm: rt=on cpus=2
. /job/lib.sh

# check VALUE WHAT_THE_LOG_MUST_SAY
check() {
	log_mark
	refused "invalid argument" insmod /job/ufs_unisoc.ko "irq_mode=$1"
	# busybox tries twice, by two system calls.
	lines=$(log_since | sed 's/^\[[^]]*\] //' | grep '^ufs_unisoc: irq_mode' | sort -u)
	same "'$1': number of lines in the log" 1 "$(echo "$lines" | grep -c .)"
	case $lines in
	*"$2"*) ;;
	*) fail "'$1': the log says '$lines', not '$2'" ;;
	esac
	[ ! -e /sys/module/ufs_unisoc ] || fail "'$1': the module is still there"
	[ ! -e "$DRIVER" ] || fail "'$1': the driver is still there"
	same "'$1': interrupts left behind" 0 "$(grep -c -e ufs_unisoc -e ufs-gate /proc/interrupts)"
	ok "'$(echo "$1" | cut -c1-40)' is refused"
}

load_board
check sometimes "'sometimes' is not a mode; valid are hardirq, threaded, adaptive"
check Hardirq "'Hardirq' is not a mode"
check "hardirq,22100000.ufs:never" "'never' is not a mode"
check "" "no mode given; valid are hardirq, threaded, adaptive"
check "hardirq," "an entry is empty"
check ":hardirq" "no host before its colon"
check "hardirq,threaded" "second mode for every host"
check "22000000.ufs:hardirq,22000000.ufs:threaded" "host '22000000.ufs' is given twice"
check "$(long_text 600)" "too long"
load_driver irq_mode=threaded
same "mode after a good load" threaded "$(mode_of "$(first_host)")"
ok "a good value loads after all that"
