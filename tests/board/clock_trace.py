#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check QEMU's trace of the controller for accesses while its clock is gated.

clock_trace.py [TRACE]

TRACE is what `-trace ufs_mmio_read -trace ufs_mmio_write` writes on a boot in
which the board's clock_markers was on, and with one UFS controller (the events do
not say which one they are from). From a read of HCPID to the next of HCMID the
core's clock is off: on a chip any access would hang the bus.

Exit code 0: the clock was gated, with no access. 1: violations. 2: never gated.
"""

import re
import sys

EVENT = re.compile(r"ufs_mmio_(read|write) addr (0x[0-9a-f]+)")
OFF, ON = ("read", 0x10), ("read", 0x14)


def check(lines):
    """How often the clock was gated, and the accesses while it was."""
    gated, violations, off = 0, [], False
    for number, line in enumerate(lines, 1):
        event = EVENT.search(line)
        if not event:
            continue
        access = (event[1], int(event[2], 16))
        if access == OFF:
            gated, off = gated + 1, True
        elif access == ON:
            off = False
        elif off:
            violations.append((number, gated, f"{access[0]} of {access[1]:#x}"))
    return gated, violations


def main():
    source = open(sys.argv[1], encoding="ascii") if len(sys.argv) > 1 else sys.stdin
    with source:
        gated, violations = check(source)
    for number, window, what in violations[:10]:
        print(f"line {number}, clock off for time {window}: {what}")
    print(f"clock gated {gated} times, accesses meanwhile {len(violations)}")
    return 1 if violations else 0 if gated else 2


if __name__ == "__main__":
    sys.exit(main())
