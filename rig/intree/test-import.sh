#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-import.sh [NAME...]: build kernels with the driver in their tree, as a module and
# built in, and run the tests that boot them.

. "$(dirname "$0")/../rig.sh"

# The last line is always the count, also if it does not even build.
prepared=
trap '[ -n "$prepared" ] || echo "0 passed, 1 failed"' EXIT
prepare_intree
prepared=yes
run_in_rig testing.run --intree --jobs "$JOBS" --source "$(inside "$KSOURCE")" "$@"
