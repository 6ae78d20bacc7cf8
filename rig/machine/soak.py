# SPDX-License-Identifier: GPL-2.0
"""Verified I/O for hours, disturbed at random: switches, limits, resets, suspends.

Runs inside the toolchain root; soak.sh prepares what it needs. The disturbances follow
from the seed. When they hit what the machine is doing does not, so a seed makes it
likely that a failure comes again, not certain.
"""

import argparse
import random
import sys

from machine.vm import PROJECT, Kernel, Machine, boot, outside

# Beyond the time asked for: to boot, to end what goes on, and if time is short.
SPARE_SECONDS = 600


def show(message):
    kind, _, text = message.partition(" ")
    if kind in ("show", "ok", "note"):
        print(f"  {text}", flush=True)


def hours(text):
    value = float(text)
    if not 0 < value <= 48:
        raise argparse.ArgumentTypeError(f"HOURS is {text}, but must be more than 0 and at most 48")
    return value


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    parser.add_argument("--hours", type=hours, required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 31))
    args = parser.parse_args()
    seconds = round(args.hours * 3600)
    files = {"main": (PROJECT / "rig/guest/soak.sh").read_bytes(),
             "lib.sh": (PROJECT / "tests/vm/lib.sh").read_bytes(),
             "settings": f"SOAK_SECONDS={seconds} SEED={args.seed}\n"}
    print(f"==> {seconds} s of load on the {args.abi} kernel. SEED={args.seed} repeats it.", flush=True)
    # Its hours are the guest's. It is a slow machine, so that they take less than that here,
    # and no load on the machine below can make it late.
    machine = Machine(cpus=2, icount=True, icount_shift=6, warp=True,
                      timeout=seconds + SPARE_SECONDS, append="log_buf_len=4M",
                      forbid=["uic cmd .* timeout", "I/O error", "does not stop"])
    outcome = boot(machine, Kernel.of(args), files, f"soak-{args.seed}", show)
    if outcome.problem:
        sys.exit(f"soak failed after {outcome.seconds:.0f} s: {outcome.problem}\n"
                 f"To repeat it: make soak HOURS={args.hours:g} SEED={args.seed}\n"
                 f"The console log: {outside(args, outcome.log)}")
    outcome.log.unlink()
    print(f"soak passed, {outcome.seconds:.0f} s, SEED={args.seed}")


if __name__ == "__main__":
    main()
