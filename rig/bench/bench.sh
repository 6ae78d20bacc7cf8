#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What completions cost: in each mode, with the kernel's own driver, and with the
# UFS core of 6.16 to 7.1. Leaves a report, pictures and raw results in build/bench.
# QUICK=1 measures only what the report's first lines need; ROUNDS and READS change
# how much it measures. BENCH=wall RESULTS=... makes a report of a phone's results.

. "$(dirname "$0")/../rig.sh"

# Results of a phone need nothing of the rig.
if [ "${BENCH:-}" = wall ]; then
	[ -d "${RESULTS:-}" ] ||
		die "BENCH=wall needs RESULTS=directory, with what tools/ufsbench/ufsbench.sh left on the machine to measure"
	rig_python bench.wall "$RESULTS"
	exit
fi

# ensure_plugin: QEMU's counter of instructions; sets PLUGIN.
ensure_plugin() {
	PLUGIN=$RIG_CACHE/cpucount-$(hash_of "$(basename "$TOOLCHAIN")" "$(cat "$RIG/qemu/cpucount.c")").so
	[ ! -e "$PLUGIN" ] || return 0
	step "Build the plugin that counts instructions" 2 in_root gcc -O2 -Wall -Werror -shared -fPIC \
		-fvisibility=hidden -o "$(inside "$PLUGIN")" /src/rig/qemu/cpucount.c
}

# ensure_matplotlib: what draws the pictures.
ensure_matplotlib() {
	in_root python3 -c 'import matplotlib' 2>/dev/null && return 0
	refresh_lists
	step "Install matplotlib, which draws the pictures" 40 in_root \
		apt-get -q install -y --no-install-recommends python3-matplotlib fonts-dejavu-core
}

commit() {
	git -C "$PROJECT" rev-parse --short=12 HEAD 2>/dev/null | tr -d '\n' || printf unknown
	git -C "$PROJECT" diff --quiet HEAD 2>/dev/null || printf ' and changes'
}

prepare_rig
ensure_plugin
ensure_matplotlib
if [ -n "${QUICK:-}" ]; then
	args=(--quick --rounds "${ROUNDS:-3}" --reads "${READS:-300}")
else
	args=(--rounds "${ROUNDS:-7}" --reads "${READS:-500}")
fi
run_in_rig bench.run --plugin "$(inside "$PLUGIN")" --commit "$(commit)" --out /src/build/bench \
	--qemu "$(in_root qemu-system-aarch64 --version | sed -n '1s/.*version \([^ ]*\).*/\1/p')" "${args[@]}"
say "report: $PROJECT/build/bench/report.md"
