# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What KUnit says of its suites. Source it behind lib.sh.

# suites_passed: all of the driver's have run and passed, with every test in them.
suites_passed() {
	for results in /sys/kernel/debug/kunit/ufs_unisoc_*/results; do
		[ -e "$results" ] || fail "no suite of ours in /sys/kernel/debug/kunit"
		suite=${results%/results}
		suite=${suite##*/}
		# The last line is the suite's: "ok N suite".
		bad=$(sed -n 's/^ *\(not ok .*\)/\1/p' "$results" | head -n 1)
		[ -z "$bad" ] || { cat "$results"; fail "$suite: $bad"; }
		! grep -q "# SKIP" "$results" || { cat "$results"; fail "$suite: a test was skipped"; }
		count=$(grep -c '^ \{4\}ok ' "$results") || :
		[ "$count" -ge 1 ] || { cat "$results"; fail "$suite: no test has run"; }
		[ "$(grep -c "^ok [0-9]* $suite\$" "$results")" = 1 ] || { cat "$results"; fail "$suite: has not ended"; }
		ok "$suite: $count tests"
	done
	set -- /sys/kernel/debug/kunit/ufs_unisoc_*
	same "suites" 10 $#
}
