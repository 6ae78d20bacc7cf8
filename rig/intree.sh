# SPDX-License-Identifier: GPL-2.0
# Kernels with the driver in their tree: the source of the distribution kernel, with
# intree.config, to which the driver is imported as users do it (make import), and the
# test board beside it: as a module, built in, and built in with its KUnit tests. Source it
# after debug.sh.
# ensure_intree_kernel sets what ensure_kernel sets; beside vmlinuz there are vmlinuz-builtin
# and vmlinuz-kunit.

# configure_intree BUILD SOURCE y|m [OPTION=VALUE]: with the driver.
configure_intree() {
	local out=$1 source=$2 how=$3 fragment=$1.config
	{ cat "$PROJECT/rig/intree.config"; printf '%s\n' "CONFIG_SCSI_UFS_UNISOC=$how" "${@:4}"; } >"$fragment"
	configure_debug "$out" "$source" "$fragment"
}

# build_intree BUILD TARGET...
build_intree() {
	local out=$1
	shift
	# shellcheck disable=SC2086 # KMAKE_ARGS is a list
	in_root -C "$(inside "$out")" nice make -s "-j$(nproc)" "KERNELRELEASE=$KABI" $KMAKE_ARGS "$@"
}

# make_intree_base HOME SOURCE: a tree of our own, and a kernel of it without the driver,
# since that is what takes long. The files are SOURCE's own by hard links: what writes to
# one must make a new one, as import_tree.py does.
make_intree_base() {
	local home=$1 source=$2
	rm -rf "$home"
	mkdir -p "$home/build"
	cp -al "$source" "$home/linux"
	cp "$PROJECT/rig/intree.config" "$home/fragment.config"
	configure_debug "$home/build" "$home/linux" "$home/fragment.config"
	build_intree "$home/build" Image modules
	touch "$home/built"
}

# import_driver LINUX: and the board beside it.
import_driver() {
	local linux=$1 board=drivers/ufs/host/unisoc-board makefile
	rig_python intree.import_tree --force "$linux"
	rm -rf "${linux:?}/$board"
	mkdir "$linux/$board"
	cp "$PROJECT"/tests/board/{Kbuild,*.[ch],*.dtso} "$linux/$board/"
	makefile=$linux/drivers/ufs/host/Makefile
	grep -q unisoc-board "$makefile" || {
		{ cat "$makefile"; echo "obj-\$(CONFIG_SCSI_UFS_UNISOC) += unisoc-board/"; } >"$makefile.new"
		mv "$makefile.new" "$makefile"
	}
}

# build_series HOME: the tree of each patch of the series builds, from none of the driver to
# all of it; then they are gone again.
build_series() {
	local build=$1/build linux=$1/linux patches=$1/patches patch applied=()
	[ ! -e "$linux/drivers/ufs/host/unisoc" ] ||
		rig_python intree.import_tree --force --uninstall "$linux"
	GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=rig GIT_CONFIG_KEY_1=user.email \
		GIT_CONFIG_VALUE_1=rig@localhost rig_python intree.series "$linux" "$patches"
	for patch in "$patches"/000[1-9]-*; do
		echo "patch: $(basename "$patch")"
		in_root -C "$(inside "$linux")" git apply "$(inside "$patch")"
		applied=("$(inside "$patch")" "${applied[@]}")
		if [ -e "$linux/drivers/ufs/host/unisoc/Kconfig" ]; then
			configure_intree "$build" "$linux" y
		else
			configure_debug "$build" "$linux" "$PROJECT/rig/intree.config"
		fi
		build_intree "$build" drivers/ufs/
		echo "built: $(basename "$patch")"
	done
	for patch in "${applied[@]}"; do
		in_root -C "$(inside "$linux")" git apply --reverse "$patch"
	done
}

# build_all_ways HOME DIST: as a module, then built in, then with its tests.
build_all_ways() {
	local build=$1/build linux=$1/linux dist=$2 lib=$2/usr/lib/modules/$KABI
	rm -rf "$dist"
	mkdir -p "$lib"
	ln -s usr/lib "$dist/lib"
	build_series "$1"
	import_driver "$linux"
	configure_intree "$build" "$linux" m
	build_intree "$build" Image modules
	build_intree "$build" "INSTALL_MOD_PATH=$(inside "$dist")" modules_install
	rm -f "$lib/build" "$lib/source"
	cp "$build/arch/arm64/boot/Image" "$lib/vmlinuz"
	configure_intree "$build" "$linux" y
	build_intree "$build" Image modules
	cp "$build/arch/arm64/boot/Image" "$lib/vmlinuz-builtin"
	cp "$build/modules.builtin.modinfo" "$lib/modinfo-builtin"
	configure_intree "$build" "$linux" y CONFIG_UFS_UNISOC_KUNIT_TEST=y
	build_intree "$build" Image modules
	cp "$build/arch/arm64/boot/Image" "$lib/vmlinuz-kunit"
}

# ensure_intree_kernel SERIES
ensure_intree_kernel() {
	local series=$1 key home imported
	ensure_toolchain
	refresh_lists
	choose_source "$series" arm64
	KABI=${KABI%%+*}-intree
	key=$(hash_of "$KABI" "$KVERSION" "$(basename "$TOOLCHAIN")" "$KMAKE_ARGS" "$(cat "$PROJECT/rig/intree.config")" \
		"$(declare -f fetch_source configure_debug make_intree_base build_intree)")
	home=$RIG_CACHE/kernel-$KABI-$key
	KTREE=$home/build
	ensure_source "$series"
	need_space 3
	# For so long others who need none of it shall not wait: a lock of its own.
	flock -u 9
	mkdir -p "$home.d"
	exec 8>"$home.d/lock"
	flock -n 8 || { say "rig: waiting for another run to build this kernel"; flock 8; }
	[ -e "$home/built" ] || step "Build the kernel $KABI, without the driver" 900 make_intree_base "$home" "$KSOURCE"
	imported=$home/imported-$(hash_of "$(cd "$PROJECT" && cat rig/intree.sh rig/intree/{payload,import_tree,series}.py \
		tests/board/{Kbuild,*.[ch],*.dtso} && find drivers rust -type f | sort | xargs sha256sum)")
	KDIST=$imported/dist
	if [ ! -e "$imported/built" ]; then
		rm -rf "$home"/imported-*
		mkdir -p "$imported"
		step "Import the driver, and build it all ways" 250 build_all_ways "$home" "$KDIST"
		cp "$RIG_LOGS/Import-the-driver--and-build-it-all-ways.log" "$imported/log"
		touch "$imported/built"
	fi
	flock -u 8
	lock rig
}
