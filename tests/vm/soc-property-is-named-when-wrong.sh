# SPDX-License-Identifier: GPL-2.0
# A required property that is missing or malformed, in either device tree form:
# the probe fails, the log names it, the other host is not disturbed, and without
# the fault the host works. Optional ones are optional, but not if malformed. A brief run
# has one of those that are alike.
# vm: rt=on cpus=2 timeout=1200
. /job/lib.sh

CLEAN=22000000.ufs
PHONE=22100000.ufs

# has HOST YES_OR_NO WHAT: whether it is bound.
has() {
	bound=no
	[ ! -e "$DRIVER/$1" ] || bound=yes
	same "$3: $1 bound" "$2" "$bound"
}

# wrong HOST NAME BOARD_PARAMETER...: the board has this fault, the log that name.
wrong() {
	host=$1 name=$2
	shift 2
	other=$CLEAN
	[ "$host" != $CLEAN ] || other=$PHONE
	load_board "$@"
	log_mark
	insmod /job/ufs_unisoc.ko
	has "$host" no "$*"
	has "$other" yes "$*"
	log_since | grep "ufs_unisoc $host: " | grep -qF "'$name'" || {
		log_since
		fail "$*: the log does not name '$name'"
	}
	refused "" sh -c "echo $host >$DRIVER/bind"
	rmmod ufs_unisoc
	rmmod ufs_board
	ok "$*"
}

# optional HOST BOARD_PARAMETER...: it works like that.
optional() {
	host=$1
	shift
	load_board "$@"
	log_mark
	load_driver
	has "$host" yes "$*"
	read_disk "$(disk_of "$host")" 20 || fail "$*: cannot read"
	! log_since | grep "ufs_unisoc $host: .*missing or wrong" || fail "$*: the log finds fault with it"
	rmmod ufs_unisoc
	rmmod ufs_board
	ok "optional: $*"
}

for property in sprd,ufs-anlg-syscon $(in_form "" sprd,ufs-ap-ahb-syscon); do
	wrong $CLEAN "$property" "drop=0:$property"
	wrong $CLEAN "$property" "set=0:$property=0"
	wrong $CLEAN "$property" "cut=0:$property"
done
wrong $CLEAN sprd,aon-apb-syscon set=0:sprd,aon-apb-syscon=0
wrong $CLEAN controller drop=0:resets
wrong $CLEAN controller drop=0:reset-names
wrong $CLEAN global set=0:reset-names=controller
wrong $CLEAN global cut=0:resets
wrong $CLEAN controller_eb drop=0:clocks/0:clock-names/0:freq-table-hz
optional $CLEAN drop=0:sprd,aon-apb-syscon
optional $CLEAN drop=0:vcc-supply/0:freq-table-hz

for property in ahb_ufs_lp $(in_form "" "aon_apb_ufs_en ap_ahb_ufs_clk ap_apb_ufs_en ufs_refclk_on ahb_ufs_force_isol
	ahb_ufs_cb ahb_ufs_ies_en ahb_ufs_cg_pclkreq"); do
	wrong $PHONE "$property" "drop=1:$property"
	wrong $PHONE "$property" "cut=1:$property"
done
wrong $PHONE ap_apb_cfg_frc_on cut=1:ap_apb_cfg_frc_on
wrong $PHONE ahb_ufs_lp set=1:ahb_ufs_lp=0:0x3104:0x37000000
wrong $PHONE aon_apb_reg drop=1:reg-names
wrong $PHONE aon_apb_reg cut=1:reg
wrong $PHONE ufs_rst drop=1:resets
wrong $PHONE ufs_glb_rst set=1:reset-names=ufs_rst
wrong $PHONE ufs_glb_rst cut=1:resets
optional $PHONE drop=1:ap_apb_cfg_frc_on
optional $PHONE drop=1:vcc-supply/1:clocks/1:clock-names

load_board
load_driver
has $CLEAN yes "with all in order"
has $PHONE yes "with all in order"
ok "with all in order both hosts are bound"
