# SPDX-License-Identifier: GPL-2.0
# The wire's interrupt goes from CPU to CPU, and the CPU that has it goes offline,
# in each mode with verified I/O going on: nothing times out, no byte is wrong.
# vm: short=on rt=on cpus=4 timeout=400 forbid="ufshcd_abort|timing out command|ufshcd_err_handler|I/O error|uic cmd .* timeout"
. /job/lib.sh

# cpu_of IRQ: where it last went, as the kernel says.
cpu_of() { cat "/proc/irq/$1/effective_affinity_list"; }

load_board
load_driver
one=$(first_host)
two=$(second_host)
wire=$(wire_of "$one")
verify_until_stop "$(disk_of "$one")" &
verify_until_stop "$(disk_of "$two")" --iodepth=1 &

offlines=$(in_form 2 9)
for mode in $(modes); do
	set_mode "$one" "$mode"
	set_mode "$two" "$mode"
	moved=0
	end=$(uptime_after "$(in_form 1 5)")
	while [ "$(seconds_up)" -lt "$end" ]; do
		cpu=$((moved % 4))
		echo "$cpu" >"/proc/irq/$wire/smp_affinity_list"
		same "$mode: CPU of the wire" "$cpu" "$(cpu_of "$wire")"
		usleep 20000
		moved=$((moved + 1))
	done
	ok "$mode: moved $moved times"

	off=0
	while [ "$off" -lt "$offlines" ]; do
		cpu=$((off % 3 + 1))
		echo "$cpu" >"/proc/irq/$wire/smp_affinity_list"
		usleep 50000
		echo 0 >"/sys/devices/system/cpu/cpu$cpu/online" || fail "$mode: CPU $cpu cannot go offline"
		[ "$(cpu_of "$wire")" != "$cpu" ] || fail "$mode: the wire stayed on CPU $cpu"
		usleep 50000
		echo 1 >"/sys/devices/system/cpu/cpu$cpu/online" || fail "$mode: CPU $cpu cannot come back"
		off=$((off + 1))
	done
	ok "$mode: its CPU went offline $off times"
done
stop_and_wait
ok "verified $(verified) times"
