# SPDX-License-Identifier: GPL-2.0
# After bring-up every register of the system controllers and the M-PHY is as it
# should be, and no bit of another purpose was touched: for both device tree
# forms, both chip revisions and both tunings, from memory of zeroes and of ones.
# A suspend in which the blocks lose what they held ends the same. A brief run has one
# pair of revisions.
# vm: rt=on cpus=2 timeout=900
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board

# The steps in their order, written down from the chip's documents and not from
# the driver's tables: WHEN BLOCK OFFSET MASK VALUE. WHEN: "all"; "v1" or "v2" with
# that tuning; "ab" on chips of version 1; "clean" or "phone" with that form;
# "phone-v2" with both; "v2-zero" with that tuning where the calibration of the DCO
# reads zero.
steps() {
	cat <<-END
		all ap_ahb 0x3124 0x40 0x40
		all aon_apb 0x0004 0x1800 0x1800
		all ap_ahb 0x3104 0x37000000 0x37000000
		all ap_ahb 0x3104 0x08000000 0
		all ap_apb 0x0000 0x10 0
		phone ap_apb 0x000c 0x1 0x1
		clean ap_apb 0x000c 0x3 0x3
		all phy 0x0068 0x8 0x8
		all phy 0xc01c 0x01000000 0x01000000
		all phy 0xc81c 0x01000000 0x01000000
		all phy 0xc050 0x30 0x30
		all phy 0xc050 0xc00 0xc00
		all phy 0xc0c4 0x00ffffff 0x000c0c0c
		all phy 0xc8c4 0x00ffffff 0x000c0c0c
		all phy 0xc0cc 0x00ffffff 0x000d0d0d
		all phy 0xc8cc 0x00ffffff 0x000d0d0d
		all phy 0xc08c 0x8000 0x8000
		all phy 0xc88c 0x8000 0x8000
		all phy 0xc088 0x20000 0x20000
		all phy 0xc888 0x20000 0x20000
		v1 phy 0xc120 0xff00 0x4b00
		v1 phy 0xc920 0xff00 0x4b00
		v1 phy 0xc0f0 0xffff0000 0x00800000
		v1 phy 0xc8f0 0xffff0000 0x00800000
		v2 phy 0xc000 0x40000 0x40000
		v2 phy 0xc800 0x40000 0x40000
		v2 phy 0xc000 0x8000 0x8000
		v2 phy 0xc004 0x1 0x1
		v2 phy 0xc004 0x8 0x8
		v2 phy 0xc000 0x0ff00000 0x0b000000
		v2 phy 0xc800 0x8000 0x8000
		v2 phy 0xc804 0x1 0x1
		v2 phy 0xc804 0x8 0x8
		v2 phy 0xc800 0x0ff00000 0x0b000000
		v2 phy 0xc120 0xffff 0x4a4a
		v2 phy 0xc118 0xff00 0x4a00
		v2 phy 0xc920 0xffff 0x4a4a
		v2 phy 0xc918 0xff00 0x4a00
		v2 phy 0xc0e0 0xffffffff 0x07d00320
		v2 phy 0xc0e4 0xffffffff 0x03200320
		v2 phy 0xc0e8 0xffffffff 0x07d00320
		v2 phy 0xc0ec 0xffffffff 0x03200320
		v2 phy 0xc0f0 0xffffffff 0x07d00320
		v2 phy 0xc0f4 0xffffffff 0x03200320
		v2 phy 0xc8e0 0xffffffff 0x07d00320
		v2 phy 0xc8e4 0xffffffff 0x03200320
		v2 phy 0xc8e8 0xffffffff 0x07d00320
		v2 phy 0xc8ec 0xffffffff 0x03200320
		v2 phy 0xc8f0 0xffffffff 0x07d00320
		v2 phy 0xc8f4 0xffffffff 0x03200320
		all ap_ahb 0x311c 0x6 0
		all ap_ahb 0x311c 0x1 0x1
		all ap_apb 0x0004 0x01000000 0
		all ap_ahb 0x3108 0x1 0x1
		all ap_ahb 0x3124 0x1 0x1
		all phy 0x0040 0x100 0x100
		all phy 0x00f0 0x40000 0x40000
		all phy 0xc038 0x01000000 0
		ab phy 0xc048 0x00ff0000 0x00d80000
		ab phy 0xc04c 0x2000 0x2000
		v2 phy 0xc080 0x20 0x20
		v2 phy 0xc080 0x200000 0x200000
		v2 phy 0xc004 0x10000000 0x10000000
		v2 phy 0xc044 0x20000 0x20000
		v2 phy 0xc880 0x20 0x20
		v2 phy 0xc880 0x200000 0x200000
		v2 phy 0xc804 0x10000000 0x10000000
		v2 phy 0xc844 0x20000 0x20000
		v2-zero phy 0xc03c 0xff 0x2c
		v2-zero phy 0xc004 0x10000 0x10000
		phone-v2 ap_ahb 0x001c 0x800 0x800
		v2 phy 0x00f0 0x2 0x2
		v2 phy 0x005c 0x1 0
	END
}

