#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a 4 KiB read costs: the kernel's own driver and each mode of the module.

Runs inside the toolchain root; bench.sh prepares what it needs. Each subject is
measured in several rounds, the modes of the module in turn in one boot; the
rounds' spread is printed so that a difference can be told from noise.
"""

import argparse
import sys

from measure import TRACE, by_subject, measured_phases, per_read, pooled
from vm import PROJECT, Kernel, boot, measuring_machine, outside

# Title, guest script, kernel command line.
BOOTS = [
    ("ufshcd-pci", "bench-stock.sh", ""),
    ("ufs_unisoc", "bench-unisoc.sh", ""),
    ("ufshcd-pci, threadirqs", "bench-stock.sh", "threadirqs"),
    ("ufs_unisoc, threadirqs", "bench-unisoc.sh", "threadirqs"),
]
HEADER = f"{'':34s}   p50 us  min..max of rounds   p99 us   MMIO reads  writes  interrupts"


def measure(title, script, append, args):
    """The table's lines for one boot."""
    machine = measuring_machine(append=append, trace=TRACE, timeout=600)
    files = {"main": (PROJECT / "rig/guest" / script).read_bytes(),
             "lib.sh": (PROJECT / "tests/vm/lib.sh").read_bytes(),
             "settings": f"ROUNDS={args.rounds} READS={args.reads}\n"}
    name = "bench-" + "-".join(title.replace(",", "").split())
    outcome = boot(machine, Kernel.of(args), files, name)
    if outcome.problem:
        sys.exit(f"bench of {title} failed: {outcome.problem}\n"
                 f"The console log: {outside(args, outcome.log)}")
    with open(outcome.trace) as trace:
        accesses = [per_read(p) for p in measured_phases(trace, args.reads)]
    outcome.trace.unlink()
    if len(accesses) != len(outcome.data):
        sys.exit(f"bench of {title}: {len(outcome.data)} runs, but {len(accesses)} in QEMU's trace")
    accesses = dict(zip(outcome.data, accesses))
    for subject, rounds in by_subject(outcome.data).items():
        mmio = [accesses[n] for n in accesses if n.rpartition(".")[0] == subject]
        yield title if subject == "stock" else f"{title}, {subject}", rounds, mmio


def line(title, rounds, mmio):
    p50s = [r.percentile(50) for r in rounds]
    reads, writes, interrupts = (sum(m[i] for m in mmio) / len(mmio) for i in range(3))
    total = pooled(rounds)
    return (f"{title:34s} {total.percentile(50):8.2f}     {min(p50s):6.2f}..{max(p50s):6.2f}"
            f"    {total.percentile(99):7.2f}   {reads:10.2f}  {writes:6.2f}  {interrupts:10.2f}")


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reads", type=int, default=1000)
    args = parser.parse_args()
    print(f"4 KiB O_DIRECT random reads, one at a time, on {args.abi}, one CPU. Times are instructions\n"
          f"executed for one read at 2 ns each (QEMU -icount); accesses and interrupts are counts for\n"
          f"one read, the doorbell is one of the writes.\n\n{HEADER}", flush=True)
    for title, script, append in BOOTS:
        for subject in measure(title, script, append, args):
            print(line(*subject), flush=True)


if __name__ == "__main__":
    main()
