#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# patches.sh [TREE]: the driver as a series of patches, for that kernel's source or for
# the source of the kernel that tests boot.

. "$(dirname "$0")/../rig.sh"

tree=${1:-}
if [ -z "$tree" ]; then
	need_root
	lock rig
	ensure_toolchain
	refresh_lists
	choose_source "$KERNEL_SERIES" arm64
	ensure_source "$KERNEL_SERIES"
	flock -u 9
	tree=$KSOURCE
fi
rig_python intree.series "$tree" "$PROJECT/build/patches"
