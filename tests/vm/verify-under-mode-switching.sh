# SPDX-License-Identifier: GPL-2.0
# Data stays right, and nothing times out, while the mode of both hosts is
# switched 50 times a second for a minute (12 s in a brief run), under I/O of all sizes and depths.
# vm: cpus=2 timeout=600 forbid="ufshcd_abort|timing out command|ufshcd_err_handler|tag#.*FAILED|I/O error"
. /job/lib.sh

seconds=$(in_form 12 60)
SWITCHES=$((seconds * 50))

# Both hosts in one go. What waits on the pipe starts no program, which would
# take too long here.
switch_modes() {
	n=0
	while [ ! -e "$STOP" ]; do
		for mode in threaded hardirq adaptive; do
			echo "$mode" >"$one"
			echo "$mode" >"$two"
			n=$((n + 1))
			read -r -t 0.018 _ <&3 || :
		done
		echo "$n" >/tmp/switches
	done
}

enough() {
	read -r switches </tmp/switches
	[ "$switches" -ge "$SWITCHES" ] && [ "$(seconds_up)" -ge "$end" ]
}

load_board
load_driver
mkfifo /tmp/pipe
exec 3<>/tmp/pipe
echo 0 >/tmp/switches
one=$(attr "$(first_host)" irq_mode)
two=$(attr "$(second_host)" irq_mode)
start=$(seconds_up) end=$(uptime_after "$seconds")
for host in $(hosts); do
	disk=$(disk_of "$host")
	verify_until_stop "$disk" --bsrange=4k-8k --iodepth=1 &
	verify_until_stop "$disk" --bsrange=4k-512k --blockalign=4k --iodepth=8 --offset=32m --size=16m &
	verify_until_stop "$disk" --bsrange=4k-64k --blockalign=4k --iodepth=32 --offset=64m --size=8m &
done
switch_modes &
renice -n -10 -p $! >/dev/null
wait_for 500 enough || fail "only $(cat /tmp/switches) switches in 500 s"
seconds=$(($(seconds_up) - start))
stop_and_wait
[ "$(verified)" -ge 6 ] || fail "only $(verified) rounds of I/O were verified"
note "$((switches / seconds)) switches a second"
ok "$seconds s of I/O, $(verified) rounds of fio --verify, $switches switches of each host"
