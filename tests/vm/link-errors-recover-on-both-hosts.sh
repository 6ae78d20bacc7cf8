# SPDX-License-Identifier: GPL-2.0
# Errors of link and controller on both hosts at once, under verified I/O, in each
# mode, with a switch of the mode in the middle: both recover, no byte is wrong, no
# request is left behind. Errors that need no reset get none.
# vm: append="log_buf_len=16M" cpus=2 rt=on timeout=600
. /job/lib.sh

# Error registers: physical adapter, data link, network, transport, DME.
PA=0x38 DL=0x3c NL=0x40 TL=0x44 DME=0x48
UIC_ERROR=0x4

idle() { [ "$(tr -d ' 0' <"/sys/block/${1##*/}/inflight")" = "" ]; }
other_mode() { case $1 in hardirq) echo adaptive ;; threaded) echo hardirq ;; *) echo threaded ;; esac; }

# raise STATUS: on both hosts.
raise() {
	for h in $(hosts); do echo "$1" >"$lies/$h/raise"; done
}

resets()  { log_since | grep -c "$1: .*saved_err" || :; }
# A reset forgets the error.
recovered() { for h in $(hosts); do [ "$(cat "/sys/kernel/debug/ufshcd/$h/saved_err")" = 0 ] || return 1; done; }

# link_error REGISTER VALUE: the link reports it, on both hosts.
link_error() {
	for h in $(hosts); do echo "$1 $2" >"$lies/$h/forge"; done
	raise $UIC_ERROR
	usleep 20000
	for h in $(hosts); do
		echo "$1 0" >"$lies/$h/forge"
		read_disk "$(disk_of "$h")" 5 || fail "$mode: $h: cannot read after $1 = $2"
	done
}

quiet_console
load_board lies=1
load_driver
lies=/sys/kernel/debug/ufs_board
rounds=$(in_form 1 2)
for mode in $(modes); do
	for h in $(hosts); do
		set_mode "$h" "$mode"
		verify_until_stop "$(disk_of "$h")" --iodepth=4 &
	done
	log_mark
	link_error $PA 0x80000003		# lanes; for the statistics only
	link_error $DME 0x80000001
	link_error $NL 0x80000001
	link_error $TL 0x80000001
	round=0
	while [ "$round" -lt "$rounds" ]; do
		link_error $DL 0x80002000	# PA_INIT: the link is lost
		wait_for 30 recovered || fail "$mode: no recovery from a lost link"
		[ "$round" != 0 ] || for h in $(hosts); do set_mode "$h" "$(other_mode "$mode")" 2>/dev/null || :; done
		raise 0x10000			# host controller fatal
		wait_for 30 recovered || fail "$mode: no recovery from a fatal error"
		raise 0x800			# device fatal
		wait_for 30 recovered || fail "$mode: no recovery from a device's fatal error"
		round=$((round + 1))
	done
	stop_and_wait
	for h in $(hosts); do
		disk=$(disk_of "$h")
		wait_for 20 idle "$disk" || fail "$mode: $h: requests are left: $(cat "/sys/block/${disk##*/}/inflight")"
		read_disk "$disk" 100 || fail "$mode: $h: cannot read afterwards"
		[ "$(resets "$h")" -ge $((rounds * 3)) ] || fail "$mode: $h: only $(resets "$h") errors were noticed"
	done
	ok "$mode: $(resets "$(first_host)") and $(resets "$(second_host)") errors noticed, verified $(verified) times so far"
done
