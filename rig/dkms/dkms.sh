#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# dkms.sh install|uninstall: put the driver's source where DKMS looks for it, and have
# it built and installed for the kernel $KERNEL, by default the running one; or take
# all of it away again, for every kernel.

set -euo pipefail

PROJECT=$(cd "$(dirname "$0")/../.." && pwd)
NAME=ufs_unisoc
VERSION=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$PROJECT/dkms.conf")
SOURCE=/usr/src/$NAME-$VERSION
# What the module is built from, and what goes with it.
FILES="COPYING Cargo.toml Kbuild Makefile README.md dkms.conf drivers rust rig/compile/kdir.sh tools/boot"

stop() { printf 'ufs_unisoc: %s\n' "$*" >&2; exit 1; }

added() { [ -e "/var/lib/dkms/$NAME/$VERSION" ]; }

[ "$(id -u)" = 0 ] || stop "this needs root, to write to /usr/src and /lib/modules."
command -v dkms >/dev/null || stop "there is no dkms here: install it (Debian: dkms)."

case ${1:-} in
install)
	kernel=${KERNEL:-$(uname -r)}
	if added; then
		dkms remove "$NAME/$VERSION" --all
	fi
	rm -rf "$SOURCE"
	mkdir -p "$SOURCE"
	# shellcheck disable=SC2086 # a list
	(cd "$PROJECT" && tar -c --exclude='*_generated.rs' $FILES) | tar -x --no-same-owner -C "$SOURCE"
	dkms add "$NAME/$VERSION"
	# The reason is in the log, at its end; DKMS names the log only.
	dkms install "$NAME/$VERSION" -k "$kernel" || {
		rc=$?
		log=/var/lib/dkms/$NAME/$VERSION/build/make.log
		[ ! -e "$log" ] || grep '^ufs_unisoc: ' "$log" >&2 || tail -n 20 "$log" >&2
		[ "$rc" != 77 ] || stop "not meant for $kernel: see BUILD_EXCLUSIVE in dkms.conf, and Documentation/dkms.rst."
		stop "not installed; to take away what was tried: make dkms-uninstall"
	}
	;;
uninstall)
	! added || dkms remove "$NAME/$VERSION" --all
	rm -rf "$SOURCE"
	;;
*) stop "usage: dkms.sh install|uninstall" ;;
esac
