#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a 4 KiB read costs, in each mode and with the kernel's own driver.
# ROUNDS and READS change how long it measures.

. "$(dirname "$0")/rig.sh"

# ensure_plugin: QEMU's counter of instructions; sets PLUGIN.
ensure_plugin() {
	PLUGIN=$RIG_CACHE/cpucount-$(hash_of "$(basename "$TOOLCHAIN")" "$(cat "$RIG/qemu/cpucount.c")").so
	[ ! -e "$PLUGIN" ] || return 0
	step "Build the plugin that counts instructions" 2 in_root gcc -O2 -Wall -Werror -shared -fPIC \
		-fvisibility=hidden -o "$(inside "$PLUGIN")" /src/rig/qemu/cpucount.c
}

prepare_rig
ensure_plugin
run_in_rig bench.py --plugin "$(inside "$PLUGIN")" --rounds "${ROUNDS:-5}" --reads "${READS:-1000}"
