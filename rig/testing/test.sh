#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test.sh [--long | --short] [NAME...]: prepare everything and run the tests, all or the
# named ones.

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
if [ "$KERNEL_SERIES-$KERNEL_FLAVOUR" = 7.3-arm64 ] && [[ ${*:-build} =~ (^| )build( |$) ]]; then
	lock rig
	x86=$(ensure_kernel "$KERNEL_SERIES" amd64 && kbuild_command)
	flock -u 9
fi
prepared=yes
run_in_rig testing.run --jobs "$JOBS" --crates "$(inside "$CRATES")" --source "$(inside "$KSOURCE")" \
	--kbuild "$(kbuild_command)" --kbuild-x86 "$x86" "$@"
