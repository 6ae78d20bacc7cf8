#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check QEMU's trace of the controller for interrupt handling in windows.

gate_trace.py [TRACE]

TRACE is what `-trace ufs_mmio_read -trace ufs_mmio_write` writes on a boot in
which the board's gate_run ran with gate_markers on, and with one UFS controller
(the events do not say which one they are from). From a read of HCPID to the next
of HCMID the core's interrupt is disabled: the interrupt status may be neither
read nor acknowledged and the doorbell not read. Submissions write the doorbell
and are fine.

Exit code 0: there were windows, all clean. 1: violations. 2: no windows.
"""

import re
import sys

EVENT = re.compile(r"ufs_mmio_(read|write) addr (0x[0-9a-f]+)")
CLOSED, OPEN = ("read", 0x10), ("read", 0x14)
FORBIDDEN = {
    ("read", 0x20): "interrupt status read",
    ("write", 0x20): "interrupt status acknowledged",
    ("read", 0x58): "doorbell read",
}


def check(lines):
    """The number of windows, of accesses in them, and the violations."""
    windows, inside, violations, closed = 0, 0, [], False
    for number, line in enumerate(lines, 1):
        event = EVENT.search(line)
        if not event:
            continue
        access = (event[1], int(event[2], 16))
        if access == CLOSED:
            windows, closed = windows + 1, True
        elif access == OPEN:
            closed = False
        elif closed:
            inside += 1
            if access in FORBIDDEN:
                violations.append((number, windows, FORBIDDEN[access]))
    return windows, inside, violations


def main():
    source = open(sys.argv[1], encoding="ascii") if len(sys.argv) > 1 else sys.stdin
    with source:
        windows, inside, violations = check(source)
    for number, window, what in violations[:10]:
        print(f"line {number}, window {window}: {what}")
    print(f"windows {windows}, accesses in them {inside}, violations {len(violations)}")
    return 1 if violations else 0 if windows else 2


if __name__ == "__main__":
    sys.exit(main())
