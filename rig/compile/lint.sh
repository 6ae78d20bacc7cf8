#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lint.sh fmt|fmt-check|clippy: with the tools of the toolchain root, so that
# the result does not depend on what is installed here.

. "$(dirname "$0")/../rig.sh"

rust_files() { (cd "$PROJECT" && find drivers rust tests tools -name '*.rs' ! -name '*_generated.rs'); }

format() {
	local files
	mapfile -t files < <(rust_files)
	in_root rustfmt --edition 2021 --config-path /src "$@" "${files[@]}"
}

clippy() {
	local output=build/clippy-$KABI log=$RIG_LOGS/clippy.log rc=0
	# Clippy says nothing about what is already built.
	rm -rf "${PROJECT:?}/$output"
	kbuild . "$output" CLIPPY=1 modules 2>&1 | tee "$log" || rc=$?
	[ "$rc" -eq 0 ] || die "the build with clippy failed, see above"
	! grep -q '^warning' "$log" || die "clippy has warnings, see above"
	ensure_crates
	in_root env CARGO_HOME="$(inside "$CRATES")" CARGO_TARGET_DIR=/src/build/cargo cargo clippy --quiet --locked --offline \
		--package ufsirq --all-targets -- --deny warnings || die "clippy has warnings, see above"
	say "clippy: nothing to say"
}

need_root
lock rig
case ${1:-} in
fmt) ensure_toolchain; format ;;
fmt-check) ensure_toolchain; format --check ;;
clippy) choose_kernel; clippy ;;
*) die "usage: lint.sh fmt|fmt-check|clippy" ;;
esac
