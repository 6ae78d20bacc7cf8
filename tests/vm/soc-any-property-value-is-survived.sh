# SPDX-License-Identifier: GPL-2.0
# Whatever stands in a property of a host's node, in either device tree form: the host
# works, or its probe fails and the log names the property. Nothing else happens, and
# not to the other host. A sample of all cases, the same one each time (dtseed=N on the
# kernel's command line takes another one); all of them with `make test-long`.
# vm: append="log_buf_len=16M" cpus=2 timeout=600 long_timeout=3000
. /job/lib.sh

CLEAN=22000000.ufs
PHONE=22100000.ufs
SAMPLE=$(in_form 7 14)

# What each host has, and what it could have.
clean_has="compatible reg interrupts clocks clock-names freq-table-hz resets reset-names
	sprd,ufs-anlg-syscon sprd,ufs-ap-ahb-syscon sprd,aon-apb-syscon vcc-supply lanes-per-direction"
phone_has="compatible reg reg-names interrupts clocks clock-names resets reset-names aon_apb_ufs_en
	ap_ahb_ufs_clk ap_apb_ufs_en ufs_refclk_on ahb_ufs_lp ahb_ufs_force_isol ahb_ufs_cb
	ahb_ufs_ies_en ahb_ufs_cg_pclkreq ap_apb_cfg_frc_on vcc-supply lanes-per-direction"
could_have="operating-points-v2 vccq-supply vccq2-supply vdd-hba-supply vcc-max-microamp vcc-supply-1p8
	interrupt-names reg-names freq-table-hz dma-coherent iommus status"

many=0xffffffff
for _ in 1 2 3 4 5; do many=$many:$many; done

# cases HOST PROPERTY...: a word of the board's for each; "=" where there is nothing to drop or cut.
cases() {
	host=$1 there=$2
	shift 2
	for property; do
		[ "$there" = no ] || printf '%s\n' "drop $host:$property" "cut $host:$property"
		for value in "" 0 1 7 0x22000000:0x10 0xffffffff $many nonsense; do
			echo "set $host:$property=$value"
		done
	done
}

# named HOST PROPERTY: the log has a line of that host that says so.
named() {
	case $2 in
	reg) what="reg|register|resource|bytes long" ;;
	reg-names) what="_reg'|reg-names" ;;
	interrupts | interrupt-names) what="interrupt|IRQ" ;;
	clocks | clock-names) what="clock|clk|controller_eb" ;;
	resets | reset-names) what="'controller'|'global'|'ufs_rst'|'ufs_glb_rst'" ;;
	*-supply) what="$2|supply|regulator|${2%-supply}" ;;
	iommus | dma-coherent) what="iommu|dma" ;;
	# Where the core has a number of lanes it asks how many are connected: QEMU cannot tell.
	lanes-per-direction) what="$2|attr-id 0x1561 failed" ;;
	*) what=$2 ;;
	esac
	log_since | grep -E " $1: |/ufs@${1%.ufs}" | grep -qE "$what"
}

# judge HOST PROPERTY CASE: bound and working, or named.
judge() {
	[ "$3" != none ] || return 0
	tried=$((tried + 1))
	if [ -e "$DRIVER/$1" ]; then
		wait_for 20 disk_of "$1" >/dev/null || fail "$3: $1 is bound, but has no disk"
		read_disk "$(disk_of "$1")" 5 || fail "$3: $1 is bound, but cannot be read"
		works=$((works + 1))
	else
		case $2 in compatible | status) ;; *)
			named "$1" "$2" || { log_since; fail "$3: $1 is not bound, and nothing names $2"; } ;;
		esac
		refused=$((refused + 1))
	fi
}

# try CLEAN_CASE PHONE_CASE: both at once.
try() {
	args=
	for op in set drop cut; do
		list=
		for c in "$1" "$2"; do
			case $c in "$op "*) list="${list:+$list/}${c#* }" ;; esac
		done
		[ -z "$list" ] || args="$args $op=$list"
	done
	log_mark
	load_core
	# shellcheck disable=SC2086 # words
	insmod /job/ufs_board.ko $args || fail "the board does not take $args"
	insmod /job/ufs_unisoc.ko
	property=${1#*:} && judge $CLEAN "${property%%=*}" "$1"
	property=${2#*:} && judge $PHONE "${property%%=*}" "$2"
	rmmod ufs_unisoc
	rmmod ufs_board
}

# sample LIST: some of its lines, the same ones for the same seed.
sample() {
	awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$1" | sort -n | cut -f 2- | head -n $SAMPLE
}

works=0 refused=0 tried=0
# shellcheck disable=SC2086 # words
{
	{ cases 0 yes $clean_has; cases 0 no $could_have; } >/tmp/clean
	{ cases 1 yes $phone_has; cases 1 no $could_have; } >/tmp/phone
}
if [ "$(in_form some some all)" = all ]; then
	cp /tmp/clean /tmp/a
	cp /tmp/phone /tmp/b
else
	seed=$(sed -n 's/.*dtseed=\([0-9]*\).*/\1/p' /proc/cmdline)
	[ -n "$seed" ] || seed=1
	note "dtseed=$seed"
	sample /tmp/clean >/tmp/a
	sample /tmp/phone >/tmp/b
fi
quiet_console
paste -d '|' /tmp/a /tmp/b | while IFS='|' read -r a b; do
	try "${a:-none}" "${b:-none}" </dev/null
	echo "$works $refused $tried" >/tmp/counts
done
read -r works refused tried </tmp/counts
[ "$works" -ge 3 ] || fail "only $works of $tried cases work: this proves nothing"
[ "$refused" -ge 3 ] || fail "only $refused of $tried cases were refused: this proves nothing"
load_board
load_driver
same "hosts with a good board" 2 "$(hosts | wc -l)"
ok "$tried values: $works work, $refused are refused with their property's name"
