# SPDX-License-Identifier: GPL-2.0
# Runtime suspend between I/O, in every mode: the link goes to hibern8, the clocks
# off, nothing is reset, and all data is right after.
# 20 suspends a mode, 8 in a brief run; 100 with `make test-long`.
# vm: rt=on cpus=2 timeout=900 long_timeout=2400 forbid="uic cmd .* timeout|ufshcd_abort|timing out command|ufshcd_err_handler|I/O error"
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board

wanted=$(in_form 8 20 100)

# suspends HOST: how often it was since the trace was emptied.
suspends() { grep -c "ufshcd_runtime_suspend: $1: .*HIBERN8.* err 0" "$TRACING/trace" || :; }
# in_order: no suspend has failed or left the link in another state, and nothing was reset.
in_order() {
	for name in $one $two; do
		! grep "ufshcd_runtime_suspend: $name: " "$TRACING/trace" | grep -v "HIBERN8.* err 0" ||
			fail "$mode: $name: a suspend failed or left the link in another state"
		! grep reset "$BOARD/$name/events" || fail "$mode: $name was reset"
	done
}

enough() {
	in_order
	# A suspend that meets a request is not tried again before something asks for it.
	allow_suspend
	[ "$(suspends "$one")" -ge "$wanted" ] && [ "$(suspends "$two")" -ge "$wanted" ]
}

# allow_suspend: of all units of both hosts, shortly after their last request.
allow_suspend() {
	for device in /sys/bus/platform/devices/*.ufs/host*/target*/*:*/power; do
		echo auto >"$device/control"
		echo 20 >"$device/autosuspend_delay_ms" || :
	done
}

# trickle HOST, in the background: write something, let the host go to sleep, read
# it back.
trickle() {
	disk=$(disk_of "$1")
	at=0
	while [ ! -e "$STOP" ]; do
		dd if=/dev/urandom of="/tmp/out.$1" bs=4k count=2 2>/dev/null
		dd if="/tmp/out.$1" of="$disk" bs=4k seek="$at" oflag=direct conv=notrunc 2>/dev/null ||
			echo "$1: a write failed" >>"$FAILED"
		usleep $((at % 7 * 20000))
		dd if="$disk" of="/tmp/in.$1" bs=4k skip="$at" count=2 iflag=direct 2>/dev/null ||
			echo "$1: a read failed" >>"$FAILED"
		cmp "/tmp/out.$1" "/tmp/in.$1" || echo "$1: other data was read" >>"$FAILED"
		usleep $((at % 5 * 30000))
		at=$(((at + 1) % 1000))
	done
}

load_board
load_driver
one=$(first_host)
two=$(second_host)
allow_suspend
echo 1 >"$TRACING/events/ufs/ufshcd_runtime_suspend/enable"
for name in $one $two; do
	echo >"$BOARD/$name/events"
done

for mode in $(modes); do
	set_mode "$one" "$mode"
	set_mode "$two" "$mode"
	echo >"$TRACING/trace"
	trickle "$one" &
	trickle "$two" &
	wait_for 600 enough || fail "$mode: only $(suspends "$one") and $(suspends "$two") suspends"
	stop_and_wait
	in_order
	same "$mode: mode of $one" "$mode" "$(mode_of "$one")"
	ok "$mode: $(suspends "$one") and $(suspends "$two") suspends, data verified after each"
done
