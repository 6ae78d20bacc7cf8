# SPDX-License-Identifier: GPL-2.0
# What runs in the guest: a handful of arm64 programs with just the libraries
# they need, and the modules of the kernel under test that UFS needs.
# ensure_initramfs sets INITRAMFS, the archive every boot starts from.

# mksh is the shell of Android's phones; the static one, for a root that has little else.
# fio's own dependencies would add 50 MB of network storage clients; the ones
# listed here are enough, userland.py stubs the rest.
USERLAND_PACKAGES="busybox-static e2fsprogs libext2fs2t64 libcom-err2 libblkid1 libuuid1
	fio libaio1t64 libnuma1 zlib1g sg3-utils libsgutils2-1.48 libc6 mksh"
USERLAND_PROGRAMS="usr/bin/busybox usr/bin/fio usr/sbin/mke2fs:usr/sbin/mkfs.ext4 usr/sbin/e2fsck usr/bin/sg_reset
	usr/lib/aarch64-linux-musl/bin/mksh:usr/bin/mksh"

make_userland() {
	local tmp=$1 p packages=() programs=()
	for p in $USERLAND_PACKAGES; do packages+=("$p:arm64"); done
	for p in $USERLAND_PROGRAMS; do programs+=("$p"); done
	rm -rf "$tmp"
	mkdir -p "$tmp/dl" "$tmp/packages" "$tmp/tree"
	in_root -C "$(inside "$tmp/dl")" apt-get -q -o APT::Sandbox::User=root download "${packages[@]}"
	# Their maintainer scripts are for arm64 and are neither needed nor run.
	for p in "$tmp"/dl/*.deb; do dpkg-deb -x "$p" "$tmp/packages"; done
	in_root python3 -B /src/rig/userland.py \
		"$(inside "$tmp/packages")" "$(inside "$tmp/tree")" "${programs[@]}"
	for p in rig/guest/{readcost,workcost,insns,cpureads,failnth} tools/ufsbench/victim; do
		in_root aarch64-linux-gnu-gcc -O2 -Wall -Werror -static -s \
			-o "$(inside "$tmp/tree")/usr/bin/$(basename "$p")" "/src/$p.c"
	done
}

ensure_userland() {
	local key
	key=$(hash_of "$SUITE" "$USERLAND_PACKAGES" "$USERLAND_PROGRAMS" "$(basename "$TOOLCHAIN")" \
		"$(declare -f make_userland)" "$(cat "$PROJECT/rig/userland.py" "$PROJECT"/rig/guest/*.c "$PROJECT"/tools/ufsbench/*.c)")
	USERLAND=$RIG_CACHE/userland-$key
	[ -d "$USERLAND" ] && return 0
	step "Fetch the guest's programs (busybox, fio, e2fsprogs)" 10 make_userland "$USERLAND.tmp"
	publish "$USERLAND.tmp/tree" "$USERLAND"
	rm -rf "$USERLAND.tmp"
}

# What sits under, beside and on top of the module under test.
GUEST_MODULES="ufshcd-core ufshcd-pltfrm ufshcd-pci sd_mod ext4 f2fs fixed"

make_initramfs() {
	local tmp=$1 modules=() m
	for m in $GUEST_MODULES; do modules+=("$m"); done
	rm -rf "$tmp"
	mkdir -p "$tmp"
	in_root python3 -B /src/rig/initramfs.py "$(inside "$USERLAND")" "$(inside "$KDIST")" \
		"$KABI" /src/rig/guest/init "$(inside "$tmp")/base.cpio" "${modules[@]}"
}

# ensure_initramfs: for the kernel that ensure_kernel has chosen.
ensure_initramfs() {
	local key home
	ensure_userland
	key=$(hash_of "$(basename "$USERLAND")" "$GUEST_MODULES" "$(declare -f make_initramfs)" \
		"$(cat "$PROJECT/rig/initramfs.py" "$PROJECT/rig/guest/init")")
	home=$(dirname "$KDIST")/initramfs-$key
	INITRAMFS=$home/base.cpio
	[ -d "$home" ] && return 0
	step "Make the initramfs" 5 make_initramfs "$home.tmp"
	publish "$home.tmp" "$home"
}
