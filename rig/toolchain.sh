# SPDX-License-Identifier: GPL-2.0
# The toolchain root: a small Debian with the compilers the distribution's
# kernels were built with, and a QEMU that has a UFS controller. Sets TOOLCHAIN.

# rustc must be the very one of the kernel under test; dwarves keeps BTF on.
TOOLCHAIN_PACKAGES="make gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf
	bc flex bison libelf-dev libssl-dev dwarves cpio kmod xz-utils zstd rsync perl python3
	rustc rust-src rustfmt rust-clippy cargo bindgen clang llvm lld
	qemu-system-arm device-tree-compiler git ca-certificates"

# debian_mirror: the mirror this machine's own apt uses for Debian; empty on
# other distributions, where mmdebstrap's default serves.
debian_mirror() {
	if [ -n "${DEBIAN_MIRROR:-}" ]; then
		printf '%s\n' "$DEBIAN_MIRROR"
		return
	fi
	# shellcheck disable=SC2016 # a format string of apt's own
	{ apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Origin: Debian' 'Label: Debian' 2>/dev/null || true; } | head -n 1
}

apt_sources() {
	local mirror=$1 key=$2
	printf 'deb [signed-by=%s] %s %s main\n' "$key" "$mirror" "$SUITE"
	printf 'deb [signed-by=%s] %s %s-backports main\n' "$key" "$mirror" "$SUITE"
}

host_packages() {
	local missing=() p
	for p in mmdebstrap unshare flock python3; do
		command -v "$p" >/dev/null || missing+=("$p")
	done
	[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=(debian-archive-keyring)
	[ ${#missing[@]} -gt 0 ] || return 0
	command -v apt-get >/dev/null ||
		die "missing on this machine: ${missing[*]}, and there is no apt-get to install them. Debian or Ubuntu is expected."
	step "Install mmdebstrap on this machine" 20 sh -c '
		apt-get update
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
			mmdebstrap debian-archive-keyring util-linux python3'
}

# ensure_dtschema: the tools that check device tree bindings, from the backports.
ensure_dtschema() {
	in_root sh -c 'command -v dt-validate >/dev/null && command -v yamllint >/dev/null' && return 0
	refresh_lists
	step "Install the tools that check device tree bindings" 20 in_root \
		apt-get -q install -y --no-install-recommends "dt-schema/$SUITE-backports" yamllint
}

# ensure_e2fsprogs: what makes file systems of directories.
ensure_e2fsprogs() {
	in_root sh -c 'command -v mke2fs >/dev/null' && return 0
	refresh_lists
	step "Install e2fsprogs in the toolchain root" 10 in_root \
		apt-get -q install -y --no-install-recommends e2fsprogs
}

# ensure_sphinx: what builds the documentation, and reads the Markdown in it.
ensure_sphinx() {
	in_root python3 -c 'import sphinx, myst_parser' 2>/dev/null && return 0
	refresh_lists
	step "Install Sphinx" 30 in_root \
		apt-get -q install -y --no-install-recommends python3-sphinx python3-myst-parser
}

# add_arm64_std: Rust's standard library for arm64, of the very version of rustc.
# Unpacked and not installed: its dependencies are only needed to run a compiler.
add_arm64_std() {
	local target=$1 version tmp=$TOOLCHAIN-std.tmp
	# shellcheck disable=SC2016 # a format string of dpkg's own
	version=$(in_root dpkg-query -W -f '${Version}' rustc)
	rm -rf "$tmp"
	mkdir -p "$tmp/dl"
	in_root -C "$(inside "$tmp/dl")" apt-get -q -o APT::Sandbox::User=root download \
		"libstd-rust-dev:arm64=$version" || {
		echo "The mirror has no $version any more: remove $TOOLCHAIN, and the root is made anew."
		return 1
	}
	dpkg-deb -x "$tmp"/dl/*.deb "$tmp/deb"
	publish "$tmp/deb/usr/lib/rustlib/$target" "$TOOLCHAIN/usr/lib/rustlib/$target"
	rm -rf "$tmp"
}

# ensure_arm64_std: what programs for the guest are built with, beside the linker.
ensure_arm64_std() {
	local target=aarch64-unknown-linux-gnu
	[ -d "$TOOLCHAIN/usr/lib/rustlib/$target" ] && return 0
	refresh_lists
	step "Fetch Rust's standard library for arm64" 10 add_arm64_std "$target"
}

fetch_crates() {
	local tmp=$1 v settings=()
	rm -rf "$tmp"
	mkdir -p "$tmp"
	# Certificates and proxies of this machine are meant for the root as well.
	v=${CARGO_HTTP_CAINFO:-${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}}
	if [ -r "$v" ]; then
		cp "$v" "$tmp/ca.crt"
		settings+=("CARGO_HTTP_CAINFO=$(inside "$tmp")/ca.crt")
	fi
	for v in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY CARGO_HTTP_PROXY; do
		[ -z "${!v:-}" ] || settings+=("$v=${!v}")
	done
	in_root env "${settings[@]}" CARGO_HOME="$(inside "$tmp")" \
		cargo fetch --locked --target x86_64-unknown-linux-gnu --target aarch64-unknown-linux-gnu
}

# ensure_crates: what ufsirq and the host tests use from crates.io, for this machine
# and for arm64, in the versions and with the checksums of Cargo.lock. Sets CRATES,
# a directory for CARGO_HOME.
ensure_crates() {
	local key
	key=$(hash_of "$(basename "$TOOLCHAIN")" "$(declare -f fetch_crates)" "$(cat "$PROJECT/Cargo.lock")")
	CRATES=$RIG_CACHE/crates-$key
	[ -d "$CRATES" ] && return 0
	step "Fetch the crates that ufsirq and the host tests use" 10 fetch_crates "$CRATES.tmp"
	publish "$CRATES.tmp" "$CRATES"
}

make_toolchain() {
	local tmp=$1 mirror sources packages
	mirror=$(debian_mirror)
	# shellcheck disable=SC2086 # a list
	packages=$(echo $TOOLCHAIN_PACKAGES | tr ' ' ',')
	rm -rf "$tmp"
	# Proxies and the like of this machine are meant for the root as well.
	apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https)::' >"$RIG_CACHE/apt-acquire.conf" || true
	if [ -n "$mirror" ]; then
		sources=$(apt_sources "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg)
		printf '%s\n' "$sources" |
			mmdebstrap --variant=minbase --mode=root --architectures=amd64,arm64 \
			--aptopt="$RIG_CACHE/apt-acquire.conf" \
			--include="$packages" "$SUITE" "$tmp" -
	else
		mmdebstrap --variant=minbase --mode=root --architectures=amd64,arm64 \
			--keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
			--aptopt="$RIG_CACHE/apt-acquire.conf" \
			--include="$packages" "$SUITE" "$tmp"
		sed -n "s/^\(deb .*\) $SUITE main\$/\1 $SUITE-backports main/p" \
			"$tmp/etc/apt/sources.list" >>"$tmp/etc/apt/sources.list.d/backports.list"
	fi
	cp "$RIG_CACHE/apt-acquire.conf" "$tmp/etc/apt/apt.conf.d/80rig"
}

ensure_toolchain() {
	local key
	need_root
	host_packages
	key=$(hash_of "$SUITE" "$TOOLCHAIN_PACKAGES" 1)
	TOOLCHAIN=$RIG_CACHE/toolchain-$key
	[ -d "$TOOLCHAIN" ] && return 0
	need_space 6
	step "Make the toolchain root (Debian $SUITE, rustc, QEMU)" 110 \
		make_toolchain "$TOOLCHAIN.tmp"
	publish "$TOOLCHAIN.tmp" "$TOOLCHAIN"
}
