# SPDX-License-Identifier: GPL-2.0
# The workloads of reports, run by the runner as on a phone: with the kernel's own
# driver and each mode of the module, in turn in one boot. What is counted are
# instructions, of all the guest, for each run; fio's own times hold the time that
# the machine below takes.
. /job/lib.sh
. /job/settings
. /job/hosts.sh

# bench OPTION...: nothing beside fio.
bench() {
	/job/ufsbench/ufsbench.sh --rounds 1 --warm-up 0 --fio fio --victim "" --with insns --file-size 64k \
		--out /tmp/results "$@" >/tmp/runner 2>&1 || { cat /tmp/runner; fail "ufsbench failed; see the log"; }
}

# send_results SUBJECT: one file for each run, fio's JSON with the count behind it.
send_results() {
	for result in /tmp/results/*.json; do
		name=${result##*/}
		cat "$result" "${result%.json}.with" >/tmp/both
		send "fio/${name%%.*}/$1/$round" /tmp/both
	done
	rm -r /tmp/results
}

# run SUBJECT DISK IOS OPTION...: on the bare unit, which answers at once.
run() {
	subject=$1 unit=$2 ios=$3
	shift 3
	bench --only "t615 pixel6" --ios "$ios" --overwrite-contents-of "$unit" "$@" "$unit"
	# Of these the runner makes an eighth, which tells too little from fio itself.
	bench --only large --ios $((ios * 8)) --overwrite-contents-of "$unit" "$@" "$unit"
	send_results "$subject"
}

# run_files SUBJECT DISK OPTION...: in files.
run_files() {
	subject=$1 unit=$2
	shift 2
	mount -t ext4 "$unit" /mnt
	bench --only tiobench --dir /mnt "$@" "$unit"
	umount /mnt
	send_results "$subject"
}

# first_time WHOSE DISK FILES_DISK OPTION...: what fio itself costs there, with next to
# no I/O, when it has been run before.
first_time() {
	whose=$1 bare=$2 files=$3
	shift 3
	mkfs.ext4 -q "$files"
	for what in unused "base-$whose"; do
		run "$what" "$bare" 1 "$@"
		run_files "$what" "$files" --file-size 4k "$@"
	done
}

# measure SUBJECT DISK
measure() {
	if [ "$1" = stock ]; then
		[ "$round" -gt 1 ] || first_time stock "$2" "$stock_files"
		run stock "$2" "$IOS"
		run_files stock "$stock_files"
		return
	fi
	[ "$round-$1" != 1-hardirq ] || first_time ours "$2" "$(disk_of "$host")" --modes hardirq
	run "$1" "$2" "$IOS" --modes "$1"
	run_files "$1" "$(disk_of "$host")" --modes "$1"
}

take_turns
