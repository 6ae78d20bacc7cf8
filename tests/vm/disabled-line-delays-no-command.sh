# SPDX-License-Identifier: GPL-2.0
# Commands to the link end in time while the core's interrupt is disabled again and again,
# with interrupts in threads and the clocks gated after 1 ms: the interrupt comes as soon
# as the line is enabled. On the guest's own clock and a slow CPU, so that the machine
# below can take no time away: where it does, for half a second, commands do time out.
# vm: slow=on cpus=2 icount=on icount_shift=6 warp=on timeout=900 append="threadirqs"
# vm: forbid="completion timeout|hibern8 .* failed|ufshcd_abort|ufshcd_err_handler"
. /job/lib.sh

report_of() { sed -n "s/^$1 //p" "$board/gate_report"; }
commands()  { grep -c "ufshcd_uic_command: send_req.*cmd: 0x1[78]," "$TRACING/trace" || :; }

load_board
load_driver
host=$(first_host)
board=/sys/kernel/debug/ufs_board/$host
echo 50 >"$board/gate_stretch_us"
echo 1 >"$(attr "$host" clkgate_delay_ms)"
echo 1 >"$TRACING/events/ufs/ufshcd_uic_command/enable"
read_until_stop "$(disk_of "$host")" &
echo 0 3000 >"$board/gate_run" || fail "the run failed"
stop_and_wait
same "result" 0 "$(report_of result)"
[ "$(report_of violations)" = 0 ] || fail "$(report_of violations) violations: $(report_of first)"
[ "$(report_of pending)" -ge 100 ] || fail "only $(report_of pending) times something was pending: this proves nothing"
[ "$(commands)" -ge 50 ] || fail "only $(commands) times in or out of hibern8: this proves nothing"
# A command may take 500 ms.
[ "$(report_of longest_off_us)" -le 100000 ] || fail "the line was off for $(report_of longest_off_us) us"
ok "3000 times disabled, at most $(report_of longest_off_us) us, $(commands) commands to enter or leave hibern8"
