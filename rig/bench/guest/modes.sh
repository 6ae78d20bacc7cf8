# SPDX-License-Identifier: GPL-2.0
# What a read costs, alone and where many are outstanding, in each mode of the module
# and with the kernel's own driver, in turn in one boot.
. /job/lib.sh
. /job/settings
. /job/hosts.sh

# work_cost NAME DISK JOBS DEPTH WAIT BYTES COUNT
work_cost() {
	# As before other measurements.
	sleep 0.2
	mark "$2"
	workcost "$2" "$3" "$4" "$5" "$6" "$7" >/tmp/workcost || fail "workcost $* failed; see the log"
	mark "$2"
	send "$1" /tmp/workcost
}

# measure SUBJECT DISK
measure() {
	read_cost "latency/4k/$1/$round" "$2" "$READS"
	work_cost "work/4k, 8 jobs/$1/$round" "$2" 8 1 1 4096 $((READS / 4))
	work_cost "work/4k, 32 outstanding/$1/$round" "$2" 1 32 1 4096 $((READS * 2))
	work_cost "work/4k, bursts of 32/$1/$round" "$2" 1 32 32 4096 $((READS * 2))
	work_cost "work/128k, bursts of 32/$1/$round" "$2" 1 32 32 131072 "$READS"
}

take_turns
