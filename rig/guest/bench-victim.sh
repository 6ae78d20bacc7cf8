# SPDX-License-Identifier: GPL-2.0
# What completions do to the rest: how late an urgent thread on the interrupt's CPU
# gets it while bursts complete, in each mode of the module and with the kernel's own
# driver, in turn in one boot.
. /job/lib.sh
. /job/settings
. /job/hosts.sh

# delays NAME DISK BYTES: while there is I/O.
delays() {
	sleep 0.2
	workcost "$2" 1 32 32 "$3" 100000000 >/dev/null 2>&1 &
	load=$!
	sleep 0.1
	victim "$VICTIMS" >/tmp/victim || fail "victim failed; see the log"
	kill $load 2>/dev/null || fail "$1: the load had ended"
	wait $load || true
	send "victim/$1" /tmp/victim
}

# measure SUBJECT DISK
measure() {
	delays "4k, bursts of 32/$1/$round" "$2" 4096
	delays "128k, bursts of 32/$1/$round" "$2" 131072
}

take_turns
