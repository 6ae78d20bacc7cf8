#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A long mixed load: for HOURS (default 2), with the disturbances of SEED (default: others
# each time). See soak.py.

. "$(dirname "$0")/../rig.sh"

prepare_rig
run_in_rig machine.soak --hours "${HOURS:-2}" ${SEED:+--seed "$SEED"}
