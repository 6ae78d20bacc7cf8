# SPDX-License-Identifier: GPL-2.0
"""What threading costs, what the fast path gives back, and what it costs others.

Runs inside the toolchain root; bench.sh prepares what it needs. Writes raw.jsonl, a
record for each run, and report.md with pictures, which are made of that file alone.
"""

import argparse
import pathlib
import sys
import time

import bench.boots
import bench.records
import bench.report
from machine.vm import Kernel, outside


def say(text):
    print(text, file=sys.stderr, flush=True)


def facts(args):
    """What a reader of the figures wants to know of where they come from."""
    return {"what": "facts", "kernel": args.abi, "qemu": args.qemu, "commit": args.commit,
            "date": time.strftime("%Y-%m-%d"), "rounds": args.rounds, "reads": args.reads}


def measure(args):
    boots = [b for b in bench.boots.BOOTS if b.quick or not args.quick]
    progress = bench.boots.Progress(boots, args.rounds, say)
    records = [facts(args)]
    for number, boot in enumerate(boots):
        progress.begin(number)
        try:
            records += bench.boots.run(boot, Kernel.of(args), args.plugin, args.rounds, args.reads, progress)
        except bench.boots.Failed as problem:
            sys.exit(f"{problem}\nThe console log: {outside(args, problem.log)}")
        # What there is so far, should the rest not come.
        bench.records.dump(records, args.out / "raw.jsonl")


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    parser.add_argument("--plugin", required=True, help="QEMU's plugin that counts instructions")
    parser.add_argument("--qemu", required=True, help="its version")
    parser.add_argument("--commit", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--reads", type=int, required=True)
    parser.add_argument("--quick", action="store_true", help="only what the first lines need")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    measure(args)
    print(bench.report.write(args.out))


if __name__ == "__main__":
    main()
