# SPDX-License-Identifier: GPL-2.0
# The whole rig for the scripts that boot something. Source it, do not run it.

# shellcheck source-path=SCRIPTDIR
RIG=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CORES=() MODULES=()
. "$RIG/lib.sh"
. "$RIG/toolchain.sh"
. "$RIG/kernel.sh"
. "$RIG/debug.sh"
. "$RIG/intree.sh"
. "$RIG/userland.sh"
. "$RIG/build.sh"
. "$RIG/core.sh"
. "$RIG/phone.sh"

# choose_kernel: the one that the variables ask for.
choose_kernel() {
	case $KERNEL_FLAVOUR in
	debug | kcsan) ensure_debug_kernel "$KERNEL_SERIES" "$KERNEL_FLAVOUR" ;;
	*) ensure_kernel "$KERNEL_SERIES" "$KERNEL_FLAVOUR" ;;
	esac
}

# prepare_intree: a kernel with the driver in its tree, and an initramfs.
prepare_intree() {
	need_root
	lock rig
	ensure_intree_kernel "$KERNEL_SERIES"
	GUEST_MODULES="ufs_unisoc ufs_board"
	ensure_initramfs
	ensure_e2fsprogs
	flock -u 9
}

# prepare_rig: everything up to built modules, the tool, and an initramfs.
prepare_rig() {
	need_root
	lock rig
	choose_kernel
	[ "${KABI##*-}" != amd64 ] ||
		die "the machines here are arm64: KERNEL_FLAVOUR=$KERNEL_FLAVOUR is for make rig-module and make clippy"
	ensure_initramfs
	ensure_cores
	build_modules
	build_ufsirq
	build_ufsbench
	flock -u 9
}

# run_in_rig MODULE ARGUMENT...: a Python program inside the root, with the description of
# the kernel under test as its first arguments.
run_in_rig() {
	local module=$1 m args=()
	shift
	[ -z "${UFSIRQ:-}" ] || args+=(--program "/src/${UFSIRQ#"$PROJECT"/}")
	for m in "${CORES[@]}"; do args+=(--core "$m"); done
	for m in "${MODULES[@]}"; do args+=(--module "/src/${m#"$PROJECT"/}"); done
	python_in_root "$module" --abi "$KABI" \
		--image "$(inside "$KDIST")/usr/lib/modules/$KABI/vmlinuz" \
		--initramfs "$(inside "$INITRAMFS")" --project-outside "$PROJECT" \
		"${args[@]}" "$@"
}
