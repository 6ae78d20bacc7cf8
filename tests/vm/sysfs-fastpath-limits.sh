# SPDX-License-Identifier: GPL-2.0
# The limits in irq_fastpath/: what may be read and written, and that whatever else
# is written gives EINVAL, is named in the log, and changes nothing.
# vm: rt=on cpus=2
. /job/lib.sh

# refuse FILE BAD...: each of these, and the value stays.
refuse() {
	file=$(attr "$host" "irq_fastpath/$1")
	name=$1
	shift
	value=$(cat "$file")
	for bad in "$@"; do
		log_mark
		refused "invalid argument" write_to "$file" "$bad"
		same "$name after '$bad'" "$value" "$(cat "$file")"
		log_since | grep -q "$host: irq_fastpath/$name: '.*is not a number from " ||
			fail "'$bad': not named in the log: $(log_since)"
	done
}
# take FILE GOOD...
take() {
	file=$(attr "$host" "irq_fastpath/$1")
	shift
	for good in "$@"; do
		echo "$good" >"$file"
		same "$file" "$good" "$(cat "$file")"
	done
}

load_board
load_driver
host=$(first_host)
same "files" "max_bytes max_cpu_percent max_time_us" "$(find "$(attr "$host" irq_fastpath)" -type f -exec basename {} \; | sort | tr '\n' ' ' | sed 's/ $//')"
take max_bytes 0 1 4096 67108864
take max_time_us 1 10000
take max_cpu_percent 1 100
ok "all that is in range"
garbage="-1 +1 0x10 1.5 one 1k 18446744073709551617 4294967296"
# shellcheck disable=SC2086 # a list
refuse max_bytes $garbage 67108865 " 1" "1 " "1 2" "$(long_text 100)" "$(long_text 5000)"
# shellcheck disable=SC2086 # a list
refuse max_time_us $garbage 0 10001
# shellcheck disable=SC2086 # a list
refuse max_cpu_percent $garbage 0 101 "25%"
read_disk "$(disk_of "$host")" 20
printf '\n' >/tmp/text
refused "invalid argument" dd if=/tmp/text of="$(attr "$host" irq_fastpath/max_bytes)"
ok "all else is refused"
