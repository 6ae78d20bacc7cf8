# SPDX-License-Identifier: GPL-2.0
# The steps of the bring-up come in the order they should, with the waits between
# them: every write through a system controller and every reset, for both device
# tree forms, both chip revisions and both tunings. (The phones' form maps the
# M-PHY; those writes cannot be seen, only what becomes of them.)
# vm: short=on rt=on cpus=2 timeout=300
. /job/lib.sh

BOARD=/sys/kernel/debug/ufs_board

# Written down from the chip's documents: WHEN BLOCK OFFSET VALUE, or WHEN reset LINE
# WHAT, and the microseconds until the next at least. Only what changes a register,
# or is written in any case, shows. WHEN as a list: clean, phone; v1, v2; id0, id1.
# Everything starts at zero but for what preset() below does.
steps() {
	cat <<-END
		- ap-ahb 3124 40 0
		- aon-apb 4 1800 0
		- ap-ahb 3104 3f000000 0
		- ap-ahb 3104 37000000 0
		id1 ap-ahb 3108 1 0
		phone ap-apb c 0 0
		- reset global assert 10
		- reset global deassert 0
		phone ap-apb c 1 0
		- ap-ahb 3124 40 0
		- ap-ahb 311c 6 100
		clean phy 68 0 1000
		clean phy 68 8 0
		clean phy c01c 1000000 0
		clean phy c81c 1000000 0
		clean phy c050 30 0
		clean phy c050 c30 0
		clean phy c0c4 c0c0c 0
		clean phy c8c4 c0c0c 0
		clean phy c0cc d0d0d 0
		clean phy c8cc d0d0d 0
		clean phy c08c 8000 0
		clean phy c88c 8000 0
		clean phy c088 20000 0
		clean phy c888 20000 0
		clean,v1 phy c120 4b00 0
		clean,v1 phy c920 4b00 0
		clean,v1 phy c0f0 800000 0
		clean,v1 phy c8f0 800000 0
		clean,v2 phy c000 40000 0
		clean,v2 phy c800 40000 0
		clean,v2 phy c000 48000 0
		clean,v2 phy c004 1 0
		clean,v2 phy c004 9 0
		clean,v2 phy c000 b048000 0
		clean,v2 phy c800 48000 0
		clean,v2 phy c804 1 0
		clean,v2 phy c804 9 0
		clean,v2 phy c800 b048000 0
		clean,v2 phy c120 4a4a 0
		clean,v2 phy c118 4a00 0
		clean,v2 phy c920 4a4a 0
		clean,v2 phy c918 4a00 0
		clean,v2 phy c0e0 7d00320 0
		clean,v2 phy c0e4 3200320 0
		clean,v2 phy c0e8 7d00320 0
		clean,v2 phy c0ec 3200320 0
		clean,v2 phy c0f0 7d00320 0
		clean,v2 phy c0f4 3200320 0
		clean,v2 phy c8e0 7d00320 0
		clean,v2 phy c8e4 3200320 0
		clean,v2 phy c8e8 7d00320 0
		clean,v2 phy c8ec 3200320 0
		clean,v2 phy c8f0 7d00320 0
		clean,v2 phy c8f4 3200320 0
		- ap-ahb 311c 0 0
		- ap-ahb 311c 1 0
		- reset controller assert 100
		- reset controller deassert 0
		id0 ap-ahb 3108 1 0
		- ap-ahb 3124 41 0
		clean phy 40 100 1
		clean phy f0 40000 1
		clean phy c038 0 1
		clean,id1 phy c048 d80000 0
		clean,id1 phy c04c 2000 0
		clean,v2 phy c080 20 0
		clean,v2 phy c080 200020 0
		clean,v2 phy c004 10000009 0
		clean,v2 phy c044 20000 0
		clean,v2 phy c880 20 0
		clean,v2 phy c880 200020 0
		clean,v2 phy c804 10000009 0
		clean,v2 phy c844 20000 0
		clean,v2 phy c03c 2c 0
		clean,v2 phy c004 10010009 0
		phone,v2 ap-ahb 1c 800 0
		clean,v2 phy f0 40002 0
		clean,v2 phy 5c 0 0
	END
}

