# SPDX-License-Identifier: GPL-2.0
# Each allocation that is made for a write to, or a read of, a file of the driver fails
# once: the access is refused with ENOMEM and has changed nothing, or it has worked.
# vm: slow=on debug=on short_debug=on cpus=2 timeout=300
. /job/lib.sh
. /job/faults.sh

# checked ERROR, for a write: of $file from $before to $after.
written() {
	now=$(cat "$file")
	case $1 in
	ok) same "$file after a write that went well" "$after" "$now" ;;
	ENOMEM) same "$file after a write that was refused" "$before" "$now" ;;
	*) fail "$file: allocation $n: $1" ;;
	esac
	[ "$1" = ok ] || refused=$((refused + 1))
	echo "$back" >"$file"
}

# written_to FILE BEFORE TEXT: the value read before, and the text to write.
write_each() {
	file=$1 back=$2 refused=0
	echo "$3" >"$file"
	after=$(cat "$file")
	echo "$back" >"$file"
	before=$(cat "$file")
	[ "$before" != "$after" ] || fail "$file: a write of '$3' changes nothing"
	each_failure written all write "$file" "$3"
	all=$((all + rounds))
	note "$file: $rounds allocations, $refused refused"
}

read_ended() {
	case $1 in
	ok | ENOMEM) ;;
	*) fail "$file: allocation $n: $1" ;;
	esac
}

read_each() {
	file=$1
	[ -r "$file" ] || fail "no $file"
	each_failure read_ended all read "$file"
	all=$((all + rounds))
	note "$file: $rounds allocations"
}

load_board
load_driver
host=$(first_host)
read_until_stop "$(disk_of "$host")" &
# What the kernel does before and after it calls the driver counts as well.
faults_anywhere
all=0
write_each "$(attr "$host" irq_mode)" adaptive threaded
write_each "$(attr "$host" irq_fastpath/max_bytes)" 8192 4096
write_each "$(attr "$host" irq_fastpath/max_time_us)" 40 30
write_each "$(attr "$host" irq_fastpath/max_cpu_percent)" 50 25
write_each "$PARAM" adaptive "threaded,$host:hardirq,22999999.ufs:adaptive"
write_each /sys/module/ufs_unisoc/parameters/phy_tuning v1 v2
[ "$all" -ge 6 ] || fail "only $all allocations failed in writes"
ok "$all allocations failed in writes"

all=0
for name in irq_mode irq_context irq_fastpath/max_bytes; do read_each "$(attr "$host" "$name")"; done
for name in "$(debug_of "$host")"/*; do [ "${name##*/}" = reset ] || read_each "$name"; done
read_each "$PARAM"
[ "$all" -ge 20 ] || fail "only $all allocations failed in reads"
ok "$all allocations failed in reads"

stop_and_wait
set_mode "$host" hardirq
read_disk "$(disk_of "$host")" 50
same "mode" hardirq "$(mode_of "$host")"
rmmod ufs_unisoc
no_leaks
ok "the host works, and no memory is lost"
