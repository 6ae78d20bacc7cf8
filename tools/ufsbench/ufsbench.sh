#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# ufsbench.sh: run the workloads beside this script with fio, with the modes of a host
# in turn, and keep fio's JSON. For phones: needs a POSIX shell, root and fio.
# It reads only, unless told otherwise.

set -eu

usage() {
	cat <<-END
	usage: ufsbench.sh [OPTION]... DISK
	DISK is a block device of the host, such as /dev/block/sda.

	  --modes "A B"    modes to take turns; default: all that the host has
	  --rounds N       how often (7)
	  --warm-up N      rounds before those, which are not kept (1)
	  --ios N          requests in a run (2000); of 512 KiB an eighth of it
	  --size SIZE      the part of DISK that is used, from its beginning (64m)
	  --only WORDS     only workloads whose names contain one of them, such as "t615 read-1"
	  --dir DIR        let tiobench's threads have files, made in DIR and removed, and write
	                   them; without it, each has a part of DISK
	  --file-size SIZE of each of these 32 files or parts (1m)
	  --passes N       how often tiobench's threads go through theirs (1)
	  --overwrite-contents-of DISK
	                   also run workloads that write to DISK. What is on it is lost.
	  --fio PROGRAM    the fio to use; default: the one beside this script, else fio
	  --with PROGRAM   run it as PROGRAM OUTPUT fio ..., to measure more
	  --victim PROGRAM while the large and the tiobench workloads run, also run PROGRAM CPU
	                   STATISTICS, which measures how late it gets the interrupt's CPU; default: the
	                   victim beside this script, if it is there; "" for none
	  --victim-cpu N   that CPU; default: the one that counts the interrupts of a few reads
	  --out DIR        where results go (./ufsbench-results)
	  --dry-run        only say what would be run
	END
	exit "$1"
}

die() { echo "ufsbench: $*" >&2; exit 1; }
say() { echo "ufsbench: $*" >&2; }

here=$(cd "$(dirname "$0")" && pwd)
# Some shells keep here-documents in a file, and phones have no /tmp.
[ -d "${TMPDIR:-/tmp}" ] || export TMPDIR="$here"
modes='' rounds=7 warm_up=1 ios=2000 size=64m only='' dir='' file_size=1m passes=1 overwrite='' with='' victim_cpu='' out=ufsbench-results dry='' disk=''
fio=fio victim=
[ ! -x "$here/fio" ] || fio=$here/fio
[ ! -x "$here/victim" ] || victim=$here/victim
while [ $# -gt 0 ]; do
	case $1 in
	--help) usage 0 ;;
	--dry-run) dry=yes; shift; continue ;;
	--*) [ $# -ge 2 ] || die "$1 needs a value; --help lists the options" ;;
	*) [ -z "$disk" ] || die "one disk at a time: $disk or $1?"; disk=$1; shift; continue ;;
	esac
	case $1 in
	--modes) modes=$2 ;;
	--rounds) rounds=$2 ;;
	--warm-up) warm_up=$2 ;;
	--ios) ios=$2 ;;
	--size) size=$2 ;;
	--only) only=$2 ;;
	--dir) dir=$2 ;;
	--file-size) file_size=$2 ;;
	--passes) passes=$2 ;;
	--overwrite-contents-of) overwrite=$2 ;;
	--fio) fio=$2 ;;
	--with) with=$2 ;;
	--victim) victim=$2 ;;
	--victim-cpu) victim_cpu=$2 ;;
	--out) out=$2 ;;
	*) die "no option $1; --help lists them" ;;
	esac
	shift 2
done
for number in "$rounds" "$ios" "$passes" "1$warm_up"; do
	case $number in
	*[!0-9]* | '' | 0) die "'$number' is no number of rounds, requests or passes" ;;
	esac
