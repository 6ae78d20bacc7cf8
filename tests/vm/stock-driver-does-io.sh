# SPDX-License-Identifier: GPL-2.0
# The rig itself: the distribution's own driver does I/O on both controllers.
# If this fails, look at the rig first and at the module later.
# vm: rt=on cpus=2 timeout=90
. /job/lib.sh

load_stock
for disk in /dev/sda /dev/sdb; do
	mkfs.ext4 -q "$disk"
	mount -t ext4 "$disk" /mnt
	dd if=/dev/urandom of=/tmp/data bs=64k count=32 2>/dev/null
	cp /tmp/data /mnt/data
	umount /mnt
	mount -t ext4 "$disk" /mnt
	cmp /tmp/data /mnt/data || fail "$disk: what was written differs from what is read"
	umount /mnt
	ok "$disk: ext4, 2 MiB written and read back"
done
before=$(interrupts ufshcd)
read_disk /dev/sda 200
after=$(interrupts ufshcd)
[ $((after - before)) -ge 200 ] || fail "200 reads made $((after - before)) interrupts"
ok "200 single reads make $((after - before)) interrupts"