# expected FORM VERSION TUNING: "STEP... WAIT" of those that apply.
expected() {
	steps | awk -v "have=$1,id$2,$3," '{
		n = split($1, when, ",")
		for (i = 1; i <= n; i++)
			if (when[i] != "-" && !index(have, when[i] ","))
				next
		print $2, $3, $4, $5
	}'
}

# The registers whose change would not show, had they begun at zero.
preset() {
	cat >"$BOARD/$1/preset" <<-END
		aon_apb * 0
		ap_apb * 0
		ap_ahb * 0
		phy * 0
		aon_apb 0xf8 $2
		ap_apb 0xc 0x1
		ap_ahb 0x3104 0x08000000
		phy 0x68 0x8
		phy 0xc038 0x01000000
		phy 0x5c 0x1
	END
}

# traced BLOCKS HOST: "MICROSECONDS STEP..." of the host of that number, whose blocks
# have those addresses.
traced() {
	awk -v "blocks=$1" -v "host=$2" '
		{
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[0-9]+\.[0-9]+:$/) {
					split($i, t, /[.:]/)
					now = t[1] * 1000000 + t[2]
					break
				}
		}
		/ regmap_reg_write: / {
			split($(i + 2), at, "@")
			sub(/^0x0*/, "", at[2])
			if (!index(blocks, at[2] ","))
				next
			sub(/reg=/, "", $(i + 3))
			sub(/val=/, "", $(i + 4))
			print now, at[1], $(i + 3), $(i + 4)
		}
		/ board_event: / && index($0, "host=" host " ") && match($0, /what="reset [a-z]*" how="[a-z]*"/) {
			what = substr($0, RSTART, RLENGTH)
			gsub(/what=|how=|"/, "", what)
			print now, what
		}' /tmp/trace
}

# compare WHAT: /tmp/expected and /tmp/traced; the order, and the waits.
compare() {
	cut -d ' ' -f 1-3 /tmp/expected >/tmp/steps
	cut -d ' ' -f 2-4 /tmp/traced >/tmp/found
	cmp -s /tmp/steps /tmp/found || {
		diff /tmp/steps /tmp/found || :
		fail "$1: other steps than expected, see the log"
	}
	late=$(paste -d " " /tmp/expected /tmp/traced | awk '
		NR > 1 && $5 - before < wait { print step ": " $5 - before " us, not " wait }
		{ before = $5; wait = $4; step = $1 " " $2 " " $3 }')
	[ -z "$late" ] || fail "$1: too short a wait: $late"
}

load_board
echo 'p:board_event ufs_board:board_soc_event host=+0(%x0):u32 what=+0(%x1):string how=+0(%x2):string' \
	>"$TRACING/kprobe_events"
echo 1 >"$TRACING/events/kprobes/board_event/enable"
echo 1 >"$TRACING/events/regmap/regmap_reg_write/enable"

for version in 1 0; do
	for tuning in v1 v2; do
		preset 22000000.ufs "$version"
		preset 22100000.ufs "$version"
		echo >"$TRACING/trace"
		load_driver "phy_tuning=$tuning"
		cp "$TRACING/trace" /tmp/trace
		rmmod ufs_unisoc

		traced f000000,f010000,f020000,f030000, 0 >/tmp/traced
		expected clean "$version" "$tuning" >/tmp/expected
		compare "clean form, version $version, tuning $tuning"
		count=$(wc -l </tmp/expected)
		traced f040000,f050000,f060000,f070000, 1 >/tmp/traced
		expected phone "$version" "$tuning" >/tmp/expected
		compare "phones' form, version $version, tuning $tuning"
		ok "version $version, tuning $tuning: $count steps, $(wc -l </tmp/expected) on phones"
	done
done