done
[ -n "$disk" ] || usage 2 >&2
[ -b "$disk" ] || die "$disk is no block device"
disk=$(readlink -f "$disk")
name=${disk##*/}
[ -e "/sys/class/block/$name" ] || die "/sys knows no $name"

# in_use: what has the disk or a partition of it, if anything: mounted, swap, device
# mapper, loop devices.
in_use() {
	for part in "$name" "/sys/class/block/$name"/"$name"*; do
		part=${part##*/}
		[ -e "/sys/class/block/$part" ] || continue
		number=$(cat "/sys/class/block/$part/dev")
		awk -v dev="$number" '$3 == dev { print $5 }' /proc/self/mountinfo
		grep "^/dev/\(block/\)*$part " /proc/swaps || true
		for holder in "/sys/class/block/$part/holders"/*; do
			[ ! -e "$holder" ] || echo "${holder##*/}"
		done
	done
}

if [ -n "$overwrite" ]; then
	[ "$(readlink -f "$overwrite")" = "$disk" ] ||
		die "--overwrite-contents-of names $overwrite, but the disk is $disk"
	users=$(in_use | tr '\n' ' ')
	[ -z "$users" ] || die "$disk will not be written to: it is in use ($users)"
	[ "$(ls -d "/sys/class/block/$name"/"$name"* 2>/dev/null)" = '' ] ||
		die "$disk will not be written to: it has partitions; name one of them"
fi
[ -z "$dir" ] || [ -d "$dir" ] || die "--dir: there is no directory $dir"
[ -n "$dry" ] || "$fio" --version >/dev/null 2>&1 || die "cannot run $fio; --fio names another one"

# host_of: the directory of the host that the disk belongs to, if it is of our driver.
host_of() {
	at=$(readlink -f "/sys/class/block/$name")
	while [ "$at" != / ]; do
		if [ -e "$at/irq_mode" ]; then echo "$at"; return; fi
		at=$(dirname "$at")
	done
}

host=$(host_of)
if [ -z "$host" ]; then
	[ -z "$modes" ] || die "$disk is no disk of ufs_unisoc: it has no modes"
	modes=stock
	before=
else
	before=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$host/irq_mode")
	[ -n "$modes" ] || modes=$(tr -d '[]' <"$host/irq_mode")
	for mode in $modes; do
		grep -qw "$mode" "$host/irq_mode" || die "there is no mode $mode; $host/irq_mode has: $(cat "$host/irq_mode")"
	done
fi
files='' victim_pid=''
restore() {
	[ -z "$victim_pid" ] || kill "$victim_pid" 2>/dev/null || true
	[ -z "$before" ] || [ -n "$dry" ] || echo "$before" >"$host/irq_mode"
	[ -z "$files" ] || rm -rf "$files"
}
trap restore EXIT
trap 'exit 130' INT TERM

# rw_of FILE SECTION: what a workload does.
rw_of() { awk -v want="[$2]" '$0 ~ /^\[/ { now = $0 } now == want && /^rw=/ { print substr($0, 4) }' "$1"; }

# interrupts: "CPU N" for each CPU, of all interrupts of UFS drivers together.
interrupts() {
	awk 'NR == 1 { for (i = 1; i <= NF; i++) cpu[i] = substr($i, 4); cpus = NF }
	tolower($0) ~ /ufs/ { for (i = 1; i <= cpus; i++) n[i] += $(i + 1) }
	END { for (i = 1; i <= cpus; i++) print cpu[i], n[i] + 0 }' /proc/interrupts
}

# find_victim_cpu: where the interrupts of this disk come.
find_victim_cpu() {
	interrupts >"$out/interrupts"
	"$fio" --name=find --filename="$disk" --readonly --rw=randread --bs=4k --direct=1 --size="$size" \
		--number_ios=200 --io_size=1t --norandommap --output=/dev/null ||
		die "cannot read $disk to find the interrupt's CPU; --victim-cpu tells it"
	victim_cpu=$(interrupts | paste -d ' ' "$out/interrupts" - |
		awk '$4 - $2 > most { most = $4 - $2; cpu = $1 } END { if (most) print cpu }')
	rm "$out/interrupts"
	[ -n "$victim_cpu" ] || die "no interrupt in /proc/interrupts with ufs in its name came; --victim-cpu tells the CPU"
}

# cpu_times: how much of all CPUs' time was not idle, in interrupts, and in all, in ticks.
cpu_times() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8, $7 + $8, $2 + $3 + $4 + $5 + $6 + $7 + $8 }' /proc/stat; }

