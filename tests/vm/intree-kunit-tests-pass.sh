# SPDX-License-Identifier: GPL-2.0
# A kernel with the driver and the tests of its abstractions built in runs all of these
# when it boots, they pass, and the driver works behind them.
# vm: intree=kunit hosts=1
. /job/lib.sh
. /job/kunit.sh

suites_passed
host=$(first_host)
root_is_on "$host"
write_and_read_back
ok "root on $host"
