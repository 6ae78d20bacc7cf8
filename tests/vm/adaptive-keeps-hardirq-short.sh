# SPDX-License-Identifier: GPL-2.0
# In adaptive mode no section of the hard handler is longer than the limit and one
# request's completion, and in no 10 ms do the sections together take more than
# their share: by the kernel's irq trace events, on a clock that counts the guest's
# own instructions, whatever the load. In hardirq mode the same load is longer.
# vm: cpus=2 append="maxcpus=1" icount=on one_core=on null_lun=on hosts=1 timeout=600
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board/22000000.ufs

# burst LOAD...: the same with the wire held down for some time again and again, so
# that all that is outstanding has completed when the interrupt comes.
burst() {
	echo "$wire 100000 3000 300" >"$BOARD/gate_run" &
	"$@"
	kill $!
	wait
}

# load DEPTH SIZE COUNT [FIO_OPTION...]
load() {
	depth=$1 size=$2 count=$3
	shift 3
	fio --name=load --filename="$disk" --rw=randread --bs="$size" --blockalign=4k --iodepth="$depth" \
		--ioengine=libaio --direct=1 --number_ios="$count" --size=64m --io_size=4g --norandommap "$@" >/tmp/fio ||
		{ cat /tmp/fio; fail "fio failed"; }
}

# sections LOAD...: with this load, the longest section of the handler, what all but a
# tenth of them stay within, the most time of sections that end within 10 ms, their
# number, and their mean length; all in us.
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
		spent = at - begin - extra
		n++
		when[n] = at
		took[n] = spent
		sum += spent
		all += spent
		while (when[first + 1] < at - 10000)
			sum -= took[++first]
		if (spent > longest) longest = spent
		if (sum > most) most = sum
	}
	END {
		for (i = 1; i <= n; i++)
			long[took[i] > 0 ? int(took[i]) : 0]++
		for (usual = longest; usual > 0 && (rest += long[int(usual)]) <= n / 10; )
			usual--
		printf "%d %d %d %d %.2f\n", longest, usual, most, n, n ? all / n : 0
	}' extra="${extra:-0}" "$TRACING/trace"
}

# what_tracing_takes: the events are in what they measure, and so is the kernel's way
# to the handler; the driver measures itself without them. In us for a section.
what_tracing_takes() {
	set_mode "$host" hardirq
	counters_reset "$host"
	read -r _ _ _ _ mean <<-END
		$(sections load 1 4k 1000)
	END
	awk -v mean="$mean" -v ns="$(counter "$host" hardirq_ns)" -v n="$(counter "$host" interrupts)" \
		'BEGIN { print mean - ns / n / 1000 }'
}

# check WHAT LOAD...: in adaptive mode, with the same in hardirq mode to compare.
check() {
	what=$1
	shift
	set_mode "$host" hardirq
	read -r before _ <<-END
		$(sections "$@")
	END
	set_mode "$host" adaptive
	read -r longest usual most n _ <<-END
		$(sections "$@")
	END
	[ "$n" -ge 100 ] || fail "$what: only $n sections were seen"
	one=$(($(counter "$host" ns_per_request) / 1000 + 1))
	# The clock of the trace has whole microseconds.
	[ "$longest" -le $((limit_us + one + 2)) ] ||
		fail "$what: a section took $longest us, with a limit of $limit_us and $one for a request"
	[ "$most" -le $((percent * 100)) ] || fail "$what: $most us in 10 ms, the limit is $percent %"
	ok "$what: longest section $longest us, nine of ten $usual us (hardirq: $before), most in 10 ms $most us, $n sections"
}

load_board
load_driver
gating_off
host=$(first_host)
disk=$(null_disk "$host")
all_tags "$disk"
wire=$(wire_of "$host")
limit_us=$(cat "$(attr "$host" irq_fastpath/max_time_us)")
percent=$(cat "$(attr "$host" irq_fastpath/max_cpu_percent)")

extra=$(what_tracing_takes)
note "tracing takes $extra us for a section"
check "4 KiB, one at a time" load 1 4k 1000
check "4 KiB, 32 outstanding" burst load 32 4k "$(in_form 4000 6000)"
# One that is cheap enough may take up to the limit, a good part of a burst on a fast
# machine: what holds at every run is that nearly all are far shorter.
[ $((usual * 4)) -le "$before" ] || fail "bursts of 4 KiB: nine of ten sections take up to $usual us, hardirq's up to $before: no gain"
if [ "$(in_form some all)" = all ]; then
	check "4 KiB, 4 outstanding" load 4 4k 2000
	check "128 KiB, 32 outstanding" burst load 32 128k 4000
	check "4 to 512 KiB, 8 outstanding" burst load 8 4k 1500 --bsrange=4k-512k
	check "8 jobs of 4 KiB" load 1 4k 500 --numjobs=8
fi

# So far the limit of bytes comes first. Without it, time alone decides.
echo 1048576 >"$(attr "$host" irq_fastpath/max_bytes)"
limit_us=10
echo $limit_us >"$(attr "$host" irq_fastpath/max_time_us)"
check "4 KiB, 32 outstanding, by time alone" burst load 32 4k "$(in_form 4000 8000)"
[ "$before" -ge 20 ] || fail "hardirq's longest section takes $before us: this proves nothing"

# The other way round: with a narrow limit, work goes to the thread instead.
echo 1 >"$(attr "$host" irq_fastpath/max_cpu_percent)"
counters_reset "$host"
load 1 4k 4000
[ "$(counter "$host" deferred_share)" -ge 100 ] || fail "a share of 1 % left $(counter "$host" deferred_share) of 4000 to the thread"
ok "a share of 1 %: $(counter "$host" inline_runs) inline, $(counter "$host" deferred_share) deferred"
