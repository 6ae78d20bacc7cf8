#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a 4 KiB read costs, in each mode and with the kernel's own driver.
# ROUNDS and READS change how long it measures.

. "$(dirname "$0")/rig.sh"

prepare_rig
run_in_rig bench.py --rounds "${ROUNDS:-5}" --reads "${READS:-1000}"
