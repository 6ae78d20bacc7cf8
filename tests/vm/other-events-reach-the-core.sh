# SPDX-License-Identifier: GPL-2.0
# Query requests, UIC commands and errors are served in each mode: by the core,
# through the virtual interrupt, where they are not plain completions.
# vm: short=on rt=on cpus=2 timeout=180 forbid="uic cmd .* timeout|completion timeout|ufshcd_abort"
. /job/lib.sh

recovered() { [ "$(cat "$debug/saved_err")" = 0 ] && [ "$(interrupts ufshcd)" -gt "$core" ]; }

load_board
load_driver
host=$(first_host)
disk=$(disk_of "$host")
debug=/sys/kernel/debug/ufshcd/$host
for mode in $(modes); do
	set_mode "$host" "$mode"

	n=0
	while [ "$n" -lt 20 ]; do
		[ -n "$(cat "$(attr "$host" device_descriptor/number_of_luns)")" ] || fail "$mode: empty descriptor"
		n=$((n + 1))
	done
	ok "$mode: 20 query requests"

	# What the core's own error injection makes it do: reset the host and bring
	# the link up again, by UIC commands.
	core=$(interrupts ufshcd)
	log_mark
	echo 0x10000 >"$debug/saved_err"
	wait_for 20 recovered || fail "$mode: the host was not reset, or without interrupts to the core"
	log_since | grep -q ufshcd_err_handler || fail "$mode: the core's error handler did not run"
	read_disk "$disk" 100
	ok "$mode: reset after an error, $(($(interrupts ufshcd) - core)) interrupts forwarded"
done
