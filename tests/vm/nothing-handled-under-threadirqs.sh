# SPDX-License-Identifier: GPL-2.0
# Where interrupts are force-threaded too: when disable_irq() on the core's
# interrupt has returned, no handler of the wire runs or begins until it is
# enabled again.
# vm: cpus=2 timeout=300 append="threadirqs" forbid="ufshcd_abort|ufshcd_err_handler"
. /job/lib.sh

report_of() { sed -n "s/^$1 //p" "$board/gate_report"; }

load_board
load_driver
# The line is disabled for longer than a UIC command may take when the machine is busy.
gating_off
host=$(first_host)
board=/sys/kernel/debug/ufs_board/$host
echo 50 >"$board/gate_stretch_us"
read_until_stop "$(disk_of "$host")" &
read_until_stop "$(disk_of "$host")" &
echo 0 1000 >"$board/gate_run" || fail "the run failed"
stop_and_wait
cat "$board/gate_report"
[ "$(report_of violations)" = 0 ] || fail "$(report_of violations) violations: $(report_of first)"
same "result" 0 "$(report_of result)"
same "calls that were missed" 0 "$(report_of missed)"
[ "$(report_of calls)" -ge 200 ] || fail "only $(report_of calls) calls: this proves nothing"
[ "$(report_of pending)" -ge 50 ] || fail "only $(report_of pending) times something was pending: this proves nothing"
ok "1000 times disabled, $(report_of calls) calls, $(report_of pending) times something was pending"
