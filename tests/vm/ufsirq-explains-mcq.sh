# SPDX-License-Identifier: GPL-2.0
# A host with completion queues (MCQ) has no mode to set, and ufsirq says so. The
# board's second host gets none, and its mode is set all the same.
# vm: cpus=2 mcq=1
. /job/lib.sh

load_board
load_driver
one=$(first_host)
two=$(second_host)
same "modes of $one" "[core]" "$(modes_of "$one")"
ufsirq list "$one" >/tmp/said
grep -q "irq_mode  *core (completion queues, MCQ" /tmp/said || fail "list: $(cat /tmp/said)"
for mode in hardirq threaded core; do
	log_mark
	! ufsirq mode all "$mode" >/tmp/said 2>&1 || fail "$mode was taken: $(cat /tmp/said)"
	cat /tmp/said
	grep -q "^ufsirq: $one: uses completion queues (MCQ)" /tmp/said || fail "$one was not explained"
	same "lines of the driver in the log" 0 "$(log_since | grep -c irq_mode || true)"
	[ "$mode" = core ] || same "mode of $two" "$mode" "$(mode_of "$two")"
done
same "modes of $one" "[core]" "$(modes_of "$one")"
ok "says that the UFS core completes transfers, and sets the other host's mode"
