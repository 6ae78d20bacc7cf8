#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test.sh [NAME...]: prepare everything and run the tests, all or the named ones.

. "$(dirname "$0")/rig.sh"

prepare_rig
run_in_rig test.py --jobs "${JOBS:-1}" "$@"
