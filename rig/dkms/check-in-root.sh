#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check-in-root.sh KERNEL TREE: runs in the fresh root of test-dkms.sh. TREE is the whole
# source of the kernel, prepared for Rust modules.

kernel=$1 tree=$2
passed=0 failed=0
work=$(mktemp -d)
full=/usr/src/ufs_unisoc-kernel-$kernel

ok()   { passed=$((passed + 1)); echo "PASS  dkms: $*"; }
bad()  { failed=$((failed + 1)); echo "FAIL  dkms: $*"; sed 's/^/      | /' "$work/out" | tail -n 15; }
# run COMMAND...: its output in a file, for whoever has to say what was wrong.
run()  { "$@" >"$work/out" 2>&1 </dev/null; }
# says TEXT: whether the last command did.
says() { grep -qF -- "$1" "$work/out"; }

# files: all that there is, without what belongs to DKMS and to programs at work.
files() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /src -o -path /cache -o -path /tmp \
		-o -path /var/log -o -path /var/lib/dkms/mok.key -o -path /var/lib/dkms/mok.pub \) -prune -o \
		\( -type f -o -type l \) -printf '%p %l\n' | sort
	find /lib/modules/ -type f -exec sha256sum {} + | sort
}

installed() { [ -n "$(find /lib/modules/"$kernel" -name 'ufs_unisoc.ko*')" ]; }

says_what_is_missing() {
	run make -C /src dkms-install KERNEL="$kernel"
	rc=$?
	[ "$rc" -ne 0 ] && ! installed && says "has no Rust metadata" && says "make dkms-uninstall" &&
		run make -C /src dkms-uninstall
}

installs() {
	run make -C /src dkms-install KERNEL="$kernel" && installed &&
		run dkms status "ufs_unisoc" && says "$kernel" && says installed
}

# The module is one of this kernel, and found by what it is called and what it drives.
is_found() {
	run modinfo -k "$kernel" ufs_unisoc && says "vermagic:       $kernel " && says "irq_mode" &&
		says "version:        $version" &&
		run modprobe -S "$kernel" --show-depends ufs_unisoc && says ufshcd-core.ko && says ufs_unisoc.ko || return 1
	for compatible in sprd,ums9230-ufs sprd,ufshc-ums9230; do
		run modprobe -S "$kernel" --resolve-alias "of:NufsT(null)C$compatible" && says ufs_unisoc || return 1
	done
}

# A kernel that the driver was never built for is passed over: no error, nothing built.
# It has all but one thing.
rest="CONFIG_SCSI_UFSHCD=m CONFIG_MFD_SYSCON=y CONFIG_RESET_CONTROLLER=y"
passes_over() {
	local other=$1 config=$2
	mkdir -p "/lib/modules/$other/build" "/lib/modules/$other/kernel"
	# shellcheck disable=SC2086 # a line each
	printf '%s\n' $config >"/lib/modules/$other/build/.config"
	run dkms build ufs_unisoc/"$version" -k "$other"
	rc=$?
	rm -r "/lib/modules/${other:?}"
	[ "$rc" = 77 ] && [ ! -e "/var/lib/dkms/ufs_unisoc/$version/$other" ]
}

# What a new kernel's package does.
builds_for_a_new_kernel() {
	run dkms uninstall ufs_unisoc/"$version" -k "$kernel" && ! installed &&
		run dkms unbuild ufs_unisoc/"$version" -k "$kernel" && run dkms autoinstall -k "$kernel" && installed
}

# With the hook the initramfs has the driver, what is below it, and the options. Without
# it there would be no need for one.
is_in_the_initramfs() {
	local image=$work/initrd
	run mkinitramfs -o "$image" "$kernel" && run lsinitramfs "$image" && ! says ufs_unisoc.ko || return 1
	cp /src/tools/boot/initramfs-tools/ufs_unisoc /etc/initramfs-tools/hooks/
	sed 's/^#options ufs_unisoc irq_mode=threaded/options ufs_unisoc irq_mode=threaded/' \
		/src/tools/boot/modprobe/ufs_unisoc.conf >/etc/modprobe.d/ufs_unisoc.conf
	run mkinitramfs -o "$image" "$kernel" && run lsinitramfs "$image" && says ufs_unisoc.ko &&
		says ufshcd-core.ko && says sd_mod.ko && says etc/modprobe.d/ufs_unisoc.conf &&
		run modprobe -S "$kernel" --show-depends ufs_unisoc && says "irq_mode=threaded,20200000.ufs:hardirq"
	rc=$?
	rm -f /etc/initramfs-tools/hooks/ufs_unisoc /etc/modprobe.d/ufs_unisoc.conf
	return $rc
}

# With the vendor's module installed too udev would load both, in no order that one
# could rely on: the example's lines settle it, by the name udev asks for.
chooses_between_two() {
	local alias='of:NufsT(null)Csprd,ufshc-ums9230' conf=/etc/modprobe.d/ufs_unisoc.conf
	local dir=$work/vendor updates=/lib/modules/$kernel/updates
	mkdir "$dir"
	cp /src/tests/board/ufs-sprd.c "$dir"
	echo 'obj-m := ufs-sprd.o' >"$dir/Kbuild"
	run make -C "$tree" M="$dir" modules && mkdir -p "$updates" && cp "$dir/ufs-sprd.ko" "$updates" &&
		run depmod "$kernel" || return 1
	run modprobe -S "$kernel" -b --show-depends "$alias" && says ufs_unisoc.ko && says ufs-sprd.ko &&
		sed 's/^#blacklist/blacklist/' /src/tools/boot/modprobe/ufs_unisoc.conf >$conf &&
		run modprobe -S "$kernel" -b --show-depends "$alias" && says ufs_unisoc.ko && ! says ufs-sprd.ko &&
		echo 'blacklist ufs_unisoc' >$conf &&
		run modprobe -S "$kernel" -b --show-depends "$alias" && ! says ufs_unisoc.ko && says ufs-sprd.ko &&
		sed 's/^#softdep/softdep/' /src/tools/boot/modprobe/ufs_unisoc.conf >$conf &&
		run modprobe -S "$kernel" --show-depends ufs_sprd && says ufs_unisoc.ko && says ufs-sprd.ko
	rc=$?
	rm -f "$updates/ufs-sprd.ko" $conf
	depmod "$kernel"
	return $rc
}

leaves_nothing() {
	run make -C /src dkms-uninstall && ! installed || return 1
	rm -f "$full"
	files >"$work/after"
	run diff "$work/before" "$work/after"
}

check() { if "$2" "${@:3}"; then ok "$1"; else bad "$1"; fi; }

version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' /src/dkms.conf)
files >"$work/before"
check "headers alone: it says what is missing" says_what_is_missing
ln -s "$tree" "$full"
check "installs for $kernel" installs
check "the module is found by its name and by both compatibles" is_found
check "passes over a kernel of another series" passes_over 6.18.1-test "CONFIG_RUST=y $rest"
check "passes over a kernel without Rust" passes_over 7.3.99-test "$rest"
check "builds for a new kernel by itself" builds_for_a_new_kernel
check "is in the initramfs with its options" is_in_the_initramfs
check "modprobe.d chooses between it and the vendor's driver" chooses_between_two
check "leaves nothing behind" leaves_nothing
rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
