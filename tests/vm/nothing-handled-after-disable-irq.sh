# SPDX-License-Identifier: GPL-2.0
# When disable_irq() on the core's interrupt has returned, no handler of the
# wire runs or begins, hard or threaded, until it is enabled again: the core
# stops clocks then. The board's probes must also see each cheat.
# vm: short=on short_debug=on rt=on cpus=2 timeout=300 forbid="ufshcd_abort|ufshcd_err_handler"
. /job/lib.sh

# run CYCLES: disable and enable that often under I/O.
run() {
	read_until_stop "$(disk_of "$host")" &
	read_until_stop "$(disk_of "$host")" &
	echo 0 "$1" >"$board/gate_run" || fail "the run failed"
	stop_and_wait
	cat "$board/gate_report"
}
report_of() { sed -n "s/^$1 //p" "$board/gate_report"; }
at_least() { [ "$(report_of "$1")" -ge "$2" ] || fail "$mode: $1 is $(report_of "$1"), less than $2: this proves nothing"; }

load_board
load_driver
# The line is disabled for longer than a UIC command may take when the machine is busy.
gating_off
host=$(first_host)
board=/sys/kernel/debug/ufs_board/$host
echo 50 >"$board/gate_stretch_us"
cycles=$(in_form 250 1000)
for mode in $(modes); do
	set_mode "$host" "$mode"
	run "$cycles"
	[ "$(report_of violations)" = 0 ] || fail "$mode: $(report_of violations) violations: $(report_of first)"
	same "$mode: result" 0 "$(report_of result)"
	same "$mode: calls that were missed" 0 "$(report_of missed)"
	at_least calls $((cycles / 5))
	at_least pending $((cycles / 100 + 1))
	ok "$mode: $cycles times disabled, $(report_of calls) calls, $(report_of pending) times something was pending"
done
for cheat in wire poll early; do
	echo "$cheat" >"$board/gate_cheat"
	run 200
	[ "$(report_of violations)" -gt 0 ] || fail "the cheat '$cheat' was not noticed"
	ok "the cheat '$cheat' is noticed: $(report_of violations) violations"
done
