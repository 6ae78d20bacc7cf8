#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kdir.sh TARGET...: build the module for the kernel tree $KDIR, by default that
# of the running kernel, after making sure that the tree can be built for.

set -euo pipefail

PROJECT=$(cd "$(dirname "$0")/../.." && pwd)
OLDEST=7.2

stop() { printf 'ufs_unisoc: %s\n' "$*" >&2; exit 1; }

# need_tree: there is a configured and prepared tree.
need_tree() {
	if [ -z "${KDIR:-}" ]; then
		KDIR=/lib/modules/$(uname -r)/build
		[ -e "$KDIR/Makefile" ] ||
			stop "the running kernel $(uname -r) has no build tree at $KDIR: name one with KDIR=, or use 'make demo' or 'make rig-module', which need none."
		hint=" (or use 'make demo' or 'make rig-module', which need no kernel of your own)"
	fi
	[ -d "$KDIR" ] || stop "KDIR=$KDIR does not exist."
	# make goes there, and must not look for it from there.
	KDIR=$(cd "$KDIR" && pwd)
	[ -e "$KDIR/Makefile" ] || stop "KDIR=$KDIR is not a kernel tree: it has no Makefile."
	[ -e "$KDIR/.config" ] ||
		stop "$KDIR is not configured: put the kernel's configuration there as .config and run 'make modules_prepare' in it$hint."
	[ -e "$KDIR/include/generated/autoconf.h" ] ||
		stop "$KDIR is not prepared: run 'make modules_prepare' in it$hint."
	RELEASE=$(cat "$KDIR/include/config/kernel.release")
	[ "$(printf '%s\n' "$OLDEST" "$RELEASE" | sort -V | head -n 1)" = "$OLDEST" ] ||
		stop "$KDIR is Linux $RELEASE; $OLDEST is the oldest this builds for$hint."
}

config() { sed -n "s/^CONFIG_$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$KDIR/.config"; }

# need_rust: the tree supports Rust modules, and by the rustc that is here.
need_rust() {
	local theirs ours
	[ "$(config RUST)" = y ] ||
		stop "the kernel of $KDIR is configured without Rust: it needs CONFIG_RUST=y ('make rustavailable' there tells what is missing)$hint."
	[ -e "$KDIR/rust/libkernel.rmeta" ] ||
		stop "$KDIR has no Rust metadata (rust/libkernel.rmeta), as is usual for header packages: take the kernel's full source with the same .config and run 'make modules_prepare'$hint."
	theirs=$(config RUSTC_VERSION_TEXT)
	ours=$("${RUSTC:-rustc}" --version 2>/dev/null) ||
		stop "there is no ${RUSTC:-rustc} here; $KDIR was prepared by '$theirs'$hint."
	[ "$ours" = "$theirs" ] ||
		stop "$KDIR was prepared by '$theirs', but ${RUSTC:-rustc} here is '$ours': use the same one (RUSTC=) or prepare the tree again$hint."
	command -v "${BINDGEN:-bindgen}" >/dev/null ||
		stop "there is no ${BINDGEN:-bindgen} here, which turns the kernel's C headers into Rust: install it (Debian: bindgen)$hint."
}

# need_options: what the module calls is in that kernel.
need_options() {
	local option
	for option in SCSI_UFSHCD PM MFD_SYSCON RESET_CONTROLLER; do
		[ -n "$(config "$option")" ] ||
			stop "the kernel of $KDIR is configured without $option, which the module stands on: switch it on, build that kernel, and prepare the tree again$hint."
	done
}

# need_arch: what to pass on so that the tree is built for as it was made.
need_arch() {
	local machine prefix
	case $(config ARM64)-$(config X86_64) in
	y-) ARCH=${ARCH:-arm64} machine=aarch64 prefix=aarch64-linux-gnu- ;;
	-y) ARCH=${ARCH:-x86_64} machine=x86_64 prefix=x86_64-linux-gnu- ;;
	*) stop "$KDIR is configured for neither arm64 nor x86-64." ;;
	esac
	case $ARCH-$machine in
	arm64-aarch64 | x86_64-x86_64 | x86-x86_64) ;;
	*) stop "ARCH is $ARCH, but $KDIR is configured for $machine: leave ARCH out, or name another tree." ;;
	esac
	ARGS=("ARCH=$ARCH")
	if [ -n "${LLVM:-}" ] || [ "$(config CC_IS_CLANG)" = y ]; then
		ARGS+=("LLVM=${LLVM:-1}")
	elif [ -n "${CROSS_COMPILE:-}" ] || [ "$(uname -m)" != "$machine" ]; then
		ARGS+=("CROSS_COMPILE=${CROSS_COMPILE:-$prefix}")
		command -v "${CROSS_COMPILE:-$prefix}gcc" >/dev/null ||
			stop "there is no ${CROSS_COMPILE:-$prefix}gcc here, and $KDIR is for $machine: install it (Debian: gcc-${prefix%-}) or set CROSS_COMPILE."
	fi
	[ -z "${RUSTC:-}" ] || ARGS+=("RUSTC=$RUSTC")
}

hint=
need_tree
need_rust
need_options
need_arch
output=$PROJECT/build/$RELEASE
mkdir -p "$output"
# For what Kbuild compiles beside the sources; for those see Kbuild.
ARGS+=("KCFLAGS=${KCFLAGS:+$KCFLAGS }-fdebug-prefix-map=$output=.")
${MAKE:-make} -C "$KDIR" M="$PROJECT" MO="$output" "${ARGS[@]}" "$@"
echo "ufs_unisoc: $output/ufs_unisoc.ko"
