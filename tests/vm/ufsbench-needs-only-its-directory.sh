# SPDX-License-Identifier: GPL-2.0
# What `make ufsbench` leaves is enough on a phone: pushed to a machine that has no fio, no C
# library and no more programs than a phone, it runs as the README says, measures each mode and
# who else is delayed, and leaves results that a report can be made of.
# vm: slow=on cpus=2 hosts=1 timeout=600 phone=on
. /job/lib.sh

phone=/tmp/phone
here=/data/local/tmp

# What a phone has, as far as the runner wants it. Busybox has them, but not its shell, which
# finds all of busybox without looking for files.
programs="awk basename cat chmod cut date dirname env find grep kill ls mkdir paste readlink rm sed sleep
	sort sync tr uname wc"

# on_phone COMMAND: as the shell behind adb.
on_phone() { chroot "$phone" /bin/sh -c "export PATH=/bin; cd $here && $1"; }

load_board
load_driver
host=$(first_host)
disk=$(disk_of "$host")
set_mode "$host" threaded

mkdir -p $phone/bin $phone/dev $phone/proc $phone/sys $phone$here
cp /bin/busybox $phone/bin/
cp /bin/mksh $phone/bin/sh
for program in $programs; do ln -s busybox $phone/bin/$program; done
for dir in dev proc sys; do mount --bind /$dir $phone/$dir; done
cp -r /job/ufsbench $phone$here/
! on_phone "fio --version" 2>/dev/null || fail "there is a fio: this proves nothing"
! on_phone "head -n 1 /proc/version" 2>/dev/null || fail "there are programs beside those listed: this proves nothing"
ok "a machine with ufsbench and little else"

on_phone "sh ufsbench/ufsbench.sh --dry-run --rounds 2 --warm-up 0 $disk" >/tmp/commands 2>&1 || { cat /tmp/commands; fail "the dry run failed"; }
! on_phone "ls -d ufsbench-results" 2>/dev/null || fail "the dry run left results"
on_phone "sh ufsbench/ufsbench.sh --rounds 2 --warm-up 0 --ios 160 --file-size 64k $disk" >/tmp/runner 2>&1 ||
	{ cat /tmp/runner; fail "ufsbench failed"; }
same "mode afterwards" threaded "$(mode_of "$host")"
results=$phone$here/ufsbench-results
same "results" "$(grep -c "^env " /tmp/commands)" "$(ls $results/*.json | wc -l)"
for mode in hardirq threaded adaptive; do
	[ "$(awk '{ n += $2 } END { print n + 0 }' $results/*.$mode.*.victim)" -ge 20 ] ||
		fail "$mode: the victim measured only $(cat $results/*.$mode.*.victim | wc -l) lines"
done
grep -q "busy [0-9]* interrupts [0-9]* all [0-9]" $results/t615-randread-4k.hardirq.1.cpu || fail "no times of CPUs"
ok "each mode twice, $(ls $results | wc -l) files"

on_phone "ufsbench/ufsirq list" | grep -q threaded || fail "ufsirq does not run there: $(on_phone "ufsbench/ufsirq list" 2>&1)"
ok "ufsirq runs there"
for file in facts $(cd $results && ls -- *.1.* *.2.*); do send "$file" "$results/$file"; done
