# SPDX-License-Identifier: GPL-2.0
# In adaptive mode no section of the hard handler is longer than the limit and one
# request's completion, and in no 10 ms do the sections together take more than
# their share: by the kernel's irq trace events, on a clock that counts the guest's
# own instructions, whatever the load. In hardirq mode the same load is longer.
# vm: cpus=2 append="maxcpus=1" icount=on one_core=on null_lun=on hosts=1 timeout=600
. /job/lib.sh

# load DEPTH SIZE COUNT [FIO_OPTION...]
load() {
	depth=$1 size=$2 count=$3
	shift 3
	fio --name=load --filename="$disk" --rw=randread --bs="$size" --blockalign=4k --iodepth="$depth" \
		--ioengine=libaio --direct=1 --number_ios="$count" --size=64m --norandommap "$@" >/tmp/fio ||
		{ cat /tmp/fio; fail "fio failed"; }
}

# sections LOAD...: with this load, the longest section of the handler in ns, the
# longest time of sections that end within 10 ms, and their number.
sections() {
	echo >"$TRACING/trace"
	for event in irq_handler_entry irq_handler_exit; do
		echo "irq == $wire" >"$TRACING/events/irq/$event/filter"
		echo 1 >"$TRACING/events/irq/$event/enable"
	done
	"$@"
	echo 0 >"$TRACING/events/irq/enable"
	# The buffer keeps the last ones if they are too many.
	awk '{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/)
				at = $i * 1000000
	}
	/irq_handler_entry/ { begin = at; open = 1 }
	/irq_handler_exit/ && open {
		open = 0
		spent = at - begin
		n++
		when[n] = at
		took[n] = spent
		sum += spent
		while (when[first + 1] < at - 10000)
			sum -= took[++first]
		if (spent > longest) longest = spent
		if (sum > most) most = sum
	}
	END { printf "%d %d %d\n", longest, most, n }' "$TRACING/trace"
}

# check WHAT LOAD...: in adaptive mode.
check() {
	what=$1
	shift
	set_mode "$host" hardirq
	read -r before _ _ <<-END
		$(sections "$@")
	END
	set_mode "$host" adaptive
	read -r longest most n <<-END
		$(sections "$@")
	END
	[ "$n" -ge 100 ] || fail "$what: only $n sections were seen"
	one=$(($(counter "$host" ns_per_request) / 1000 + 1))
	# The two trace events are in what is measured.
	[ "$longest" -le $((limit_us + one + 5)) ] || fail "$what: a section took $longest us, with a limit of $limit_us and $one for a request"
	[ "$most" -le $((percent * 100)) ] || fail "$what: $most us in 10 ms, the limit is $percent %"
	ok "$what: longest section $longest us (hardirq: $before), most in 10 ms $most us, $n sections"
}

load_board
load_driver
gating_off
host=$(first_host)
wait_for 20 disk_of "$host" 1 >/dev/null || fail "no logical unit 1 after 20 s"
disk=$(disk_of "$host" 1)
wire=$(wire_of "$host")
limit_us=$(cat "$(attr "$host" irq_fastpath/max_time_us)")
percent=$(cat "$(attr "$host" irq_fastpath/max_cpu_percent)")

check "4 KiB, one at a time" load 1 4k 2000
check "4 KiB, 4 outstanding" load 4 4k 4000
check "4 KiB, 32 outstanding" load 32 4k 8000
check "128 KiB, 32 outstanding" load 32 128k 2000
check "4 to 512 KiB, 8 outstanding" load 8 4k 2000 --bsrange=4k-512k
check "8 jobs of 4 KiB" load 1 4k 1000 --numjobs=8
echo 10 >"$(attr "$host" irq_fastpath/max_time_us)"
echo 5 >"$(attr "$host" irq_fastpath/max_cpu_percent)"
limit_us=10 percent=5
check "4 KiB, one at a time, narrow limits" load 1 4k 4000
[ "$(counter "$host" deferred_share)" -ge 1 ] || fail "narrow limits left nothing to the thread"