form_of() { if [ "$1" = 22000000.ufs ]; then echo clean; else echo phone; fi; }

# expected FORM VERSION TUNING FILL: what "regs" should show. The steps of a register
# in their order make its value.
expected() {
	{ echo "all aon_apb 0x00f8 0xffffffff $2"; steps; } |
		awk -v "form=$1" -v "version=$2" -v "tuning=$3" -v "fill=$4" '
			function hex(v) { return sprintf("0x%04x%04x", int(v / 65536), v % 65536) }
			$1 == "all" || $1 == form || $1 == tuning || $1 == form "-" tuning ||
			($1 == "ab" && version == 1) || ($1 == tuning "-zero" && fill == "0x00000000") {
				if (!(($2, $3) in now))
					now[$2, $3] = fill
				now[$2, $3] = or(and(now[$2, $3], xor($4, 0xffffffff)), $5)
			}
			END {
				for (reg in now) {
					split(reg, at, SUBSEP)
					if (hex(now[reg]) != fill)
						print at[1], at[2], hex(now[reg])
				}
			}' | sort
}

# preset HOST VERSION: all of its blocks as $fill says.
preset() {
	for block in aon_apb ap_apb ap_ahb phy; do
		echo "$block * $fill"
	done >"$BOARD/$1/preset"
	echo "aon_apb 0xf8 $2" >"$BOARD/$1/preset"
}

# check HOST WHAT VERSION TUNING
check() {
	# With its clocks on, as right after bring-up: I/O switches them on, and they stay.
	[ "$(cat "$(attr "$1" clkgate_enable)")" = 0 ] || echo 0 >"$(attr "$1" clkgate_enable)"
	read_disk "$(disk_of "$1")" 1 || fail "$2, $1: cannot read"
	expected "$(form_of "$1")" "$3" "$4" "$fill" >/tmp/expected
	sort "$BOARD/$1/regs" >/tmp/found
	cmp -s /tmp/expected /tmp/found && return
	diff /tmp/expected /tmp/found || :
	fail "$2, $1, version $3, tuning $4, from $fill: $(diff /tmp/expected /tmp/found | grep -c '^[-+][a-z]') lines differ, see the log"
}

to_sleep() {
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +2 >/sys/class/rtc/rtc0/wakealarm
	echo freeze >/sys/power/state || fail "cannot suspend"
}

in_form "1 0" "1 0,0 1,2 2" | tr , "\n" >/tmp/versions
while read -r versions <&3; do
	read -r zero one <<-END
		$versions
	END
	load_board "version=0:$zero/1:$one"
	for tuning in v1 v2; do
		for fill in 0x00000000 0xffffffff; do
			preset 22000000.ufs "$zero"
			preset 22100000.ufs "$one"
			load_driver "phy_tuning=$tuning"
			check 22000000.ufs "bring-up" "$zero" "$tuning"
			check 22100000.ufs "bring-up" "$one" "$tuning"
			# The other way round, so that a register that is left out shows.
			fill=$((0xffffffff - fill))
			fill=$(printf '0x%08x' "$fill")
			preset 22000000.ufs "$zero"
			preset 22100000.ufs "$one"
			to_sleep
			check 22000000.ufs "resume" "$zero" "$tuning"
			check 22100000.ufs "resume" "$one" "$tuning"
			rmmod ufs_unisoc
		done
		ok "versions $zero and $one, tuning $tuning: $(wc -l </tmp/expected) registers"
	done
	rmmod ufs_board
done 3</tmp/versions
