# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Failed allocations, for the tests that need the debug kernel: which ones fail, and a
# loop over all of them. After lib.sh.

# symbol NAME: its address, as a number.
symbol() { awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms; }

# after NAME: where the function that follows it begins.
after() { sort /proc/kallsyms | awk -v name="$1" 'found && $1 != at { print "0x" $1; exit } $3 == name { found = 1; at = $1 }'; }

# faults FILE VALUE: for both kinds of allocations, of objects and of pages.
faults() { for kind in failslab fail_page_alloc; do echo "$2" >"/sys/kernel/debug/$kind/$1"; done; }

# faults_anywhere: each allocation counts, but for those of the leak detector, which has
# one for each of the others, and entries in /proc: the interrupt core goes on without,
# and warns when it removes what it has not made.
faults_anywhere() {
	faults verbose 0
	faults ignore-gfp-wait N
	echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
	for cache in /sys/kernel/slab/*/; do
		case $cache in
		*/kmemleak* | */proc_dir_entry*) ;;
		*) echo 1 >"${cache}failslab" 2>/dev/null || : ;;
		esac
	done
	echo Y >/sys/kernel/debug/failslab/cache-filter
}

# faults_in_driver: those that are made in or below a function of the module.
faults_in_driver() {
	faults_anywhere
	start=$(awk '$1 == "ufs_unisoc" { print $6 }' /proc/modules)
	size=$(awk '$1 == "ufs_unisoc" { print $2 }' /proc/modules)
	faults require-start "$start"
	faults require-end "$(printf '0x%x' $((start + size)))"
}

# not_below FUNCTION: those that are made in or below it do not count.
not_below() {
	[ -n "$(symbol "$1")" ] || fail "this kernel has no function $1"
	faults reject-start "$(symbol "$1")"
	faults reject-end "$(after "$1")"
}

# each_failure CHECK ROUNDS ARGUMENT...: does what failnth does with the arguments, first
# with the first allocation failing, then with the second, until there is none to fail,
# which is the last round. After each round, CHECK ERROR ("ok" if there was none), with
# $n. If there are more than ROUNDS allocations ("all": no limit), only every so many
# of them fails. Sets $allocations, and $rounds.
each_failure() {
	check=$1 most=$2
	shift 2
	# A first try in which none fails.
	result=$(failnth 1000000 "$@") || fail "failnth $*: cannot do that"
	allocations=$((1000000 - ${result#* }))
	n="none of $allocations"
	"$check" "${result% *}"
	step=1
	[ "$most" = all ] || step=$((allocations / most + 1))
	n=1 rounds=0
	while :; do
		result=$(failnth "$n" "$@") || fail "failnth $n $*: cannot do that"
		"$check" "${result% *}"
		[ "${result#* }" = 0 ] || break
		n=$((n + step)) rounds=$((rounds + 1))
	done
}

# no_leaks: no memory was lost.
no_leaks() {
	# What was freed a moment ago may still be on a stack.
	for _ in 1 2 3; do
		echo scan >/sys/kernel/debug/kmemleak
		sleep 1
	done
	leaks=$(cat /sys/kernel/debug/kmemleak)
	[ -z "$leaks" ] || { echo "$leaks"; fail "memory was lost: $(echo "$leaks" | grep -c '^unreferenced') objects; see the log"; }
}
