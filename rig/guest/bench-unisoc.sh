# SPDX-License-Identifier: GPL-2.0
# The module, with all its modes in turn in one boot.
. /job/lib.sh
. /job/settings

load_board
load_driver
gating_off
host=$(first_host)
wait_for 20 disk_of "$host" 1 >/dev/null || fail "$host: no logical unit 1 after 20 s"
disk=$(disk_of "$host" 1)
modes=$(modes_of "$host" | tr -d '[]')
round=1
while [ "$round" -le "$ROUNDS" ]; do
	for mode in $modes; do
		# Not every mode can be had with every command line (threadirqs).
		set_mode "$host" "$mode" 2>/dev/null || continue
		read_cost "$mode.$round" "$disk" "$READS"
	done
	ok "round $round of $ROUNDS: $modes"
	round=$((round + 1))
done
