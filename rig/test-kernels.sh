#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-kernels.sh [--all]: all tests on the default kernel, and those that tell
# another kernel from it ("# vm: short=on") on the other ones. With --all, all tests
# on all kernels, and a debug kernel that is built here.
# The last line counts them together.

cd "$(dirname "$0")/.." || exit 1
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
		env KERNEL_SERIES="$series" KERNEL_FLAVOUR="$flavour" rig/test.sh "$@"
}

on 7.3 arm64
if [ "${1:-}" = --all ]; then
	on 7.2 arm64
	on 7.3 rt-arm64
	on 7.3 debug
	count "The DKMS package in a fresh root" rig/dkms-test.sh
else
	on 7.2 arm64 --short
	on 7.3 rt-arm64 --short
	echo "Left out: all tests on these kernels and on a debug kernel (make test-all), and long forms (make test-long)."
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
