# SPDX-License-Identifier: GPL-2.0
"""The machine of demo and test, with a prompt. Ctrl-A X ends it at once."""

import argparse
import os
import subprocess
import sys
import tempfile

from machine.vm import CACHE, PROJECT, Kernel, Machine, make_initrd

MAIN = """\
. /job/lib.sh
set +eu
trap - EXIT
REPORT=/dev/null
echo
echo "load_board, load_driver irq_mode=..., hosts, disk_of HOST, set_mode HOST MODE; see tests/vm/lib.sh."
echo "'exit' or poweroff -f ends the machine."
export ENV=/job/lib-interactive.sh
sh -i
"""


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    args = parser.parse_args()
    if not sys.stdin.isatty():
        sys.exit("make shell needs a terminal")
    machine, kernel = Machine(append="quiet"), Kernel.of(args)
    library = (PROJECT / "tests/vm/lib.sh").read_text()
    files = {"main": MAIN, "lib.sh": library, "interactive": "",
             "lib-interactive.sh": library + "set +eu\ntrap - EXIT\nREPORT=/dev/null\n"}
    (CACHE / "vm").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE / "vm", prefix="shell-") as scratch:
        initrd = os.path.join(scratch, "initrd")
        make_initrd(kernel, files, initrd)
        subprocess.call(machine.arguments(kernel, scratch) +
                        ["-initrd", initrd, "-serial", "mon:stdio", "-serial", "null"])


if __name__ == "__main__":
    main()
