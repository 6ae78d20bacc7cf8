# SPDX-License-Identifier: GPL-2.0
# A probe that fails, at each step it can fail at, gives back its interrupts and
# registers, leaves the other host alone, and a second try works.
# vm: rt=on cpus=2 timeout=300
. /job/lib.sh

# resources: what a leak would show in.
resources() {
	ls /sys/kernel/irq
	cat /proc/iomem
	ls /sys/class/scsi_host /sys/kernel/debug/ufshcd 2>/dev/null
}

# check STEP WHAT_THE_LOG_SAYS BOARD_PARAMETER...
check() {
	step=$1 says=$2
	shift 2
	load_board "$@"
	resources >/tmp/before
	log_mark
	insmod /job/ufs_unisoc.ko
	same "$step: bound hosts" 22100000.ufs "$(hosts)"
	log_since | grep -q "$says" || fail "$step: the log does not say '$says'"
	wait_for 20 disk_of 22100000.ufs >/dev/null || fail "$step: the other host has no disk"
	read_disk "$(disk_of 22100000.ufs)" 20 || fail "$step: the other host cannot read"
	# Once more, now that everything else is there.
	! echo 22000000.ufs 2>/dev/null >"$DRIVER/bind" || fail "$step: a second probe succeeded"
	rmmod ufs_unisoc
	resources >/tmp/after
	cmp /tmp/before /tmp/after || { diff /tmp/before /tmp/after || :; fail "$step: not everything was given back"; }
	rmmod ufs_board
	ok "$step"
}

check "no registers" "reg" drop=0:reg
check "too few registers" "bytes long" set=0:reg=0x22000000:0x10
check "no interrupt" "ufs_unisoc" drop=0:interrupts
check "bad frequency table" "freq-table-hz" cut=0:freq-table-hz
check "too many lanes" "lanes-per-direction" set=0:lanes-per-direction=3
check "ufshcd_init fails for a clock" "could not bring up the host" cut=0:clocks
check "ufshcd_init fails at link startup" "could not bring up the host" set=0:lanes-per-direction=2
load_board
load_driver
same "hosts with a good board" 2 "$(hosts | wc -l)"
read_disk "$(disk_of 22000000.ufs)" 20 || fail "cannot read after all that"
ok "with all in order both hosts work"
