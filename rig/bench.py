#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a 4 KiB read costs: the kernel's own driver and each mode of the module,
and on which CPU, where there are several.

Runs inside the toolchain root; bench.sh prepares what it needs. Each subject is
measured in several rounds, the modes of the module in turn in one boot; the
rounds' spread is printed so that a difference can be told from noise.
"""

import argparse
import sys

from measure import TRACE, by_subject, measured_phases, per_read, pooled, pooled_shares, shares
from vm import PROJECT, Kernel, Machine, boot, measuring_machine, outside

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


# As the guest's script has it: the interrupt's CPU, and that of the one job.
WIRE_CPU, JOB_CPU = 0, 2
CPUS_HEADER = (f"{'irq_mode':10s} {'rq_affinity':>11s} {'jobs':>5s} {'CPU 0':>8s}  {'min..max of rounds':>18s}"
               f"  {'others':>8s} {'all':>8s}  {'CPU 0 has':>9s} {'IPIs':>6s}")


def cpus_line(subject, rounds):
    mode, affinity, jobs = subject.split()
    total, wires = pooled_shares(rounds), [r.of_cpu(WIRE_CPU) for r in rounds]
    wire = total.of_cpu(WIRE_CPU)
    spread = f"{min(wires):.0f}..{max(wires):.0f}"
    return (f"{mode:10s} {affinity:>11s} {jobs:>5s} {wire:8.0f}  {spread:>18s}"
            f"  {total.total - wire:8.0f} {total.total:8.0f}  {100 * wire / total.total:8.1f}%"
            f" {total.ipis_per_read:6.2f}")


def measure_cpus(args):
    """The second table: four CPUs, all of them counted."""
    machine = Machine(cpus=4, icount=True, one_core=True, null_lun=True, timeout=900,
                      plugin=args.plugin)
    files = {"main": (PROJECT / "rig/guest/bench-cpus.sh").read_bytes(),
             "lib.sh": (PROJECT / "tests/vm/lib.sh").read_bytes(),
             "settings": f"ROUNDS={args.rounds} READS={max(args.reads // 4, 1)}\n"}
    outcome = boot(machine, Kernel.of(args), files, "bench-cpus")
    if outcome.problem:
        sys.exit(f"bench of four CPUs failed: {outcome.problem}\n"
                 f"The console log: {outside(args, outcome.log)}")
    with open(outcome.trace) as log:
        subjects = shares(outcome.data, log)
    outcome.trace.unlink()
    for subject, rounds in sorted(subjects.items(), key=lambda s: s[0].split()[::-1]):
        yield cpus_line(subject, rounds)


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    parser.add_argument("--plugin", required=True, help="QEMU's plugin that counts instructions")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reads", type=int, default=1000)
    args = parser.parse_args()
    print(f"4 KiB O_DIRECT random reads, one at a time, on {args.abi}, one CPU. Times are instructions\n"
          f"executed for one read at 2 ns each (QEMU -icount); accesses and interrupts are counts for\n"
          f"one read, the doorbell is one of the writes.\n\n{HEADER}", flush=True)
    for title, script, append in BOOTS:
        for subject in measure(title, script, append, args):
            print(line(*subject), flush=True)
    print(f"\nThe same reads with four CPUs, in instructions for one read. The interrupt is CPU 0's. One\n"
          f"job is on CPU {JOB_CPU}, four are on a CPU each; IPIs are interrupts from one CPU to another for a\n"
          f"read. rq_affinity 1 completes where the interrupt is, 2 on the CPU that submitted.\n\n"
          f"{CPUS_HEADER}", flush=True)
    for text in measure_cpus(args):
        print(text, flush=True)


if __name__ == "__main__":
    main()
