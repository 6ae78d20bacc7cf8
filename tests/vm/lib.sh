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
fail()   { report "fail $*"; trap - EXIT; replay; replay_end; exit 1; }

# With set -e any command may end the script; nothing should end it silently.
ended() { replay; [ "$1" = 0 ] || { replay_end; report "fail a command ended with exit code $1; see the end of the log"; }; }
trap 'ended $?' EXIT

# quiet_console [EXPRESSION]: for tests that make the kernel talk more than a serial
# line can take. Lines that are no news there are left out (by default what hosts and
# disks say), the rest follows when the test ends: the runner must see it. Where it
# is really much, the machine needs append="log_buf_len=16M".
QUIET=
quiet_console() { QUIET=${1:- (ufs_unisoc|sd) [0-9]|host_regs: |(I/O|critical .*) error, dev sd}; dmesg -n 1; }
replay()        { [ -z "$QUIET" ] || dmesg | grep -vE "$QUIET" >/dev/console || :; }
# All of the last lines, to find out why.
replay_end()    { [ -z "$QUIET" ] || dmesg | grep -v "host_regs: " | tail -n 150 >/dev/console; }

# in_form BRIEF WHOLE [LONG]: how much of something in this run's form. `make test` makes
# less of it, to have time for all tests; one by name and `make test-all` the whole;
# `make test-long` a lot.
in_form() {
	case " $(cat /proc/cmdline) " in
	*" brief "*) echo "$1" ;;
	*" long "*) echo "${3:-$2}" ;;
	*) echo "$2" ;;
	esac
}

# send NAME FILE: hand a text file to the runner.
send() { { echo "data $1"; cat "$2"; echo "end $1"; } >"$REPORT"; }

# same WHAT EXPECTED GOT
same() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# seconds_up: the guest's clock, without starting a program.
seconds_up()   { read -r up _ </proc/uptime; echo "${up%.*}"; }
uptime_after() { echo $(($(seconds_up) + $1)); }

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
	until_time=$(uptime_after "$1")
	shift
	until "$@"; do
		[ "$(seconds_up)" -le "$until_time" ] || return 1
		usleep 50000
	done
}

# Background work that goes on until stop_and_wait, which fails if any did. A
# function that works in the background loops while [ ! -e "$STOP" ].
STOP=/tmp/stop
FAILED=/tmp/failed
stop_and_wait() {
	touch "$STOP"
	wait
	rm "$STOP"
	[ ! -e "$FAILED" ] || fail "in the background: $(head -n 1 "$FAILED")"
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

# null_disk HOST: the block device of its unit that takes no time (null_lun), when
# it is there.
null_disk() {
	wait_for 20 disk_of "$1" 1 >/dev/null || fail "$1: no logical unit 1 after 20 s"
	disk_of "$1" 1
}

attr()       { echo "/sys/bus/platform/devices/$1/$2"; }
modes_of()   { cat "$(attr "$1" irq_mode)"; }
mode_of()    { modes_of "$1" | sed -n 's/.*\[\(.*\)\].*/\1/p'; }
set_mode()   { echo "$2" >"$(attr "$1" irq_mode)"; }
# modes: those that can be had, which is one where interrupts are force-threaded.
modes() {
	case $(modes_of "$(first_host)") in
	"[core]") ;;
	*"[threaded]"*) if set_mode "$(first_host)" hardirq 2>/dev/null; then echo hardirq threaded adaptive; else echo threaded; fi ;;
	*) echo hardirq threaded adaptive ;;
	esac
}
context_of() { cat "$(attr "$1" irq_context)"; }

# debug_of HOST: the driver's files for it in debugfs. counter HOST NAME: what it
# has counted, and counters_reset HOST: from zero.
debug_of()       { echo "/sys/kernel/debug/ufs_unisoc/$1"; }
counter()        { awk -v name="$2" '$1 == name { print $2; n++ } END { exit n != 1 }' "$(debug_of "$1")/stats"; }
counters_reset() { echo 1 >"$(debug_of "$1")/reset"; }

# no_time_limits: adaptive decides by size alone. Where the guest's time is that of
# the machine below it, everything may take any time.
no_time_limits() {
	for h in $(hosts); do
		echo 10000 >"$(attr "$h" irq_fastpath/max_time_us)"
		echo 100 >"$(attr "$h" irq_fastpath/max_cpu_percent)"
	done
}

# read_disk DISK COUNT: that many single 4 KiB reads that reach the device.
read_disk() { dd if="$1" of=/dev/null bs=4k count="$2" iflag=direct 2>/dev/null; }

# read_until_stop DISK, in the background.
read_until_stop() {
	while [ ! -e "$STOP" ]; do
		read_disk "$1" 100 || echo "reading $1 failed" >>"$FAILED"
	done
}

