# SPDX-License-Identifier: GPL-2.0
"""The whole path once, in one boot: load, probe, file system, I/O, switching.

Runs inside the toolchain root; demo.sh prepares what it needs.
"""

import argparse
import sys

from machine.measure import by_subject, pooled
from machine.vm import PROJECT, Kernel, boot, measuring_machine, outside

ROUNDS, READS = 3, 500
# The one word of the table that needs explaining.
LEGEND = """\
4 KiB O_DIRECT random reads, one at a time, irq_mode switched between rounds. The time is what
the CPU executes for one read, from system call to return, at the 2 ns an instruction of QEMU's
-icount clock; waiting for the emulated device is not in it, so that the numbers repeat:"""


def show(message):
    kind, _, text = message.partition(" ")
    if kind == "show":
        print(f"  {text}", flush=True)
    elif kind == "ok":
        print(f"  ok: {text}\n", flush=True)


def table(modes):
    """The lines of the table, from {mode: [Costs of each round]}."""
    p50 = {mode: pooled(rounds).percentile(50) for mode, rounds in modes.items()}
    yield "  irq_mode    p50 us   p99 us    reads"
    for mode, rounds in modes.items():
        costs = pooled(rounds)
        yield f"  {mode:10s} {p50[mode]:7.1f}  {costs.percentile(99):7.1f}  {costs.reads:7d}"
    yield ("  p50 " + ", ".join(f"{mode} / hardirq = {p50[mode] / p50['hardirq']:.2f}"
                                for mode in modes if mode != "hardirq"))


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    args = parser.parse_args()
    files = {"main": (PROJECT / "rig/guest/demo.sh").read_bytes(),
             "lib.sh": (PROJECT / "tests/vm/lib.sh").read_bytes(),
             "settings": f"ROUNDS={ROUNDS} READS={READS}\n"}
    print(f"==> Boot Debian's unmodified {args.abi} kernel with two UFS hosts (about 30 s)", flush=True)
    machine = measuring_machine(timeout=240)
    outcome = boot(machine, Kernel.of(args), files, "demo", show)
    if outcome.problem:
        sys.exit(f"demo failed after {outcome.seconds:.0f} s: {outcome.problem}\n"
                 f"The console log: {outside(args, outcome.log)}")
    print(LEGEND)
    print("\n".join(table(by_subject(outcome.data))))
    print("\nShown:")
    for check in outcome.checks:
        print(f"  - {check}")
    print(f"  - no warning on the console, from power-on to power-off in {outcome.seconds:.0f} s")
    print(f"The console log: {outside(args, outcome.log)}")


if __name__ == "__main__":
    main()
