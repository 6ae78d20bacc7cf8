# SPDX-License-Identifier: GPL-2.0
# Allocations that are made while a host is bound fail, one in each try: the bind is
# refused and the log says why, or the host works without; nothing is kept, the other
# host does I/O all the while, and the next bind works. In the long form each of them
# fails once.
# vm: debug=on short_debug=on cpus=2 timeout=300 long_timeout=2400 allow="kobject_add_internal failed for .*error: -12"
. /job/lib.sh
. /job/faults.sh

# snapshot: what a leak would show in.
snapshot() {
	ls /sys/kernel/irq
	cat /proc/iomem
	ls /sys/class/scsi_host /sys/kernel/debug/ufshcd /sys/kernel/debug/ufs_unisoc 2>/dev/null
	# The other host gates its clocks as it likes.
	for what in clk/clk_summary regulator/regulator_summary; do
		awk -v "mine=^$host-" '$1 ~ mine { print $1, $2, $3, $4 }' "/sys/kernel/debug/$what"
	done
}

unbind() { echo "$host" >"$DRIVER/unbind"; }

# checked ERROR: after a bind with a failed allocation.
checked() {
	if [ ! -e "$DRIVER/$host" ]; then
		[ "$1" != ok ] || fail "allocation $n: bind said it went well, but nothing is bound"
		refusals=$((refusals + 1))
		dmesg -c | grep -q "$host" || fail "allocation $n: bind failed with $1 and the log says nothing"
		snapshot >/tmp/after
		cmp -s /tmp/before /tmp/after || { diff /tmp/before /tmp/after || :; fail "allocation $n: not everything was given back"; }
	else
		survivals=$((survivals + 1))
		[ "$1" = ok ] || fail "allocation $n: bind said $1, but the host is bound"
		wait_for 60 disk_of "$host" >/dev/null || lost=$((lost + 1))
		unbind
	fi
	dmesg -c >/dev/null
}

load_board
load_driver
host=$(first_host)
other=$(second_host)
set_mode "$other" threaded
read_until_stop "$(disk_of "$other")" &
unbind
snapshot >/tmp/before
refusals=0 survivals=0 lost=0
faults_in_driver
# The core of 7.3 does not look whether it has got the work queue for its clock gating,
# and falls over it a moment later.
not_below alloc_workqueue_noprof
dmesg -c >/dev/null
each_failure checked "$(in_form 6 40 all)" write "$DRIVER/bind" "$host"
note "$allocations allocations, $rounds failed: $refusals binds refused, $survivals not, $lost of these without a disk"
[ "$refusals" -ge "$(in_form 1 5)" ] || fail "only $refusals binds failed"
stop_and_wait
ok "$refusals binds that failed, each with a reason in the log and everything given back"

# The last of these was without a failure.
echo "$host" >"$DRIVER/bind" || fail "cannot be bound any more"
wait_for 60 disk_of "$host" >/dev/null || fail "no disk"
for mode in $(modes); do
	set_mode "$host" "$mode"
	read_disk "$(disk_of "$host")" 50
	read_disk "$(disk_of "$other")" 50
done
ok "both hosts work"
rmmod ufs_unisoc
no_leaks
ok "no memory is lost"
