#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-dkms.sh: the DKMS package in a fresh root of the distribution, for the kernel of
# this machine's architecture: installed, built anew, refused where it should be, and
# gone without a trace. Ends with 'N passed, N failed'.

. "$(dirname "$0")/../rig.sh"

# What somebody installs to use DKMS with Rust, and to have a root disk on UFS.
DKMS_PACKAGES="dkms make gcc rustc rust-src bindgen initramfs-tools kmod"

make_dkms_root() {
	local tmp=$1 packages p
	# shellcheck disable=SC2086 # a list
	packages=$(echo $DKMS_PACKAGES | tr ' ' ',')
	# Which asks for a newer one than is in the release itself.
	packages=$packages,linux-base/$SUITE-backports
	for p in headers image; do packages=$packages,linux-$p-$KABI; done
	rm -rf "$tmp"
	# From where the toolchain root came from.
	find "$TOOLCHAIN/etc/apt" -name '*.list' -exec cat {} + |
		mmdebstrap --variant=minbase --mode=root --aptopt="$RIG_CACHE/apt-acquire.conf" \
			--keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
			--include="$packages" "$SUITE" "$tmp" -
}

# in_fresh COMMAND...: in the root as it was made; what the command changes lies on top.
in_fresh() {
	local top=$RIG_CACHE/dkms-top
	rm -rf "$top"
	mkdir -p "$top/changes" "$top/work" "$top/root"
	export -f in_root
	export PROJECT RIG_CACHE
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount bash -euc '
		mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/work" "$2/root"
		TOOLCHAIN=$2/root in_root "${@:3}"
	' bash "$root" "$top" "$@"
}

prepared=
trap '[ -n "$prepared" ] || echo "0 passed, 1 failed"' EXIT
need_root
# DKMS builds for where it runs.
[ "$(uname -m)" = x86_64 ] || die "the test of the DKMS package runs on x86-64 only; this machine is $(uname -m)"
lock rig
ensure_kernel "$KERNEL_SERIES" amd64
# The root is nobody else's business: other runs need not wait for it.
flock -u 9
lock dkms
key=$(hash_of "$KABI" "$KVERSION" "$DKMS_PACKAGES" "$(declare -f make_dkms_root)")
root=$RIG_CACHE/dkms-$KABI-$key
[ -d "$root" ] || {
	need_space 4
	step "Make a fresh root with DKMS and the $KABI kernel" 120 make_dkms_root "$root.tmp"
	publish "$root.tmp" "$root"
}
prepared=yes
in_fresh bash rig/dkms/check-in-root.sh "$KABI" "$(inside "$KTREE")"
