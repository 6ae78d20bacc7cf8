# SPDX-License-Identifier: GPL-2.0
# The distribution's kernel for the machine that this runs on, for the test of the
# DKMS package: DKMS builds for where it runs. Source it after rig.sh, do not run it.

# make_host_tree DIRECTORY ABI VERSION: the kernel's source, prepared as arm64's is.
make_host_tree() {
	local dir=$1 abi=$2 version=$3 KMAKE_ARGS=ARCH=x86_64
	rm -rf "$dir"
	mkdir -p "$dir/dl" "$dir/dist"
	in_root -C "$(inside "$dir/dl")" apt-get -q -o APT::Sandbox::User=root download \
		"linux-headers-$abi:amd64=$version"
	dpkg-deb -x "$dir"/dl/*.deb "$dir/dist"
	rm -r "$dir/dl"
	fetch_source "$dir/tree" "$KERNEL_SERIES" "$version"
	prepare_tree "$dir/tree/linux" "$abi" "$dir/dist/usr/src/linux-headers-$abi"
	touch "$dir/prepared"
}

# ensure_host_tree: sets HABI and HVERSION, the kernel and its version, and HTREE, its
# source.
ensure_host_tree() {
	local key home
	[ "$(uname -m)" = x86_64 ] || die "the test of the DKMS package runs on x86-64 only; this machine is $(uname -m)"
	ensure_toolchain
	refresh_lists
	HABI=$(newest_abi "$KERNEL_SERIES" amd64)
	[ -n "$HABI" ] || die "the package lists have no $KERNEL_SERIES kernel for amd64"
	HVERSION=$(in_root apt-cache show --no-all-versions "linux-headers-$HABI:amd64" | sed -n 's/^Version: //p')
	key=$(hash_of "$HABI" "$HVERSION" "$(basename "$TOOLCHAIN")" "$(declare -f make_host_tree fetch_source prepare_tree)")
	home=$RIG_CACHE/kernel-$HABI-$key
	HTREE=$home/tree/linux
	[ -e "$home/prepared" ] ||
		step "Prepare the $HABI source tree for Rust modules" 150 make_host_tree "$home" "$HABI" "$HVERSION"
}
