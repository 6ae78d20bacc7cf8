// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own copy of libfdt. vmlinux has it, but exports nothing of it
 * to modules, and the board edits its overlays before it applies them.
 */

#include <linux/libfdt_env.h>
#include "../scripts/dtc/libfdt/fdt.c"
#include "../scripts/dtc/libfdt/fdt_ro.c"
#include "../scripts/dtc/libfdt/fdt_wip.c"
#include "../scripts/dtc/libfdt/fdt_rw.c"
