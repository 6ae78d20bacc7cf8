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

# run SUBJECT DISK OPTION...: on the bare unit, which answers at once.
run() {
	subject=$1 unit=$2
	shift 2
	bench --only "t615 pixel6 large" --overwrite-contents-of "$unit" "$@" "$unit"
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

# measure SUBJECT DISK
measure() {
	if [ "$1" != stock ]; then
		run "$1" "$2" --ios "$IOS" --modes "$1"
		run_files "$1" "$(disk_of "$host")" --modes "$1"
		return
	fi
	if [ "$round" = 1 ]; then
		# What fio itself costs, with next to no I/O, when it has been run before.
		run unused "$2" --ios 1
		run base "$2" --ios 1
		mkfs.ext4 -q "$stock_files"
		mkfs.ext4 -q "$(disk_of "$host")"
	fi
	run stock "$2" --ios "$IOS"
	run_files stock "$stock_files"
}

take_turns
