# SPDX-License-Identifier: GPL-2.0
# Whatever is written to a host's irq_mode that is not a mode gives EINVAL, is
# named in the log, and changes nothing.
# vm: cpus=2
. /job/lib.sh

load_board
load_driver irq_mode=threaded
host=$(first_host)
file=$(attr "$host" irq_mode)
for bad in sometimes Threaded "hardirq threaded" "[hardirq]" hardirqq hardir " hardirq" "hardirq " \
	"hardirq
threaded" "hardirq

" "hardirq,threaded" "$host:hardirq" "0" "$(long_text 100)" "$(long_text 4096)" "$(long_text 9000)"; do
	log_mark
	refused "invalid argument" write_to "$file" "$bad"
	same "irq_mode after '$bad'" "hardirq [threaded] adaptive" "$(cat "$file")"
	log_since | grep -q "$host: irq_mode: '.*is not a mode; valid are hardirq, threaded, adaptive" ||
		fail "'$bad': not named in the log: $(log_since)"
done
ok "bad words"
printf 'hardirq\000' >/tmp/text
refused "invalid argument" dd if=/tmp/text of="$file"
printf '\n' >/tmp/text
refused "invalid argument" dd if=/tmp/text of="$file"
same "irq_mode" "hardirq [threaded] adaptive" "$(cat "$file")"
ok "a zero byte, and nothing but a newline"
refused "permission denied" write_to "$(attr "$host" irq_context)" hardirq
ok "irq_context takes nothing"
read_disk "$(disk_of "$host")" 20
same "irq_context" thread "$(context_of "$host")"
ok "the mode still works"