# verify_until_stop DISK [FIO_OPTION...], in the background: write, read back
# and compare checksums. Each round in which all was right adds a line to /tmp/rounds.
verify_until_stop() (
	disk=$1
	out=$(mktemp)
	shift
	while [ ! -e "$STOP" ]; do
		if fio --name=verify --filename="$disk" --rw=randwrite --bs=4k --iodepth=8 --ioengine=libaio \
			--direct=1 --size=2m --verify=crc32c --verify_fatal=1 "$@" >"$out" 2>&1; then
			echo "$disk" >>/tmp/rounds
		else
			cat "$out"
			echo "fio --verify on $disk failed; see the log" >>"$FAILED"
		fi
	done
)
verified() { [ -e /tmp/rounds ] || fail "no round of I/O was verified"; wc -l </tmp/rounds; }

# interrupts NAME: how often the interrupts of that name have fired.
interrupts() {
	awk -v name="$1" '$NF == name {
		for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i
	} END { print sum + 0 }' /proc/interrupts
}

# root_is_on HOST: the root file system is on its disk.
root_is_on() {
	disk=$(disk_of "$1") || fail "$1: no disk"
	same "the device of the root file system" "$(cat "/sys/block/${disk##*/}/dev")" \
		"$(awk '$5 == "/" { device = $3 } END { print device }' /proc/self/mountinfo)"
}

# write_and_read_back: in the root file system.
write_and_read_back() {
	dd if=/dev/urandom of=/written bs=64k count=64 conv=fsync 2>/dev/null
	md5sum </written >/tmp/before
	echo 3 >/proc/sys/vm/drop_caches
	md5sum </written >/tmp/after
	cmp -s /tmp/before /tmp/after || fail "what was written to the root file system reads differently"
}

# wire_of HOST: the number of the interrupt from its controller.
wire_of() { cat "/sys/kernel/debug/ufs_board/$1/wire_irq"; }

# fired IRQ: how often the interrupt of that number has fired.
fired() {
	awk -v line="$1:" '$1 == line {
		for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i
	} END { print sum + 0 }' /proc/interrupts
}

# unhandled IRQ: how often it has fired for nothing.
unhandled() { sed -n 's/^unhandled //p' "/proc/irq/$1/spurious"; }

# trace_on, then completions HOST: a line for each completion that the UFS core
# traced on a host's unit 0, "CONTEXT TASK": hardirq, softirq or task.
TRACING=/sys/kernel/tracing
trace_on() {
	echo >$TRACING/trace
	echo 1 >$TRACING/events/ufs/ufshcd_command/enable
}
completions() {
	for unit in /sys/bus/platform/devices/"$1"/host*/target*/*:0:0:0; do :; done
	awk -v "what=complete_rsp: ${unit##*/}:" 'index($0, what) {
		sub(/-[0-9]+$/, "", $1)
		flag = substr($3, 3, 1)
		print (flag ~ /[hHzZ]/ ? "hardirq" : flag == "s" ? "softirq" : "task"), $1
	}' $TRACING/trace
}

# log_mark, then log_since: the kernel's messages in between.
log_mark()  { echo "rig-mark" >/dev/kmsg; }
log_since() { dmesg | awk '/rig-mark$/ { n = NR } { line[NR] = $0 } END { while (++n in line) print line[n] }'; }

# refused ERROR COMMAND...: the command must fail and say that error.
refused() {
	error=$1
	shift
	! message=$("$@" 2>&1) || fail "should have failed: $*"
	case $(echo "$message" | tr '[:upper:]' '[:lower:]') in
	*"$error"*) ;;
	*) fail "should have failed with '$error': $*: $message" ;;
	esac
}

# write_to FILE TEXT: in one piece, and without a newline behind it.
write_to() { printf '%s' "$2" >/tmp/text; dd if=/tmp/text of="$1" bs=64k 2>&1; }

# long_text LENGTH: that many letters.
long_text() { head -c "$1" /dev/zero | tr '\0' a; }

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

# all_tags DISK: wait until the disk can have all of its host's tags. The block layer
# shares them out evenly among the units that had a request lately, the well-known
# ones included: right after a boot a disk gets 6 of 31.
all_tags() {
	wait_for 60 grep -q 'active_queues=[01]$' "/sys/kernel/debug/block/${1##*/}/hctx0/tags" ||
		fail "$1: other units still have their share of the tags"
}

# gating_off: keep the clocks on, so that interrupts are those of requests alone
# and a host that is idle can be spoken to.
gating_off() {
	for h in $(hosts); do
		[ -e "$(attr "$h" clkgate_enable)" ] || continue
		echo 0 >"$(attr "$h" clkgate_enable)"
		# They come on with the next request, and stay.
		read_disk "$(disk_of "$h")" 1
	done
}
