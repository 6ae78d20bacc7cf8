# SPDX-License-Identifier: GPL-2.0
# Build this project's modules for the kernel that ensure_kernel has chosen.
# Sets BUILD, the directory of the results, and MODULES, their paths. build_ufsirq
# builds the tool that goes with the driver and sets UFSIRQ, its path.

# kbuild SOURCE OUTPUT ARGUMENT...: an out-of-tree build inside the root; the
# two directories are relative to the project.
kbuild() {
	local source=$1 output=$2
	shift 2
	mkdir -p "$PROJECT/$output"
	# shellcheck disable=SC2046 # a list
	in_root $(kbuild_command) M="/src/$source" MO="/src/$output" KCFLAGS="-fdebug-prefix-map=/src/$output=." "$@"
}

kbuild_command() {
	echo "make -s -j$(nproc) -C $(inside "$KTREE") KERNELRELEASE=$KABI $KMAKE_ARGS"
}

build_driver() {
	BUILD=build/$KABI
	step "Build ufs_unisoc.ko for $KABI" 20 kbuild . "$BUILD" modules
	MODULES=("$PROJECT/$BUILD/ufs_unisoc.ko")
}

# build_kunit: the driver once more, with the tests of its abstractions in it, where
# they can run.
build_kunit() {
	local output=$BUILD/kunit
	grep -q '^CONFIG_KUNIT=y$' "$KTREE/.config" || return 0
	step "Build ufs_unisoc.ko with its KUnit tests for $KABI" 60 \
		kbuild . "$output" CONFIG_UFS_UNISOC_KUNIT_TEST=y modules
	# Both go into one directory of the machine.
	cp "$PROJECT/$output/ufs_unisoc.ko" "$PROJECT/$output/ufs_unisoc_kunit.ko"
	MODULES+=("$PROJECT/$output/ufs_unisoc_kunit.ko")
}

# build_modules: the driver and the board that the machines have it on.
build_modules() {
	build_driver
	build_kunit
	step "Build the test board for $KABI" 5 kbuild tests/board "$BUILD/board" modules
	MODULES+=("$PROJECT/$BUILD"/board/*.ko)
}

# build_ufsirq: one static program, so that it runs on whatever a phone has.
build_ufsirq() {
	local target=aarch64-unknown-linux-gnu
	ensure_arm64_std
	ensure_crates
	step "Build ufsirq for arm64" 30 in_root env CARGO_HOME="$(inside "$CRATES")" CARGO_TARGET_DIR=/src/build/cargo CARGO_TERM_COLOR=never \
		CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
		RUSTFLAGS="-C target-feature=+crt-static -C strip=symbols" \
		cargo build --release --locked --offline --target "$target" --package ufsirq
	UFSIRQ=$PROJECT/build/ufsirq
	cp "$PROJECT/build/cargo/$target/release/ufsirq" "$UFSIRQ.new"
	mv "$UFSIRQ.new" "$UFSIRQ"
}
