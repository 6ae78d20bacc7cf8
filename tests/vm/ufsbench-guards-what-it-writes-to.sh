# SPDX-License-Identifier: GPL-2.0
# The workload runner, as a phone's owner uses it: it reads only unless a disk is named
# a second time, refuses a disk that is in use, has the modes take turns, leaves fio's
# JSON, and puts the mode back.
# vm: slow=on cpus=2 hosts=1 timeout=300
. /job/lib.sh

bench() { /job/ufsbench/ufsbench.sh "$@"; }
results() { find /tmp/out -name '*.json' -exec basename {} \; | sort | tr '\n' ' '; }

load_board
load_driver
host=$(first_host)
disk=$(disk_of "$host")
set_mode "$host" threaded
head -c 1048576 /dev/urandom >"$disk"
before=$(head -c 1048576 "$disk" | sha256sum)

bench --dry-run "$disk" >/tmp/commands 2>&1
! grep -q write /tmp/commands || fail "without being told it would write: $(grep write /tmp/commands)"
[ "$(grep -c -- --readonly /tmp/commands)" = "$(grep -c fio /tmp/commands)" ] || fail "not every fio is read-only"
[ ! -e ufsbench-results ] || fail "a dry run leaves results"
same "mode after a dry run" threaded "$(mode_of "$host")"
ok "a dry run says what would be run, and all of it reads only"

bench --rounds 2 --ios 40 --only "t615-randread-4k large" --out /tmp/out "$disk" || fail "ufsbench failed"
expected=
for workload in large-read-32-outstanding t615-randread-4k; do
	for mode in adaptive hardirq threaded; do expected="$expected$workload.$mode.1.json $workload.$mode.2.json "; done
done
same "results" "$expected" "$(results)"
grep -q '"total_ios" : 40' /tmp/out/t615-randread-4k.adaptive.2.json || fail "not 40 requests"
same "mode afterwards" threaded "$(mode_of "$host")"
same "what is on the disk" "$before" "$(head -c 1048576 "$disk" | sha256sum)"
ok "each mode twice, nothing written, the mode is back"

refused "but the disk is" bench --overwrite-contents-of /dev/null "$disk"
refused "is no block device" bench /tmp
refused "there is no mode quick" bench --modes quick "$disk"
refused "no option --quick" bench --quick yes "$disk"
refused "no number of rounds" bench --rounds 0 "$disk"
refused "no workload is left" bench --only randwrite "$disk"
mkfs.ext4 -q -F "$disk"
mount -t ext4 "$disk" /mnt
refused "it is in use (/mnt" bench --overwrite-contents-of "$disk" "$disk"
bench --rounds 1 --warm-up 0 --modes hardirq --only tiobench --dir /mnt --file-size 16k --out /tmp/files "$disk" ||
	fail "ufsbench with files failed"
same "runs with files" 4 "$(find /tmp/files -name '*.json' | wc -l)"
same "what is left of the files" lost+found "$(ls /mnt)"
umount /mnt
ok "refuses what it should, and removes its files"

rm -r /tmp/out
bench --rounds 1 --warm-up 0 --ios 40 --modes adaptive --only randwrite-4k --out /tmp/out --overwrite-contents-of "$disk" "$disk" ||
	fail "ufsbench with writes failed"
same "results" "t615-randwrite-4k.adaptive.1.json " "$(results)"
[ "$before" != "$(head -c 1048576 "$disk" | sha256sum)" ] || fail "nothing was written"
ok "writes if the disk is named again"
