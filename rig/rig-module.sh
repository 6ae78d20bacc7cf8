#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the module for the kernel that demo and test boot.

. "$(dirname "$0")/rig.sh"

need_root
lock rig
choose_kernel
build_driver
echo "$PROJECT/$BUILD/ufs_unisoc.ko"
