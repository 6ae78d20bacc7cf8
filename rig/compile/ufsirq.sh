#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build ufsirq, the tool that goes with the driver, for arm64.

. "$(dirname "$0")/../rig.sh"

need_root
lock rig
ensure_toolchain
build_ufsirq
echo "$UFSIRQ"
