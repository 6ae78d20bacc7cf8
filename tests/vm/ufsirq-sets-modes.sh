# SPDX-License-Identifier: GPL-2.0
# ufsirq lists hosts with their modes and contexts, sets modes, and says what to
# do where it cannot: without the module, for a wrong host or mode, without root.
# vm: cpus=2
. /job/lib.sh

# shown HOST NAME: what the list says.
shown() { ufsirq list "$1" | awk -v name="$2" '$1 == name { print $2 }'; }

# fails CODE TEXT COMMAND...: it must end with that code, and say that text.
fails() {
	code=0
	expected=$1
	text=$2
	shift 2
	"$@" >/tmp/said 2>&1 || code=$?
	same "exit code of $*" "$expected" "$code"
	grep -q "$text" /tmp/said || fail "$*: should have said '$text': $(cat /tmp/said)"
}

# unprivileged ARGUMENT...: ufsirq as nobody.
mkdir -p /etc
echo "nobody:x:65534:65534::/:/bin/sh" >/etc/passwd
unprivileged() { start-stop-daemon -S -c nobody -x /bin/ufsirq -- "$@"; }

load_board
fails 1 "the driver is not loaded .*insmod ufs_unisoc.ko" ufsirq
fails 2 "there are: list, mode, " ufsirq frobnicate
ok "without the module it says what to load"

load_driver irq_mode=hardirq
one=$(first_host)
two=$(second_host)
for host in "$one" "$two"; do
	same "listed mode of $host" hardirq "$(shown "$host" irq_mode)"
	set_mode "$host" threaded
	same "listed mode of $host" threaded "$(shown "$host" irq_mode)"
	read_disk "$(disk_of "$host")" 20
	same "listed context of $host" thread "$(shown "$host" irq_context)"
done
same "hosts in the list" "$one $two" "$(ufsirq | grep '^[0-9]' | xargs)"
ok "lists modes and contexts as they are"

ufsirq mode "$one" hardirq
same "mode of $one" hardirq "$(mode_of "$one")"
same "mode of $two" threaded "$(mode_of "$two")"
ufsirq mode all threaded >/tmp/said
same "mode of $one" threaded "$(mode_of "$one")"
grep -q "^$one: mode was hardirq, is threaded" /tmp/said || fail "$one: $(cat /tmp/said)"
grep -q "^$two: mode is threaded already" /tmp/said || fail "$two: $(cat /tmp/said)"
for mode in $(modes_of "$one" | tr -d '[]'); do
	ufsirq mode all "$mode"
	same "mode of $one" "$mode" "$(mode_of "$one")"
	same "mode of $two" "$mode" "$(mode_of "$two")"
done
ok "sets the mode of one host and of all, to each mode there is"

log_mark
ufsirq mode all threaded
fails 1 "'sometimes' is no mode of it; valid are: hardirq, threaded" ufsirq mode all sometimes
same "mode of $one" threaded "$(mode_of "$one")"
fails 1 "no host is called 'x.ufs'; there are: $one, $two" ufsirq mode x.ufs hardirq
fails 1 "no host is called 'bind'" ufsirq mode bind hardirq
same "lines of the driver in the log" 0 "$(log_since | grep -c "irq_mode" || true)"
ok "a wrong mode or host is told what there is, and does not reach the driver"

unprivileged list "$one" >/tmp/said || fail "list: $(cat /tmp/said)"
grep -q "irq_mode  *threaded" /tmp/said || fail "list: $(cat /tmp/said)"
fails 1 "only root may" unprivileged mode "$one" hardirq
same "mode of $one" threaded "$(mode_of "$one")"
ok "without root it says that only root may"

for host in "$one" "$two"; do echo "$host" >"$DRIVER/unbind"; done
fails 1 "bound to no host" ufsirq
rmmod ufs_unisoc
fails 1 "the driver is not loaded" ufsirq
ok "goes on to tell how things are when hosts and the module have gone"
