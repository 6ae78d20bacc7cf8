# SPDX-License-Identifier: GPL-2.0
# The debug kernels: the source of the distribution kernel under test, built
# here with the sanitizers and lock checks of debug.config, or with the data race
# detector of kcsan.config. Source it after kernel.sh.
# ensure_debug_kernel sets what ensure_kernel sets (KABI, KVERSION, KDIST, KTREE
# and KMAKE_ARGS), so that everything after it works on either kernel.

# Rust under KASAN needs clang.
DEBUG_KMAKE_ARGS="ARCH=arm64 LLVM=1"

# config_lacks FRAGMENT CONFIG: the lines of the fragment that the finished
# configuration does not have, each with what it has instead.
config_lacks() {
	local line name got
	while read -r line; do
		case $line in
		CONFIG_*=*) name=${line%%=*} ;;
		"# CONFIG_"*" is not set") name=${line#\# } name=${name%% *} ;;
		*) continue ;;
		esac
		got=$(grep -E "^(# )?$name(=| is not set)" "$2" || true)
		[ "$got" != "$line" ] || continue
		# An option that is out of reach is as good as one that is not set.
		[ -n "$got" ] || [ "$line" = "${line%is not set}" ] || continue
		printf '%s: asked for "%s", got "%s"\n' "$name" "$line" "${got:-nothing}"
	done <"$1"
}

# make_debug_source DIR SERIES VERSION: an untouched source tree. The one of
# ensure_kernel was prepared in place and refuses builds in another directory.
make_debug_source() {
	fetch_source "$@"
	touch "$1/unpacked"
}

# configure_debug OUTPUT SOURCE FRAGMENT: all three as seen from outside.
configure_debug() {
	local out=$1 source=$2 fragment=$3 lacks
	mkdir -p "$out"
	cp "$fragment" "$out/fragment.config"
	# shellcheck disable=SC2086 # KMAKE_ARGS is a list
	in_root -C "$(inside "$source")" make -s O="$(inside "$out")" $KMAKE_ARGS \
		KCONFIG_ALLCONFIG="$(inside "$out")/fragment.config" allnoconfig
	lacks=$(config_lacks "$fragment" "$out/.config")
	[ -n "$lacks" ] || return 0
	printf '%s\n' "$lacks"
	echo "The kernel's Kconfig did not take the options above from $(basename "$fragment"):"
	echo "look up what each depends on and add that, or drop the option."
	return 1
}

# build_debug OUTPUT DIST: the kernel, and its modules where a distribution's
# packages put theirs. It is a long build: others on this machine go first.
build_debug() {
	local out=$1 dist=$2 lib=$2/usr/lib/modules/$KABI
	# shellcheck disable=SC2206 # KMAKE_ARGS is a list
	local make=(nice make -s "-j$(nproc)" "KERNELRELEASE=$KABI" $KMAKE_ARGS)
	in_root -C "$(inside "$out")" "${make[@]}" Image modules
	rm -rf "$dist"
	mkdir -p "$lib"
	ln -s usr/lib "$dist/lib"
	in_root -C "$(inside "$out")" "${make[@]}" INSTALL_MOD_PATH="$(inside "$dist")" modules_install
	rm -f "$lib/build" "$lib/source"
	cp "$out/arch/arm64/boot/Image" "$lib/vmlinuz"
	[ -e "$out/rust/libkernel.rmeta" ]
}

# choose_source SERIES FLAVOUR: what ensure_kernel would take for these: KABI, KVERSION,
# and KSOURCE, where ensure_source puts its source.
choose_source() {
	local series=$1 flavour=$2
	KABI=$(newest_abi "$series" "$flavour")
	[ -n "$KABI" ] || die "the package lists have no $series kernel of flavour $flavour."
	KVERSION=$(in_root apt-cache show --no-all-versions "linux-headers-$KABI:${KABI##*-}" | sed -n 's/^Version: //p')
	SOURCE_HOME=$RIG_CACHE/source-$KVERSION-$(hash_of "$KVERSION" "$(declare -f fetch_source)")
	KSOURCE=$SOURCE_HOME/linux
}

# ensure_source SERIES: the one that was chosen.
ensure_source() {
	[ -e "$SOURCE_HOME/unpacked" ] ||
		step "Fetch the $KVERSION kernel source" 60 make_debug_source "$SOURCE_HOME" "$1" "$KVERSION"
}

# debug_fragment KIND: the configuration of that kind, debug or kcsan.
debug_fragment() {
	local base=$RIG/debug.config changes=$RIG/kcsan.config
	[ "$1" = kcsan ] || { cat "$base"; return; }
	# What both say, as the second says it.
	grep -vE "^(# )?($(sed -nE 's/^(# )?(CONFIG_[A-Z0-9_]+)(=| is not set).*/\2/p' "$changes" | paste -sd '|'))(=| )" "$base"
	cat "$changes"
}

# name_debug_kernel SERIES KIND: sets what is said above for the kernel of that kind made
# of the one that ensure_kernel takes for this series, and DEBUG_HOME, where it is made.
name_debug_kernel() {
	local series=$1 kind=$2 key
	ensure_toolchain
	refresh_lists
	choose_source "$series" arm64
	KABI=${KABI%%+*}-$kind
	KMAKE_ARGS=$DEBUG_KMAKE_ARGS
	key=$(hash_of "$KABI" "$KVERSION" "$(basename "$TOOLCHAIN")" "$KMAKE_ARGS" "$(debug_fragment "$kind")" \
		"$(declare -f fetch_source configure_debug build_debug)")
	DEBUG_HOME=$RIG_CACHE/kernel-$KABI-$key
	KDIST=$DEBUG_HOME/dist
	KTREE=$DEBUG_HOME/build
}

# debug_kernel_is_built SERIES KIND: whether it is in the cache.
debug_kernel_is_built() {
	name_debug_kernel "$1" "$2"
	[ -e "$DEBUG_HOME/built" ]
}

# ensure_debug_kernel SERIES KIND
ensure_debug_kernel() {
	local series=$1 kind=$2 home
	name_debug_kernel "$series" "$kind"
	home=$DEBUG_HOME
	[ ! -e "$home/built" ] || return 0
	ensure_source "$series"
	need_space 3
	# For so long others who need none of it shall not wait: a lock of its own.
	flock -u 9
	mkdir -p "$home"
	exec 8>"$home/lock"
	flock -n 8 || { say "rig: waiting for another run to build the debug kernel"; flock 8; }
	if [ ! -e "$home/built" ]; then
		debug_fragment "$kind" >"$home/$kind.config"
		step "Configure the debug kernel $KABI" 10 configure_debug "$KTREE" "$KSOURCE" "$home/$kind.config"
		step "Build the debug kernel $KABI" 1200 build_debug "$KTREE" "$KDIST"
		touch "$home/built"
	fi
	flock -u 8
	lock rig
}
