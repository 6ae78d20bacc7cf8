# SPDX-License-Identifier: GPL-2.0
# What `make soak` runs in the guest.
. /job/lib.sh
. /job/settings

show() { report "show $*"; }

# pick N: a number below that into $picked; all of them follow from the seed.
state=$SEED
pick() {
	state=$(((state * 1103515245 + 12345) & 0x7fffffff))
	picked=$(((state >> 8) % $1))
}

# one_of WORD...: one of them, into $picked.
one_of() {
	pick $#
	shift "$picked"
	picked=$1
}

# Verified I/O that leaves the host time to sleep, until stop_and_wait.
nap_and_verify() (
	out=$(mktemp)
	while [ ! -e "$STOP" ]; do
		fio --name=nap --filename="$1" --rw=randwrite --bsrange=4k-64k --blockalign=4k --iodepth=2 \
			--ioengine=libaio --direct=1 --offset=64m --size=1m --verify=crc32c --verify_fatal=1 \
			--thinktime=150ms --thinktime_blocks=8 >"$out" 2>&1 || {
			cat "$out"
			echo "fio --verify on $1 failed; see the log" >>"$FAILED"
		}
		echo "$1" >>/tmp/rounds
	done
)

start_load() {
	for disk in $(disk_of "$one") $(disk_of "$two"); do
		verify_until_stop "$disk" --bsrange=4k-128k --blockalign=4k --iodepth=16 &
		verify_until_stop "$disk" --iodepth=1 --offset=32m &
		nap_and_verify "$disk" &
	done
}

suspend_system() {
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +2 >/sys/class/rtc/rtc0/wakealarm
	# What is being reset cannot be suspended; the kernel says so and goes on.
	echo freeze >/sys/power/state 2>/dev/null || refused_suspends=$((refused_suspends + 1))
}

allow_runtime_suspend() {
	for device in /sys/bus/platform/devices/*.ufs/host*/target*/*:*/power; do
		echo "$1" >"$device/control"
		echo "$2" >"$device/autosuspend_delay_ms" 2>/dev/null || :
	done
}

# disturb: something, somewhere.
disturb() {
	one_of "$one" "$two"
	host=$picked
	pick 20
	# shellcheck disable=SC2086 # words
	case $picked in
	0 | 1 | 2 | 3 | 4) one_of $all_modes; act "mode $host $picked" set_mode "$host" "$picked" ;;
	5) one_of $all_modes; act "parameter $picked" write_param "$picked" ;;
	6) pick 1048577; act "max_bytes $host $picked" limit "$host" max_bytes "$picked" ;;
	7) pick 1000; act "max_time_us $host $((picked + 1))" limit "$host" max_time_us $((picked + 1)) ;;
	8) pick 100; act "max_cpu_percent $host $((picked + 1))" limit "$host" max_cpu_percent $((picked + 1)) ;;
	9) act "host reset $host" sg_reset -H "$(disk_of "$host")" ;;
	10) act "device reset $host" sg_reset -d "$(disk_of "$host")" ;;
	11) act "error $host" fatal "$host" ;;
	12) act "suspend" suspend_system ;;
	13) one_of 0 20 100; act "runtime suspend after $picked ms" allow_runtime_suspend auto "$picked" ;;
	14) act "no runtime suspend" allow_runtime_suspend on 2000 ;;
	15 | 16) one_of 1 2 3; act "affinity $host $picked" affinity "$host" "$picked" ;;
	17) one_of 0 1; act "clkgate_enable $host $picked" gate "$host" clkgate_enable "$picked" ;;
	18) pick 50; act "clkgate_delay_ms $host $picked" gate "$host" clkgate_delay_ms "$picked" ;;
	19) one_of 0 1; act "CPU 1 $picked" cpu1 "$picked" ;;
	esac
}

limit()       { echo "$3" >"$(attr "$1" irq_fastpath/"$2")"; }
gate()        { [ ! -e "$(attr "$1" "$2")" ] || echo "$3" >"$(attr "$1" "$2")"; }
affinity()    { [ "$2" != 2 ] || [ "$(cat $CPU1)" = 1 ] || return 0; echo "$2" >"/proc/irq/$(wire_of "$1")/smp_affinity"; }
fatal()       { echo 0x10000 >"/sys/kernel/debug/ufshcd/$1/saved_err"; }
write_param() { echo "$1" >"$PARAM"; }
cpu1()        { echo "$1" >$CPU1; }
CPU1=/sys/devices/system/cpu/cpu1/online

# act NAME COMMAND...: the log has it, whatever comes of it.
act() {
	name=$1
	shift
	echo "soak: $actions $name" >/dev/kmsg
	actions=$((actions + 1))
	"$@" >/tmp/act 2>&1 || { cat /tmp/act; fail "action $((actions - 1)), $name: failed"; }
}

# sum_up HOST: the counters are consistent: each interrupt was something.
sum_up() {
	awk -v host="$1" '
		{ n[$1] = $2 }
		END {
			sum = n["inline_runs"] + n["deferred_bytes"] + n["deferred_time"] + n["deferred_share"] \
				+ n["deferred_busy"] + n["deferred_mode"] + n["forwarded"] + n["spurious"]
			# Read one after the other while they go on.
			if (sum > n["interrupts"] + 1000) print host ": more was done than there were interrupts: " sum " of " n["interrupts"]
			if (n["thread_looks"] < n["thread_runs"] - 1000) print host ": the thread ran more often than it looked"
		}' "$(debug_of "$1")/stats" >/tmp/sums
	[ ! -s /tmp/sums ] || fail "$(cat /tmp/sums)"
}

# progress HOST: requests so far.
progress() { awk '{ print $1 + $5 }' "/sys/block/$(basename "$(disk_of "$1")")/stat"; }

# check: once a minute.
check() {
	[ ! -e "$FAILED" ] || fail "in the background: $(head -n 1 "$FAILED")"
	for host in $one $two; do
		now=$(progress "$host")
		before=$(cat "/tmp/progress.$host")
		[ "$now" -gt "$before" ] || fail "$host: no request was completed in the last minute"
		echo "$now" >"/tmp/progress.$host"
		sum_up "$host"
	done
	show "minute $minute of $((SOAK_SECONDS / 60)): $actions actions, $(verified) rounds verified," \
		"$one $(cat "/tmp/progress.$one") and $two $(cat "/tmp/progress.$two") requests," \
		"$refused_suspends suspends refused"
}

load_board
load_driver
one=$(first_host)
two=$(second_host)
all_modes=$(modes)
actions=0 minute=0 refused_suspends=0
for host in $one $two; do echo 0 >"/tmp/progress.$host"; done
touch /tmp/rounds
start_load
end=$(uptime_after "$SOAK_SECONDS")
next=$(uptime_after 60)
while [ "$(seconds_up)" -lt "$end" ]; do
	disturb
	pick 2000
	usleep $((picked * 1000))
	if [ "$(seconds_up)" -ge "$next" ]; then
		minute=$((minute + 1))
		check
		next=$((next + 60))
	fi
done
cpu1 1
stop_and_wait
for host in $one $two; do
	read_disk "$(disk_of "$host")" 100 || fail "$host: cannot be read afterwards"
	sum_up "$host"
done
[ "$(verified)" -ge 2 ] || fail "only $(verified) rounds were verified"
ok "$actions disturbances, $(verified) rounds verified"
