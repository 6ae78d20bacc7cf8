#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the module for the kernel that demo and test boot, or for an x86-64 one.

. "$(dirname "$0")/../rig.sh"

[ "${ARCH:-}" != x86_64 ] || KERNEL_FLAVOUR=amd64
need_root
lock rig
choose_kernel
build_driver
echo "$PROJECT/$BUILD/ufs_unisoc.ko"