# measured OUTPUT COMMAND...: with what the CPUs do meanwhile.
measured() {
	measure_to=$1
	shift
	if [ -n "$watched" ]; then
		"$victim" "$victim_cpu" "/sys/class/block/$name/stat" >"$measure_to.victim" &
		victim_pid=$!
	fi
	read -r busy irq all <<-END
		$(cpu_times)
	END
	"$@" </dev/null >&2 || die "fio failed; the command was: $*"
	cpu_times | {
		read -r busy_now irq_now all_now
		echo "busy $((busy_now - busy)) interrupts $((irq_now - irq)) all $((all_now - all))"
	} >"$measure_to.cpu"
	[ -n "$watched" ] || return 0
	kill "$victim_pid" 2>/dev/null || die "$victim ended before it was told to"
	wait "$victim_pid" || die "$victim failed"
	victim_pid=
}

# workloads: "FILE SECTION" of those that may and shall be run.
workloads() {
	for file in "$here"/*.fio; do
		set=${file##*/} set=${set%.fio}
		sed -n 's/^\[\(.*\)\]$/\1/p' "$file" | while read -r section; do
			[ "$section" != global ] || continue
			case $(rw_of "$file" "$section") in
			read | randread) ;;
			*) { [ "$set" = tiobench ] && [ -n "$dir" ]; } || [ -n "$overwrite" ] || continue ;;
			esac
			wanted=$([ -n "$only" ] || echo yes)
			for word in $only; do
				case $set-$section in *"$word"*) wanted=yes ;; esac
			done
			[ -z "$wanted" ] || echo "$file $section"
		done
	done
}

# run_one FILE SECTION SUBJECT ROUND
run_one() {
	set=${1##*/} set=${set%.fio}
	to=$out/$set-$2.$3.$4
	set -- "$fio" "$1" --section="$2" --output-format=json --output="$to.json"
	[ -n "$overwrite" ] || { [ "$set" = tiobench ] && [ -n "$dir" ]; } || set -- "$@" --readonly
	[ -z "$with" ] || set -- "$with" "$to.with" "$@"
	# tiobench: a file of each thread, or a part of the disk.
	files_in=/ file_names=${disk#/} step=$file_size
	# shellcheck disable=SC2016 # fio's own variables
	[ -z "$dir" ] || files_in=${files:-$dir} file_names='$jobname.$jobnum' step=0
	set -- env TARGET="$disk" SIZE="$size" IOS="$ios" IOS_EACH=$(((ios + 7) / 8)) DIR="$files_in" FILES="$file_names" \
		STEP="$step" FILE_SIZE="$file_size" PASSES="$passes" "$@"
	if [ -n "$dry" ]; then
		echo "$*"
		return
	fi
	watched=
	case $set in
	large) watched=$victim ;;
	tiobench)
		watched=$victim
		sync
		echo 3 >/proc/sys/vm/drop_caches
		;;
	esac
	measured "$to" "$@"
}

list=$(workloads)
[ -n "$list" ] || die "no workload is left; without --overwrite-contents-of only those that read are"
total=$(($(echo "$list" | wc -l) * $(echo "$modes" | wc -w) * rounds))
say "$total runs; modes: $modes$([ -n "$overwrite" ] || echo '; reading only')"
if [ -z "$dry" ]; then
	mkdir -p "$out"
	echo "$(date +%Y-%m-%d), kernel $(uname -r), $("$fio" --version), disk $disk, $rounds rounds." >"$out/facts"
	if [ -n "$dir" ]; then
		# What is removed at the end is what was made here.
		mkdir "$dir/ufsbench.$$" || die "cannot make a directory in $dir"
		files=$dir/ufsbench.$$
	fi
	if [ -n "$victim" ]; then
		[ -n "$victim_cpu" ] || find_victim_cpu
		say "the victim waits on CPU $victim_cpu"
	fi
fi
n=0
start=$(date +%s)
round=$((1 - warm_up))
while [ "$round" -le "$rounds" ]; do
	for mode in $modes; do
		if [ -n "$host" ] && [ -z "$dry" ]; then echo "$mode" >"$host/irq_mode"; fi
		while read -r file section; do
			if [ "$round" -lt 1 ]; then
				run_one "$file" "$section" "$mode" warm-up
			else
				run_one "$file" "$section" "$mode" "$round"
				n=$((n + 1))
			fi
		done <<-END
			$list
		END
	done
	[ "$round" -lt 1 ] ||
		say "round $round of $rounds, about $((($(date +%s) - start) * (total - n) / n)) s left"
	round=$((round + 1))
done
[ -n "$dry" ] || rm -f "$out"/*.warm-up.*
