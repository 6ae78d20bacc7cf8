# SPDX-License-Identifier: GPL-2.0
# Writing the parameter while the module is loaded applies to the hosts it
# names, with or without a newline; a bad list changes nothing at all.
# vm: cpus=2
. /job/lib.sh

# check LIST MODE_OF_FIRST MODE_OF_SECOND, for what was just written
check() {
	same "the parameter" "$1" "$(cat "$PARAM")"
	same "$1: mode of $one" "$2" "$(mode_of "$one")"
	same "$1: mode of $two" "$3" "$(mode_of "$two")"
	ok "$1: $2, $3"
}

load_board
load_driver
one=$(first_host)
two=$(second_host)
echo threaded >"$PARAM"
check threaded threaded threaded
write_to "$PARAM" hardirq
check hardirq hardirq hardirq
echo "$two:threaded" >"$PARAM"
check "$two:threaded" hardirq threaded
# What a list does not name stays as it is.
echo "$one:threaded" >"$PARAM"
check "$one:threaded" threaded threaded
read_disk "$(disk_of "$one")" 20
same "irq_context of $one" thread "$(context_of "$one")"

for bad in sometimes "" "$one:hardirq,$two:sometimes" "hardirq,$two:" "$(long_text 600)" "$(long_text 5000)"; do
	refused "invalid argument" write_to "$PARAM" "$bad
"
	same "the parameter after a bad write" "$one:threaded" "$(cat "$PARAM")"
	same "mode of $one after a bad write" threaded "$(mode_of "$one")"
	same "mode of $two after a bad write" threaded "$(mode_of "$two")"
	ok "'$(echo "$bad" | cut -c1-40)' is refused and changes nothing"
done
