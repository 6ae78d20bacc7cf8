#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build what tools/ufsbench needs on a phone, for arm64: a directory to push.

. "$(dirname "$0")/../rig.sh"

need_root
lock rig
ensure_toolchain
ensure_userland
build_ufsirq
build_ufsbench
say "$UFSBENCH has all that a phone needs; how to use it: tools/ufsbench/README.md"
