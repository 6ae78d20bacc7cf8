# SPDX-License-Identifier: GPL-2.0
# The check of the M-PHY's DCO: with the newer tuning, while the core's command to
# start the link is under way or has ended, but not before it, and only where the
# calibration came to nothing, the DCO is set by hand. Nothing of it is left when
# the host goes, however soon.
# vm: rt=on cpus=2 timeout=900
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board
one=22000000.ufs
two=22100000.ufs

# preset_dco RESULT: what the calibration register reads, and what is in the way of
# bits that should stay.
preset_dco() {
	for name in $one $two; do
		cat >"$BOARD/$name/preset" <<-END
			phy 0xc03c 0xdeadbeef
			phy 0xc004 0
			phy 0xc0f8 $1
			phy 0xc108 0x04a80000
		END
	done
}

# reg HOST OFFSET: a register of the M-PHY.
reg() { awk -v "at=$2" '$1 == "phy" && $2 == at { print $3; found = 1 } END { if (!found) print 0 }' "$BOARD/$1/regs"; }

# manual HOST: whether the DCO is set by hand: the value, and its enable.
manual() { echo "$(reg "$1" 0xc03c) $((($(reg "$1" 0xc004) >> 16) & 1))"; }

said() { log_since | grep -c "$1: DCO calibration is $2" || :; }

# the_driver_with TUNING RESULT
the_driver_with() {
	preset_dco "$2"
	log_mark
	load_driver "phy_tuning=$1"
}

# threads: the rescuers of queues for observing link start-ups, one for each host. Other
# workers are called after the queue they have last worked for, and stay.
threads() { cat /proc/[0-9]*/comm 2>/dev/null | grep -c "R-ufs_link" || :; }

load_board

for low in 0x00000000 0x09ffffff; do
	the_driver_with v2 "$low"
	for name in $one $two; do
		same "$low, $name: DCO" "0xdeadbe2c 1" "$(manual $name)"
		[ "$(said $name "0x0[09], least good is 0x0a: set by hand; now 0x0[09], details 0x12a")" -ge 1 ] ||
			fail "$low, $name: the log does not say that the DCO was set by hand"
	done
	same "$low: threads" 2 "$(threads)"
	rmmod ufs_unisoc
done
ok "is set by hand if the result is low"

for good in 0x0a000000 0xff000000; do
	the_driver_with v2 "$good"
	for name in $one $two; do
		same "$good, $name: DCO" "0xdeadbeef 0" "$(manual $name)"
		[ "$(said $name "0x[0f][af]: good")" -ge 1 ] || fail "$good, $name: nothing in the log"
	done
	rmmod ufs_unisoc
done
ok "is left alone if the result is good"

the_driver_with v1 0
for name in $one $two; do
	same "v1, $name: DCO" "0xdeadbeef 0" "$(manual $name)"
	same "v1, $name: lines in the log" 0 "$(said $name "")"
done
same "v1: threads" 0 "$(threads)"
rmmod ufs_unisoc
ok "is not looked at with the older tuning"

# Each read of the result comes more than 1000 us after a command to start the link,
# and before the next command of the core.
echo 1 >"$TRACING/events/ufs/ufshcd_uic_command/enable"
echo 1 >"$TRACING/events/regmap/regmap_reg_read/enable"
echo mono >"$TRACING/trace_clock"
echo >"$TRACING/trace"
the_driver_with v2 0x0a000000
cp "$TRACING/trace" /tmp/trace
echo 0 >"$TRACING/events/enable"
awk -v "host=$one" '
	{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/) {
				split($i, t, /[.:]/)
				now = t[1] * 1000000 + t[2]
				break
			}
	}
	/ ufshcd_uic_command: send_req/ && index($0, host) {
		# DME_LINK_STARTUP, whatever the other bits say.
		if ($0 ~ /cmd: 0x16,/) { sent = now; wanted++ }
		else if (sent) { print "another command before the check"; sent = 0 }
	}
	/ regmap_reg_read: .*f030000.* reg=c0f8 / {
		if (!sent) print "a check without a command"
		else print now - sent
		sent = 0
	}
	END { print "commands", wanted + 0 }' /tmp/trace >/tmp/checks
commands=$(awk '$1 == "commands" { print $2 }' /tmp/checks)
checks=$(grep -c '^[0-9]*$' /tmp/checks || :)
[ "$commands" -ge 1 ] || { grep -m 20 uic_command /tmp/trace; fail "no command was traced"; }
same "checks of as many commands" "$commands" "$checks"
! grep '[a-z]' /tmp/checks | grep -v '^commands' || fail "checks are not beside the command, see the log"
awk '/^[0-9]+$/ && $1 <= 1000 { exit 1 }' /tmp/checks || fail "a check after $(sort -n /tmp/checks | head -n 1) us"
note "checks after $(grep '^[0-9]' /tmp/checks | tr '\n' ' ')us"
ok "comes after each command to start the link, and before the next command"

# The link is started again after a suspend; the PHY was reset.
preset_dco 0x05000000
echo 0 >/sys/class/rtc/rtc0/wakealarm
echo +2 >/sys/class/rtc/rtc0/wakealarm
echo freeze >/sys/power/state || fail "cannot suspend"
for name in $one $two; do
	read_disk "$(disk_of $name)" 10 || fail "$name: cannot read after the suspend"
	same "resume, $name: DCO" "0xdeadbe2c 1" "$(manual $name)"
done
ok "is set by hand after a suspend as well"

rounds=$(in_form 5 20)
round=0
while [ "$round" -lt "$rounds" ]; do
	for name in $one $two; do
		echo $name >"$DRIVER/unbind"
		echo $name >"$DRIVER/bind"
	done
	round=$((round + 1))
done
for name in $one $two; do
	wait_for 20 disk_of $name >/dev/null || fail "$name: no disk"
	read_disk "$(disk_of $name)" 10 || fail "$name: cannot read"
done
rmmod ufs_unisoc
same "threads without the driver" 0 "$(threads)"
ok "$round times unbound right after it was bound"

# The core finds the number of lanes wrong right after the command.
rmmod ufs_board
load_board set=0:lanes-per-direction=2/1:lanes-per-direction=2
preset_dco 0x05000000
log_mark
insmod /job/ufs_unisoc.ko phy_tuning=v2
round=0
while [ "$round" -lt 10 ]; do
	same "bound hosts" "" "$(hosts)"
	for name in $one $two; do
		! echo $name 2>/dev/null >"$DRIVER/bind" || fail "$name: was bound"
	done
	round=$((round + 1))
done
same "threads after probes that failed" 0 "$(threads)"
for name in $one $two; do
	same "failed probe, $name: DCO" "0xdeadbe2c 1" "$(manual $name)"
	[ "$(said $name 0x05)" -ge 10 ] || fail "$name: only $(said $name 0x05) checks"
done
rmmod ufs_unisoc
ok "leaves nothing behind where link start-up fails"
