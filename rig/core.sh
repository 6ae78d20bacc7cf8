# SPDX-License-Identifier: GPL-2.0
# Other UFS cores than the distribution's, to boot in place of it: a machine asks
# for one by name (core= in a test's '# vm:' line). ensure_cores sets CORES, a list
# of NAME=PATH.
#
#   threaded   handles every interrupt in a thread, as 6.16 to 7.1 did

build_core() {
	local name=$1 tmp=$2 patch=/src/rig/patches/ufshcd-$1.patch
	rm -rf "$tmp"
	cp -r "$KSOURCE/drivers/ufs/core" "$tmp"
	in_root -C "$(inside "$tmp")" git apply -p4 --verbose "$patch"
	# shellcheck disable=SC2046 # a list
	in_root $(kbuild_command) M="$(inside "$tmp")" modules
}

# ensure_cores: none for a kernel that has the core built in.
ensure_cores() {
	local name key home
	CORES=()
	grep -q '^CONFIG_SCSI_UFSHCD=m$' "$KTREE/.config" || return 0
	for name in threaded; do
		key=$(hash_of "$(declare -f build_core)" "$(cat "$RIG/patches/ufshcd-$name.patch")")
		home=$(dirname "$KDIST")/core-$name-$key
		if [ ! -d "$home" ]; then
			step "Build the UFS core '$name' for $KABI" 30 build_core "$name" "$home.tmp"
			publish "$home.tmp" "$home"
		fi
		CORES+=("$name=$(inside "$home")/ufshcd-core.ko")
	done
}
