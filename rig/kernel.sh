# SPDX-License-Identifier: GPL-2.0
# The kernel under test: an unmodified distribution kernel, its modules, and a
# source tree prepared so that Rust modules built in it load into that kernel.
# ensure_kernel sets KABI, KVERSION, KDIST (files of the packages), KTREE (what to
# build modules against), KSOURCE (its source) and KMAKE_ARGS. Of an amd64 kernel there
# is only what building takes: no machine here boots one.

KMAKE_ARGS="ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CROSS_COMPILE_COMPAT=arm-linux-gnueabihf-"
PACKAGE_LISTS_MAX_AGE=$((12 * 3600))

# refresh_lists: package lists not older than half a day, so that "the newest
# kernel of the series" is a fact and not a memory. Offline, the old ones serve.
refresh_lists() {
	local stamp=$TOOLCHAIN/var/cache/rig-lists-updated now
	now=$(date +%s)
	if [ -e "$stamp" ] && [ $((now - $(stat -c %Y "$stamp"))) -lt "$PACKAGE_LISTS_MAX_AGE" ]; then
		return 0
	fi
	if step "Update the package lists" 10 in_root apt-get -q -o APT::Update::Error-Mode=any update; then
		touch "$stamp"
	elif [ -e "$stamp" ]; then
		say "rig: package lists could not be updated; going on with those of $(date -r "$stamp" +%F)"
	else
		die "no package lists: is the package mirror reachable from this machine?"
	fi
}

# newest_abi SERIES FLAVOUR: for instance "7.3.4+deb13-arm64".
newest_abi() {
	in_root apt-cache pkgnames "linux-headers-$1." |
		sed -n "s/^linux-headers-\($1\.[0-9]*+[a-z0-9]*-$2\)\$/\1/p" | sort -V | tail -n 1
}

