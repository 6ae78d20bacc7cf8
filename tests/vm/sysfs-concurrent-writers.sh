# SPDX-License-Identifier: GPL-2.0
# Many writers of a host's file and of the parameter at once, under I/O: every
# read shows a whole value, and the last write counts.
# vm: cpus=2 timeout=180 forbid="ufshcd_abort|ufshcd_.*timed? ?out|error handler"
. /job/lib.sh

load_board
load_driver
one=$(first_host)
two=$(second_host)
file=$(attr "$one" irq_mode)

write_modes() {
	while [ ! -e "$STOP" ]; do
		echo hardirq >"$file"
		echo threaded >"$file"
		echo sometimes >"$file" 2>/dev/null && touch /tmp/bad-write-taken
		:
	done
}
write_parameter() {
	while [ ! -e "$STOP" ]; do
		echo "hardirq,$two:threaded" >"$PARAM"
		echo "threaded,$two:hardirq" >"$PARAM"
	done
}
quiet_console 'is not a mode'
write_modes &
write_modes &
write_parameter &
write_parameter &
read_until_stop "$(disk_of "$one")" &
read_until_stop "$(disk_of "$two")" &

reads=0
end=$(uptime_after "$(in_form 5 15)")
while [ "$(seconds_up)" -lt "$end" ]; do
	read -r value <"$file"
	case $value in
	"[hardirq] threaded adaptive" | "hardirq [threaded] adaptive") ;;
	*) fail "irq_mode reads '$value'" ;;
	esac
	read -r value <"$PARAM"
	case $value in
	hardirq | "hardirq,$two:threaded" | "threaded,$two:hardirq") ;;
	*) fail "the parameter reads '$value'" ;;
	esac
	reads=$((reads + 1))
done
stop_and_wait
[ ! -e /tmp/bad-write-taken ] || fail "a bad word was taken"
ok "$reads reads of each, all whole"
for mode in hardirq threaded; do
	echo "$mode" >"$PARAM"
	same "mode of $one after the parameter was written" "$mode" "$(mode_of "$one")"
done
set_mode "$one" hardirq
same "mode of $one" hardirq "$(mode_of "$one")"
read_disk "$(disk_of "$one")" 20
same "irq_context of $one" hardirq "$(context_of "$one")"
ok "the last write counts"
