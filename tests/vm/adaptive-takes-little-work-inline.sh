# SPDX-License-Identifier: GPL-2.0
# In adaptive mode single small requests complete in hard IRQ, large ones and bursts
# in the thread; each limit is heeded from the next interrupt on. By the core's own
# tracepoint, and the counters agree.
# vm: short=on cpus=2
. /job/lib.sh

# contexts DD_OPTION...: where the requests of this dd completed.
contexts() {
	trace_on
	dd if="$disk" of=/dev/null iflag=direct "$@" 2>/dev/null
	completions "$host" | awk '{ print $1 }' | sort | uniq -c | awk '{ printf "%s%s %s", sep, $1, $2; sep = ", " }'
}
limit() { attr "$host" "irq_fastpath/$1"; }

load_board
load_driver
gating_off
host=$(first_host)
disk=$(disk_of "$host")
no_time_limits
same "irq_mode" "hardirq threaded [adaptive]" "$(modes_of "$host")"
same "mode_switches of a host that nobody switched" 0 "$(counter "$host" mode_switches)"
contexts bs=4k count=10 >/dev/null

counters_reset "$host"
same "4 KiB" "100 hardirq" "$(contexts bs=4k count=100)"
same "inline_requests" 100 "$(counter "$host" inline_requests)"
same "inline_runs" 100 "$(counter "$host" inline_runs)"
same "thread_runs" 0 "$(counter "$host" thread_runs)"
same "interrupts" 100 "$(counter "$host" interrupts)"
ok "100 of 100 reads of 4 KiB completed in hard IRQ"

counters_reset "$host"
same "512 KiB" "50 task" "$(contexts bs=512k count=50)"
same "deferred_bytes and deferred_busy" 50 $(($(counter "$host" deferred_bytes) + $(counter "$host" deferred_busy)))
same "thread_requests" 50 "$(counter "$host" thread_requests)"
same "inline_requests" 0 "$(counter "$host" inline_requests)"
ok "50 of 50 reads of 512 KiB completed in the thread"

most=$(cat "$(limit max_bytes)")
same "exactly the limit" "20 hardirq" "$(contexts bs="$most" count=20)"
same "more than the limit" "20 task" "$(contexts bs=$((most + 4096)) count=20)"
echo 4096 >"$(limit max_bytes)"
same "8 KiB with a limit of 4" "20 task" "$(contexts bs=8k count=20)"
same "4 KiB with a limit of 4" "20 hardirq" "$(contexts bs=4k count=20)"
echo 0 >"$(limit max_bytes)"
same "4 KiB with a limit of 0" "20 task" "$(contexts bs=4k count=20)"
echo 1048576 >"$(limit max_bytes)"
same "512 KiB with a limit of 1 MiB" "20 hardirq" "$(contexts bs=512k count=20)"
ok "max_bytes decides to the byte"

# With the wire held down meanwhile, so that eight have completed when the interrupt comes
# however busy the machine below is.
echo 1 >"$(limit max_time_us)"
counters_reset "$host"
echo "$(wire_of "$host") 100000 3000 300" >"/sys/kernel/debug/ufs_board/$host/gate_run" &
fio --name=eights --filename="$disk" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=8 \
	--iodepth_batch_submit=8 --iodepth_batch_complete_min=8 --number_ios=800 --size=64m >/tmp/fio || { cat /tmp/fio; fail "fio failed"; }
kill $!
wait
deferred=$(counter "$host" deferred_time)
[ "$deferred" -ge 50 ] || fail "a limit of 1 us left $deferred interrupts of 800 reads by eights to the thread"
counters_reset "$host"
same "single requests with a limit of 1 us" "100 hardirq" "$(contexts bs=4k count=100)"
echo 10000 >"$(limit max_time_us)"
echo 1 >"$(limit max_cpu_percent)"
counters_reset "$host"
contexts bs=4k count=2000 >/dev/null
[ "$(counter "$host" deferred_share)" -ge 1 ] || fail "a limit of 1 % of the CPU left nothing to the thread"
ok "max_time_us and max_cpu_percent decide too: $deferred by time, $(counter "$host" deferred_share) of 2000"

echo 100 >"$(limit max_cpu_percent)"
set_mode "$host" threaded
counters_reset "$host"
contexts bs=4k count=100 >/dev/null
same "deferred_mode and deferred_busy" 100 $(($(counter "$host" deferred_mode) + $(counter "$host" deferred_busy)))
same "thread_requests" 100 "$(counter "$host" thread_requests)"
set_mode "$host" hardirq
same "mode_switches" 1 "$(counter "$host" mode_switches)"
set_mode "$host" hardirq
same "mode_switches" 1 "$(counter "$host" mode_switches)"
ok "counters of the other modes"

same "its other files" "hardirq_us reset stats wakeup_us" "$(find "$(debug_of "$host")" -type f -exec basename {} \; | sort | tr '\n' ' ' | sed 's/ $//')"
same "sections in the histogram" "$(counter "$host" interrupts)" "$(awk '{ n += $3 } END { print n }' "$(debug_of "$host")/hardirq_us")"
[ "$(awk '{ n += $3 } END { print n }' "$(debug_of "$host")/wakeup_us")" -ge 1 ] || fail "no wakeup in the histogram"
same "limits of the other host" "32768 10000 100" "$(cd "$(attr "$(second_host)" irq_fastpath)" && cat max_bytes max_time_us max_cpu_percent | tr '\n' ' ' | sed 's/ $//')"
rmmod ufs_unisoc
[ ! -e /sys/kernel/debug/ufs_unisoc ] || fail "the directory in debugfs is still there"
ok "histograms, and nothing is left in debugfs"
