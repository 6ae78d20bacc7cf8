# SPDX-License-Identifier: GPL-2.0
# With clocks gated after 1 ms, and a trickle of 4 KiB reads and writes: nothing
# times out, and nobody touches the controller while its clock is off. Nor when the
# host is suspended or unbound with its clock off.
# 12 s a mode, 4 s in a brief run; 5 minutes with `make test-long`.
# vm: rt=on cpus=2 hosts=1 timeout=900 long_timeout=2400 trace=ufs_mmio_read trace=ufs_mmio_write
# vm: check=tests/board/clock_trace.py
# vm: forbid="uic cmd .* timeout|ufshcd_abort|timing out command|ufshcd_err_handler|I/O error"
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board

seconds=$(in_form 4 12 300)

gated() { [ "$(cat "$(attr "$name" clkgate_enable)") $(sed -n 's/.* clock core \(o[nf]*\) .*/\1/p' "$BOARD/$name/events" | tail -n 1)" = "1 off" ]; }

# gates: the clock goes off when the host is idle. The core does not try again by itself
# where it finds the last request not ended yet after the delay, here 1 ms.
gates() {
	tries=0
	until wait_for 2 gated; do
		tries=$((tries + 1))
		[ "$tries" -lt 5 ] || return 1
		read_disk "$disk" 1
	done
}

load_board
load_driver
name=$(first_host)
disk=$(disk_of "$name")
echo 1 >"$BOARD/$name/clock_markers"
dd if=/dev/urandom of=/tmp/out bs=4k count=1 2>/dev/null

for mode in $(modes); do
	set_mode "$name" "$mode"
	echo 1 >"$(attr "$name" clkgate_delay_ms)"
	echo >"$BOARD/$name/events"
	requests=0
	end=$(uptime_after "$seconds")
	while [ "$(seconds_up)" -lt "$end" ]; do
		dd if=/tmp/out of="$disk" bs=4k seek=$((requests % 100)) oflag=direct conv=notrunc 2>/dev/null
		# Right at the edge, before it and after it.
		usleep $((requests % 10 * 500))
		dd if="$disk" of=/tmp/in bs=4k skip=$((requests % 100)) count=1 iflag=direct 2>/dev/null
		cmp /tmp/out /tmp/in || fail "$mode: other data was read"
		usleep $((requests % 7 * 1000))
		requests=$((requests + 2))
	done
	times=$(($(grep -c "clock core off" "$BOARD/$name/events") + $(sed -n 's/^lost //p' "$BOARD/$name/events" | grep . || echo 0) / 4))
	[ "$times" -ge $((seconds * 2)) ] || fail "$mode: gated only $times times"
	ok "$mode: $requests requests in $seconds s, gated about $times times"
done

gates || fail "the clock is on when idle"
echo 0 >/sys/class/rtc/rtc0/wakealarm
echo +3 >/sys/class/rtc/rtc0/wakealarm
echo freeze >/sys/power/state || fail "cannot suspend"
read_disk "$disk" 10 || fail "cannot read after the suspend"
gates || fail "the clock is on when idle after the suspend"
echo "$name" >"$DRIVER/unbind"
echo "$name" >"$DRIVER/bind"
wait_for 20 disk_of "$name" >/dev/null || fail "no disk after it was bound again"
gates || fail "the clock is on when idle after it was bound again"
rmmod ufs_unisoc
ok "suspended and unbound with the clock off"
