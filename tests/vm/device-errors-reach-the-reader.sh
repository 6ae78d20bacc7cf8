# SPDX-License-Identifier: GPL-2.0
# A read that the device fails gives its reader an error, in each mode; reads beside
# it do not, data written beside it is right, and the host goes on as before.
# vm: cpus=2 rt=on timeout=300 bad_sector=4096
. /job/lib.sh

# 2 MiB into the disk.
read_bad() { dd if="$disk" of=/dev/null bs=4k skip=512 count=1 iflag=direct 2>/dev/null; }

load_board
load_driver
host=$(first_host)
disk=$(disk_of "$host")
quiet_console
errors=$(in_form 6 20)
for mode in $(modes); do
	set_mode "$host" "$mode"
	verify_until_stop "$disk" --offset=8m &
	read_until_stop "$disk" &
	n=0
	while [ "$n" -lt "$errors" ]; do
		! read_bad || fail "$mode: the bad sector can be read"
		dd if="$disk" of=/dev/null bs=4k skip=511 count=1 iflag=direct 2>/dev/null || fail "$mode: the block before it cannot be read"
		dd if="$disk" of=/dev/null bs=4k skip=513 count=1 iflag=direct 2>/dev/null || fail "$mode: the block behind it cannot be read"
		n=$((n + 1))
	done
	stop_and_wait
	same "mode of $host" "$mode" "$(mode_of "$host")"
	ok "$mode: $n errors, each the reader's; verified $(verified) times so far"
done
