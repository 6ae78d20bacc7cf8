#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test.sh [--long | --short] [--brief] [NAME...]: prepare everything and run the tests, all
# or the named ones. With --prepare only prepare.

. "$(dirname "$0")/../rig.sh"

# The last line is always the count, also if it does not even build.
prepared=
trap '[ -n "$prepared" ] || echo "0 passed, 1 failed"' EXIT
# A misspelt name shall not wait for all that follows.
for name; do
	case $name in
	--* | rig | host | style | binding | import | build | docs) ;;
	*)
		[ -e "$PROJECT/tests/vm/$name.sh" ] && [ "$name" != lib ] ||
			die "no test is called '$name'. There are: rig host style binding import build docs $(cd "$PROJECT/tests/vm" && ls | sed -n 's/\.sh$//p' | grep -vx lib | tr '\n' ' ')"
		;;
	esac
done
prepare_rig
ensure_dtschema
ensure_sphinx
ensure_crates
# For machines that are not booted here, it is built for the default series.
x86=
names=${*/#--brief/}
if [ "$KERNEL_SERIES-$KERNEL_FLAVOUR" = 7.3-arm64 ] && [[ ${names:-build} =~ (^| )build( |$) ]]; then
	lock rig
	x86=$(ensure_kernel "$KERNEL_SERIES" amd64 && kbuild_command)
	flock -u 9
fi
prepared=yes
[ "${1:-}" != --prepare ] || exit 0

# The next kernels' turn comes when the tests here are through: they can be prepared
# meanwhile. What goes wrong is told when it is their turn.
prepare_ahead() {
	local kernel
	for kernel; do
		export KERNEL_SERIES=${kernel%/*} KERNEL_FLAVOUR=${kernel#*/}
		# Not half an hour's work beside tests.
		[ "$KERNEL_FLAVOUR" != debug ] || rig/testing/debug-built.sh || continue
		rig/testing/test.sh --prepare
	done
}
if [ -n "${PREPARE_AHEAD:-}" ]; then
	mkdir -p "$PROJECT/build/logs"
	# In a process group of its own, so that nothing of it is left if this is interrupted.
	set -m
	# shellcheck disable=SC2086 # words
	(cd "$PROJECT" && PREPARE_AHEAD='' prepare_ahead $PREPARE_AHEAD) >"$PROJECT/build/logs/ahead.log" 2>&1 </dev/null &
	set +m
	# shellcheck disable=SC2064 # now is when $! is known
	trap "kill -- -$! 2>/dev/null; exit 130" INT TERM
fi
run_in_rig testing.run --jobs "$JOBS" --crates "$(inside "$CRATES")" --source "$(inside "$KSOURCE")" \
	--kbuild "$(kbuild_command)" --kbuild-x86 "$x86" "$@"