fetch_kernel() {
	local tmp=$1 abi=$2 version=$3 dl
	dl=$tmp/dl
	rm -rf "$tmp"
	mkdir -p "$dl" "$tmp/dist"
	in_root -C "$(inside "$dl")" apt-get -q -o APT::Sandbox::User=root download \
		"linux-headers-$abi:arm64=$version" "linux-binary-$abi:arm64" "linux-modules-$abi:arm64"
	for deb in "$dl"/*.deb; do
		dpkg-deb -x "$deb" "$tmp/dist"
	done
	rm -r "$dl"
}

fetch_source() {
	local tmp=$1 series=$2 version=$3
	rm -rf "$tmp"
	mkdir -p "$tmp/dl" "$tmp/deb"
	in_root -C "$(inside "$tmp/dl")" apt-get -q -o APT::Sandbox::User=root download \
		"linux-source-$series=$version"
	dpkg-deb -x "$tmp"/dl/*.deb "$tmp/deb"
	mkdir "$tmp/linux"
	xz -dc -T0 "$tmp"/deb/usr/src/linux-source-*.tar.xz | tar -x -C "$tmp/linux" --strip-components=1
	rm -r "$tmp/dl" "$tmp/deb"
}

# config_differs A B: the options in which two .config files differ, without
# the texts that only name the compiler.
config_differs() {
	diff <(grep -E '^(# )?CONFIG_' "$1" | sort) <(grep -E '^(# )?CONFIG_' "$2" | sort) |
		grep -E '^[<>]' | grep -vE 'CONFIG_(CC|RUSTC|BINDGEN|RUSTC_LLVM|PAHOLE)_(VERSION(_TEXT)?)=' || true
}

prepare_tree() {
	local tree=$1 abi=$2 headers=$3 differs
	# shellcheck disable=SC2155,SC2086 # $make is a command with its arguments
	local make="make -s -j$(nproc) KERNELRELEASE=$abi $KMAKE_ARGS"
	cp "$headers/.config" "$tree/.config"
	cp "$headers/Module.symvers" "$tree/Module.symvers"
	# shellcheck disable=SC2086
	in_root -C "$(inside "$tree")" $make olddefconfig
	differs=$(config_differs "$headers/.config" "$tree/.config")
	if [ -n "$differs" ]; then
		printf '%s\n' "$differs"
		echo "The toolchain root changes the distribution's configuration (above):"
		echo "a module built so would not load. Compare TOOLCHAIN_PACKAGES with the"
		echo "kernel's own build dependencies."
		return 1
	fi
	# shellcheck disable=SC2086
	in_root -C "$(inside "$tree")" $make modules_prepare
	[ -e "$tree/rust/libkernel.rmeta" ]
}

make_tree() {
	local dir=$1 series=$2 version=$3 abi=$4 headers=$5
	fetch_source "$dir" "$series" "$version"
	prepare_tree "$dir/linux" "$abi" "$headers"
	touch "$dir/prepared"
}

# The same for amd64. Its tree is the untouched source by hard links; what is made in it
# are new files.
fetch_headers() {
	local tmp=$1 abi=$2 version=$3
	rm -rf "$tmp"
	mkdir -p "$tmp/dl" "$tmp/dist"
	in_root -C "$(inside "$tmp/dl")" apt-get -q -o APT::Sandbox::User=root download \
		"linux-headers-$abi:amd64=$version"
	dpkg-deb -x "$tmp"/dl/*.deb "$tmp/dist"
	rm -r "$tmp/dl"
}

make_linked_tree() {
	local dir=$1 source=$2 abi=$3 headers=$4
	rm -rf "$dir"
	mkdir -p "$dir"
	cp -al "$source" "$dir/linux"
	prepare_tree "$dir/linux" "$abi" "$headers"
	touch "$dir/prepared"
}

ensure_amd64_kernel() {
	local series=$1 flavour=$2 key home
	choose_source "$series" "$flavour"
	KMAKE_ARGS="ARCH=x86_64 CROSS_COMPILE=x86_64-linux-gnu-"
	key=$(hash_of "$KABI" "$KVERSION" "$(basename "$TOOLCHAIN")" "$KMAKE_ARGS" \
		"$(declare -f fetch_headers make_linked_tree prepare_tree)")
	home=$RIG_CACHE/kernel-$KABI-$key
	KDIST=$home/dist
	KTREE=$home/tree/linux
	[ ! -e "$home/tree/prepared" ] || return 0
	ensure_source "$series"
	mkdir -p "$home"
	step "Fetch the headers of the $KABI kernel" 10 fetch_headers "$home/fetch" "$KABI" "$KVERSION"
	publish "$home/fetch/dist" "$KDIST"
	rm -rf "$home/fetch"
	step "Prepare the $KABI source tree for Rust modules" 120 \
		make_linked_tree "$home/tree" "$KSOURCE" "$KABI" "$KDIST/usr/src/linux-headers-$KABI"
}

ensure_kernel() {
	local series=$1 flavour=$2 key home
	ensure_toolchain
	refresh_lists
	case $flavour in *amd64) ensure_amd64_kernel "$series" "$flavour"; return ;; esac
	KABI=$(newest_abi "$series" "$flavour")
	[ -n "$KABI" ] || die "the package lists have no $series kernel of flavour $flavour. Which exist: $(
		in_root apt-cache pkgnames linux-headers- | grep -E -- '-arm64$' | sed 's/linux-headers-//' | sort -V | tr '\n' ' ')"
	KVERSION=$(in_root apt-cache show --no-all-versions "linux-headers-$KABI:arm64" | sed -n 's/^Version: //p')
	key=$(hash_of "$KABI" "$KVERSION" "$(basename "$TOOLCHAIN")" "$(declare -f fetch_kernel fetch_source prepare_tree)")
	home=$RIG_CACHE/kernel-$KABI-$key
	KDIST=$home/dist
	KTREE=$home/tree/linux
	KSOURCE=$KTREE
	if [ ! -d "$KDIST" ]; then
		mkdir -p "$home"
		step "Fetch the $KABI kernel" 10 fetch_kernel "$home/fetch" "$KABI" "$KVERSION"
		publish "$home/fetch/dist" "$KDIST"
		rm -rf "$home/fetch"
	fi
	# Prepared in its final place, since what is built there keeps its path;
	# the marker says that it was finished.
	if [ ! -e "$home/tree/prepared" ]; then
		step "Prepare the $KABI source tree for Rust modules" 150 \
			make_tree "$home/tree" "$series" "$KVERSION" "$KABI" "$KDIST/usr/src/linux-headers-$KABI"
	fi
}
