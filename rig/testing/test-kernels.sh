#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-kernels.sh [--all | --debug-before MINUTES]: all tests on the default kernel, and
# those that tell another kernel from it ("# vm: short=on") on the other ones; a few
# ("# vm: short_debug=on") on the debug kernel if it is in the cache already, or if less
# than MINUTES have passed when it would have to be built. With --all, all tests on all
# kernels.
# The last line counts them together.

cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
passed=0 failed=0

# count WHAT COMMAND...: runs it, and adds up what its last line counts.
count() {
	local what=$1 counts
	shift
	echo "==> $what"
	"$@" 2>&1 | tee "$out" | grep --line-buffered -vE '^[0-9]+ passed, [0-9]+ failed$'
	counts=$(tail -n 1 "$out")
	if [[ $counts =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
	else
		failed=$((failed + 1))
		echo "FAIL          $what: did not end"
	fi
}

# on SERIES FLAVOUR [ARGUMENT...]: the tests on this kernel.
on() {
	local series=$1 flavour=$2
	shift 2
	count "Tests on the $series kernel, flavour $flavour${1:+: $*}" \
		env KERNEL_SERIES="$series" KERNEL_FLAVOUR="$flavour" rig/testing/test.sh "$@"
}

# debug_in_time MINUTES: whether there is a debug kernel, or time to build one.
debug_in_time() {
	KERNEL_SERIES=7.3 rig/testing/debug-built.sh >"$out" 2>&1 || [ "$((SECONDS / 60))" -lt "$1" ]
}

on 7.3 arm64
if [ "${1:-}" = --all ]; then
	on 7.2 arm64
	on 7.3 rt-arm64
	on 7.3 debug
	count "The DKMS package in a fresh root" rig/dkms/test-dkms.sh
	count "Kernels with the driver in their tree" rig/intree/test-import.sh
else
	[ "${1:-}" = --debug-before ] && minutes=$2 || minutes=0
	on 7.2 arm64 --short
	on 7.3 rt-arm64 --short
	left_out="all tests on these kernels and on the debug kernel (make test-all), and long forms (make test-long)"
	if debug_in_time "$minutes"; then
		on 7.3 debug --short
	else
		left_out="the debug kernel, which is not built yet (25 minutes, then it stays: make test KERNEL_FLAVOUR=debug), $left_out"
	fi
	echo "Left out: $left_out."
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
