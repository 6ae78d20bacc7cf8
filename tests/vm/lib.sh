# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Shared by the scripts of this directory. Runs in the guest, in busybox sh.

set -eu

REPORT=/dev/ttyAMA1
DRIVER=/sys/bus/platform/drivers/ufs_unisoc
PARAM=/sys/module/ufs_unisoc/parameters/irq_mode

# ok, fail and note tell the runner; the console gets a copy for the context.
report() { echo "$*" >"$REPORT"; echo "test: $*"; }
ok()     { report "ok $*"; }
note()   { report "note $*"; }
fail()   { report "fail $*"; trap - EXIT; exit 1; }

# With set -e any command may end the script; nothing should end it silently.
ended() { [ "$1" = 0 ] || report "fail a command ended with exit code $1; see the end of the log"; }
trap 'ended $?' EXIT

# send NAME FILE: hand a text file to the runner.
send() { { echo "data $1"; cat "$2"; echo "end $1"; } >"$REPORT"; }

# same WHAT EXPECTED GOT
same() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
	end=$(($(cut -d. -f1 /proc/uptime) + $1))
	shift
	until "$@"; do
		[ "$(cut -d. -f1 /proc/uptime)" -le "$end" ] || return 1
		usleep 50000
	done
}

# What lies under the module under test, and the board's regulators.
load_core() { modprobe -a ufshcd-core ufshcd-pltfrm sd_mod fixed; }

# load_stock: the kernel's own PCI driver on the same controllers.
load_stock() {
	load_core
	modprobe ufshcd-pci
	wait_for 20 test -e /dev/sdb || fail "stock driver: no second disk after 20 s"
}

# load_board [PARAMETER...]: the controllers become platform devices.
load_board() { load_core; insmod /job/ufs_board.ko "$@"; }

# load_driver [PARAMETER...]: the module under test, and wait for the disks.
load_driver() {
	insmod /job/ufs_unisoc.ko "$@"
	for host in $(hosts); do
		wait_for 20 disk_of "$host" >/dev/null || fail "$host: no disk after 20 s"
	done
}

# board_devices: the names of the board's UFS devices, bound or not.
board_devices() { for d in /sys/bus/platform/devices/*.ufs; do basename "$d"; done; }

# hosts: the names of the devices that the driver is bound to.
hosts() { for d in "$DRIVER"/*.ufs; do [ ! -e "$d" ] || basename "$d"; done; }
first_host()  { hosts | sed -n 1p; }
second_host() { hosts | sed -n 2p; }

# disk_of HOST [LUN]: the block device of a logical unit, such as /dev/sda.
disk_of() {
	for block in /sys/bus/platform/devices/"$1"/host*/target*/*:0:0:"${2:-0}"/block/sd*; do
		[ -e "$block" ] || return 1
		[ -e "/dev/${block##*/}" ] || return 1
		echo "/dev/${block##*/}"
		return 0
	done
}

attr()       { echo "/sys/bus/platform/devices/$1/$2"; }
modes_of()   { cat "$(attr "$1" irq_mode)"; }
mode_of()    { modes_of "$1" | sed -n 's/.*\[\(.*\)\].*/\1/p'; }
set_mode()   { echo "$2" >"$(attr "$1" irq_mode)"; }
context_of() { cat "$(attr "$1" irq_context)"; }

# read_disk DISK COUNT: that many single 4 KiB reads that reach the device.
read_disk() { dd if="$1" of=/dev/null bs=4k count="$2" iflag=direct 2>/dev/null; }

# interrupts NAME: how often the lines with that name at the end have fired.
interrupts() {
	awk -v name="$1" '$NF == name || $0 ~ name "$" {
		for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i
	} END { print sum + 0 }' /proc/interrupts
}

# refused COMMAND...: succeeds if the command fails; its message is in $MESSAGE.
refused() { ! MESSAGE=$("$@" 2>&1); }

# mark DISK: a request to its host that shows in QEMU's trace and nowhere else.
mark() {
	cat "$(readlink -f "/sys/block/${1##*/}/device")"/../../../health_descriptor/eol_info >/dev/null
}

# read_cost NAME DISK READS: what 4 KiB random reads cost the CPU; the runner
# gets the numbers as NAME.
read_cost() {
	# An idle moment, in which the host's scheduler sees that nothing starves
	# behind the guest's CPU (Machine.prefer_cpus) and does not interfere soon.
	sleep 0.2
	mark "$2"
	readcost "$2" "$3" >/tmp/readcost || fail "readcost $2 $3 failed; see the log"
	mark "$2"
	send "$1" /tmp/readcost
}
