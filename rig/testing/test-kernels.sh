#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-kernels.sh [--all | --full] [--debug-before MINUTES]: the tests on the default
# kernel, and those that tell another kernel from it ("# vm: short=on") on the other ones;
# a few ("# vm: short_debug=on") on the debug kernel if it is in the cache already, or if
# less than MINUTES have passed when it would have to be built. Without --full in their
# brief form (in_form in tests/vm/lib.sh), and without the slow ones ("# vm: slow=on").
# With --all, all tests on all kernels.
# The last line counts them together.

cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
passed=0 failed=0
scope=brief minutes=0
while [ $# -gt 0 ]; do
	case $1 in
	--all | --full) scope=${1#--} ;;
	--debug-before) minutes=$2 && shift ;;
	esac
	shift
done
form=()
[ "$scope" != brief ] || form=(--brief)

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
	count "Tests on the $series kernel, flavour $flavour${*:+: $*}${form:+ (brief)}" \
		env KERNEL_SERIES="$series" KERNEL_FLAVOUR="$flavour" rig/testing/test.sh "${form[@]}" "$@"
}

# debug_is_built: whether the debug kernel is in the cache.
debug_is_built() { KERNEL_SERIES=7.3 rig/testing/debug-built.sh >/dev/null 2>&1; }

PREPARE_AHEAD="7.2/arm64 7.3/rt-arm64 7.3/debug" on 7.3 arm64
if [ "$scope" = all ]; then
	on 7.2 arm64
	on 7.3 rt-arm64
	on 7.3 debug
	count "The DKMS package in a fresh root" rig/dkms/test-dkms.sh
	count "Kernels with the driver in their tree" rig/intree/test-import.sh
else
	on 7.2 arm64 --short
	on 7.3 rt-arm64 --short
	left_out="all tests on these kernels and on the debug kernel (make test-all), and long forms (make test-long)"
	[ "$scope" = full ] || left_out="most rounds of what is done many times, and slow tests (make test FULL=1), $left_out"
	if debug_is_built || [ "$((SECONDS / 60))" -lt "$minutes" ]; then
		on 7.3 debug --short
	else
		left_out="the debug kernel, which is not built yet (25 minutes, then it stays: make test KERNEL_FLAVOUR=debug), $left_out"
	fi
	echo "Left out: $left_out."
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
