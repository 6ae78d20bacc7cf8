# SPDX-License-Identifier: GPL-2.0
# On a UFS core that handles its interrupts in a thread, as those of 6.16 to 7.1,
# transfers of the kernel's own driver complete in a thread, and ours where the mode
# says.
# vm: cpus=2 core=threaded
. /job/lib.sh

# contexts: where 50 reads completed.
contexts() {
	trace_on
	read_disk "$disk" 50
	completions "$host" | awk '{ print $1 }' | sort | uniq -c | awk '{ printf "%s%s %s", sep, $1, $2; sep = ", " }'
}

load_board
load_driver
gating_off
no_time_limits
host=$(first_host)
disk=$(disk_of "$host")
read_disk "$disk" 10
for expected in hardirq:hardirq threaded:task adaptive:hardirq; do
	set_mode "$host" "${expected%:*}"
	same "${expected%:*}" "50 ${expected#*:}" "$(contexts)"
done
ok "each mode completes where it should"
rmmod ufs_unisoc ufs_board

modprobe ufshcd-pci
wait_for 20 test -e /dev/sda || fail "stock driver: no disk after 20 s"
trace_on
read_disk /dev/sda 50
grep 'complete_rsp' $TRACING/trace | grep -c 'irq/[0-9]*-ufshcd' >/tmp/threads || true
[ "$(cat /tmp/threads)" -ge 50 ] || fail "only $(cat /tmp/threads) completions of the kernel's own driver were in the interrupt's thread"
ok "the kernel's own driver completes in the interrupt's thread"
