#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write rust-project.json for rust-analyzer: for the tree $KDIR if given, else
# for the kernel of the rig, with the root's paths turned into this machine's.

if [ -n "${KDIR:-}" ]; then
	exec "$(dirname "$0")/kdir.sh" rust-analyzer
fi

. "$(dirname "$0")/../rig.sh"

need_root
lock rig
choose_kernel
step "Write rust-project.json" 10 kbuild . "build/$KABI" rust-analyzer
sed -e "s|\"/usr/|\"$TOOLCHAIN/usr/|g" -e "s|\"/cache/|\"$RIG_CACHE/|g" -e "s|\"/src\([/\"]\)|\"$PROJECT\1|g" \
	"$PROJECT/build/$KABI/rust-project.json" >"$PROJECT/rust-project.json"
say "$PROJECT/rust-project.json"
