# SPDX-License-Identifier: GPL-2.0
# What `make demo` shows, in the guest.
. /job/lib.sh
. /job/settings

show() { sed 's/^/show /' >"$REPORT"; }
run()  { echo "\$ $*" | show; "$@" 2>&1 | show; }

load_board
devices=$(board_devices)
one=$(echo "$devices" | sed -n 1p)
two=$(echo "$devices" | sed -n 2p)
[ -n "$two" ] || fail "the board has no second UFS host"
echo "\$ insmod ufs_unisoc.ko irq_mode=hardirq,$two:threaded" | show
load_driver "irq_mode=hardirq,$two:threaded"
same "mode of $one" hardirq "$(mode_of "$one")"
same "mode of $two" threaded "$(mode_of "$two")"
cd /sys/bus/platform/devices || exit
run head "$one/irq_mode" "$two/irq_mode"
ok "two hosts, each with the mode that the load asked for"

for host in "$one" "$two"; do
	disk=$(disk_of "$host")
	run mkfs.ext4 -q "$disk"
	mount -t ext4 "$disk" /mnt
	dd if=/dev/urandom of=/mnt/data bs=64k count=64 2>/dev/null
	written=$(sha256sum </mnt/data)
	umount /mnt
	mount -t ext4 "$disk" /mnt
	read_back=$(sha256sum </mnt/data)
	umount /mnt
	same "$host: checksum of what was read back" "$written" "$read_back"
	echo "  $host: 4 MiB written, read back, sha256 $(echo "$written" | cut -c1-16)..., equal" | show
done
ok "ext4 on both hosts: what is read back is what was written"

read_disk "$(disk_of "$one")" 100
read_disk "$(disk_of "$two")" 100
run head "$one/irq_context" "$two/irq_context"
run grep -i -e CPU -e ufs /proc/interrupts
same "context of $one" hardirq "$(context_of "$one")"
same "context of $two" thread "$(context_of "$two")"
ok "completions ran where the mode says"

run ufsirq list "$one"
ufsirq list "$one" | grep -q "irq_mode  *hardirq" || fail "ufsirq does not list $one as it is"
ok "ufsirq shows a host with what it has counted; it also has top, hist and suggest"

# Clock gating costs the same in every mode; without it the numbers are the modes'.
gating_off
modes=$(modes_of "$one" | tr -d '[]')
disk=$(null_disk "$one")
echo "  now 4 KiB random reads on $one, switching irq_mode between rounds" | show
round=1
while [ "$round" -le "$ROUNDS" ]; do
	for mode in $modes; do
		set_mode "$one" "$mode"
		read_cost "$mode.$round" "$disk" "$READS"
	done
	echo "  round $round of $ROUNDS done" | show
	round=$((round + 1))
done
ok "irq_mode switched $((ROUNDS * $(echo "$modes" | wc -w))) times through sysfs, between measurements"
