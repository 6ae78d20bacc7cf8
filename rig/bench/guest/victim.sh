# SPDX-License-Identifier: GPL-2.0
# What completions do to the rest: how late an urgent thread on the interrupt's CPU
# gets it beside large sequential I/O and beside tiobench's 32 threads, with the
# kernel's own driver and each mode of the module, in turn in one boot.
. /job/lib.sh
. /job/settings
. /job/hosts.sh

# victim_of SUBJECT DISK OPTION...
victim_of() {
	subject=$1 unit=$2
	shift 2
	/job/ufsbench/ufsbench.sh --rounds 1 --warm-up 0 --fio fio --out /tmp/results "$@" "$unit" >/tmp/runner 2>&1 ||
		{ cat /tmp/runner; fail "ufsbench failed; see the log"; }
	for result in /tmp/results/*.victim; do
		name=${result##*/}
		send "victim/${name%%.*}/$subject/$round" "$result"
	done
	rm -r /tmp/results
}

# measure SUBJECT DISK: all on the unit that answers at once.
measure() {
	set -- "$1" "$2" --overwrite-contents-of "$2"
	[ "$1" = stock ] || set -- "$@" --modes "$1"
	victim_of "$@" --only large --ios "$VICTIM_IOS"
	victim_of "$@" --only tiobench-seq --file-size 4m
	victim_of "$@" --only tiobench-rand --file-size 512k
}

take_turns
