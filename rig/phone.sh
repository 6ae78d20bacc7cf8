# SPDX-License-Identifier: GPL-2.0
# What goes to a phone to measure there. Source it behind userland.sh
# and build.sh.

# What the guest's own programs make of the C library and of fio's libraries, beside
# the programs: a phone has none of them.
PHONE_LIBRARIES=usr/lib/aarch64-linux-gnu

# fio_starter: runs the fio beside it with the libraries beside it.
fio_starter() {
	cat <<-'END'
		#!/bin/sh
		# SPDX-License-Identifier: GPL-2.0
		# fio with libraries of its own: it needs nothing of the machine but its kernel.
		here=$(cd "$(dirname "$0")" && pwd)/fio.d
		exec "$here/ld-linux-aarch64.so.1" --library-path "$here" "$here/fio" "$@"
	END
}

# build_ufsbench: after ensure_userland and build_ufsirq; sets UFSBENCH, a directory
# that has all it takes, for arm64.
build_ufsbench() {
	UFSBENCH=$PROJECT/build/ufsbench
	rm -rf "$UFSBENCH"
	mkdir -p "$UFSBENCH/fio.d"
	cp "$PROJECT"/tools/ufsbench/{ufsbench.sh,README.md,*.fio} "$USERLAND/usr/bin/victim" "$UFSIRQ" "$UFSBENCH/"
	# Stubs and the like of other programs are small.
	cp "$USERLAND/usr/bin/fio" "$USERLAND/$PHONE_LIBRARIES"/* "$UFSBENCH/fio.d/"
	fio_starter >"$UFSBENCH/fio"
	chmod +x "$UFSBENCH/fio" "$UFSBENCH/fio.d/ld-linux-aarch64.so.1"
}
