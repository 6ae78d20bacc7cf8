# SPDX-License-Identifier: GPL-2.0
# The KUnit tests of the abstractions in rust/ (rust/kunit): the gate, words, debugfs
# files, parameters, sysfs files, register maps, resets, queues. They run when the
# module that has them is loaded; all must have run and passed.
# vm: debug=on short_debug=on cpus=2 hosts=0 timeout=60
. /job/lib.sh

RESULTS=/sys/kernel/debug/kunit

load_core
# Loading waits for the tests, which look after their time themselves.
echo 0 >/proc/sys/kernel/hung_task_timeout_secs
insmod /job/ufs_unisoc_kunit.ko
for results in "$RESULTS"/ufs_unisoc_*/results; do
	[ -e "$results" ] || fail "no suite of ours in $RESULTS"
	suite=${results%/results}
	suite=${suite##*/}
	# The last line is the suite's: "ok 1 suite".
	bad=$(sed -n 's/^ *\(not ok .*\)/\1/p' "$results" | head -n 1)
	[ -z "$bad" ] || { cat "$results"; fail "$suite: $bad"; }
	! grep -q "# SKIP" "$results" || { cat "$results"; fail "$suite: a test was skipped"; }
	count=$(grep -c '^ \{4\}ok ' "$results") || :
	[ "$count" -ge 1 ] || { cat "$results"; fail "$suite: no test has run"; }
	same "$suite: what it says about itself" "ok 1 $suite" "$(grep '^ok ' "$results")"
	ok "$suite: $count tests"
done

set -- "$RESULTS"/ufs_unisoc_*
same "suites" 10 $#

# Whatever they have made is gone: no interrupt, device or file is left.
rmmod ufs_unisoc
for left in /sys/bus/platform/*/*kunit* /sys/kernel/debug/ufs_unisoc*; do
	[ ! -e "$left" ] || fail "the tests have left $left"
done
! grep -q kunit /proc/interrupts || fail "the tests have left an interrupt"
ok "the module goes, with all that the tests have made"
