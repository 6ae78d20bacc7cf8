#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# debug-built.sh: whether the debug kernel is in the cache. Makes nothing that is not
# there anyway once tests have run on the distribution's kernel.

. "$(dirname "$0")/../rig.sh"

need_root
debug_kernel_is_built "$KERNEL_SERIES" debug
