# SPDX-License-Identifier: GPL-2.0
# Resume while the interrupt's thread cannot run: commands of the link and the
# requests that wake the device complete without it, in each mode.
# vm: cpus=2 timeout=300 forbid="uic cmd .* timeout|ufshcd_abort|timing out command|PM: .*failed"
. /job/lib.sh

# No thread of an interrupt runs on CPU 0 as long as that has.
hog=/sys/kernel/debug/ufs_board/hog

load_board
load_driver
for host in $(hosts); do
	echo 1 >"/proc/irq/$(wire_of "$host")/smp_affinity"
done
# What this starts, and what wakes up, has the other CPU.
taskset -p 2 $$ >/dev/null
host=$(first_host)
disk=$(disk_of "$host")
# The thread is most needed in threaded mode.
for mode in $(in_form threaded "$(modes)"); do
	set_mode "$host" "$mode"
	set_mode "$(second_host)" "$mode"
	read_disk "$disk" 20
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +3 >/sys/class/rtc/rtc0/wakealarm
	echo 0 8000 resume >$hog
	echo freeze >/sys/power/state || fail "$mode: cannot suspend"
	left=$(cat $hog)
	[ "$left" -gt 0 ] || fail "$mode: not before the thread could run again"
	wait_for 20 grep -qx 0 $hog
	read_disk "$disk" 20 || fail "$mode: cannot read after it"
	ok "$mode: resumed without a thread, which had $left ms to wait still"
done
