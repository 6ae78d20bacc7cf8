# SPDX-License-Identifier: GPL-2.0
"""What the bench boots, and how it gets records out of a boot."""

import dataclasses
import re
import time

import bench.records
from machine.measure import TRACE
from machine.vm import PROJECT, Machine, boot, measuring_machine


@dataclasses.dataclass(frozen=True)
class Boot:
    name: str            # as in the records
    title: str           # as in what is printed
    script: str
    seconds: int         # what it takes before the first round, here
    round_seconds: int   # and for a round
    machine: dict
    quick: bool = True   # also in a quick run
    subjects: str = ""   # only these


def one_cpu(**settings):
    return {"machine": measuring_machine, "trace": TRACE, "timeout": 1800, **settings}


BOOTS = [
    Boot("distribution", "the distribution's UFS core", "modes.sh", 15, 11, one_cpu()),
    Boot("threaded", "the UFS core of 6.16 to 7.1", "modes.sh", 15, 11, one_cpu(core="threaded")),
    Boot("threadirqs", "threadirqs", "modes.sh", 15, 6, one_cpu(append="threadirqs"), quick=False),
    Boot("distribution", "hard interrupt sections", "sections.sh", 15, 9,
         dict(machine=measuring_machine, timeout=1800)),
    Boot("distribution", "delay of an urgent thread", "victim.sh", 15, 45,
         one_cpu(warp=True, trace=[]), quick=False),
    Boot("threaded", "delay of an urgent thread, core of 6.16 to 7.1", "victim.sh", 15, 12,
         one_cpu(warp=True, trace=[], core="threaded"), quick=False, subjects="stock"),
    Boot("distribution", "workloads of reports", "fio.sh", 130, 55,
         dict(machine=measuring_machine, timeout=3600), quick=False),
    Boot("four CPUs", "four CPUs", "cpus.sh", 10, 11,
         dict(machine=Machine, cpus=4, icount=True, one_core=True, null_lun=True, timeout=1800,
              plugin=True), quick=False),
]


class Progress:
    """Says where the bench is and how long it will still take.

    The estimate is that of the table above, corrected by how long the boots so far
    have really taken.
    """

    def __init__(self, boots, rounds, say, clock=time.monotonic):
        self.boots, self.rounds, self.say, self.clock = boots, rounds, say, clock
        self.start, self.now, self.round = clock(), 0, 0

    def expected(self, boot_, rounds=None):
        return boot_.seconds + boot_.round_seconds * (self.rounds if rounds is None else rounds)

    @property
    def left(self):
        """Seconds."""
        done = sum(map(self.expected, self.boots[:self.now]))
        if self.now < len(self.boots) and self.round:
            done += self.expected(self.boots[self.now], self.round)
        rest = sum(map(self.expected, self.boots)) - done
        factor = (self.clock() - self.start) / done if done else 1
        return rest * factor

    def begin(self, number):
        self.now, self.round = number, 0
        self.line("begins")

    def message(self, text):
        if m := re.fullmatch(r"ok round (\d+) of \d+", text):
            self.round = int(m[1])
            self.line(f"round {self.round} of {self.rounds}")

    def line(self, text):
        minutes = self.left / 60
        left = f"{minutes:.0f} min" if minutes >= 1.5 else f"{self.left:.0f} s"
        self.say(f"[{self.now + 1}/{len(self.boots)}] {self.boots[self.now].title}: {text}, about {left} left")


def files_of(boot_, rounds, reads):
    """What the guest gets; what takes QEMU longer does fewer reads."""
    if boot_.script == "cpus.sh":
        reads = max(reads // 6, 1)
    guest = PROJECT / "rig/bench/guest"
    return {"main": (guest / boot_.script).read_bytes(),
            "lib.sh": (PROJECT / "tests/vm/lib.sh").read_bytes(),
            "hosts.sh": (guest / "hosts.sh").read_bytes(),
            "settings": f"ROUNDS={rounds} READS={reads} IOS={reads} VICTIM_IOS={5 * reads} SUBJECTS={boot_.subjects}\n"}


class Failed(Exception):
    def __init__(self, boot_, outcome):
        super().__init__(f"bench of {boot_.title} failed: {outcome.problem}")
        self.log = outcome.log


def run(boot_, kernel, plugin, rounds, reads, progress):
    """The records of one boot."""
    settings = dict(boot_.machine)
    make = settings.pop("machine")
    if settings.get("plugin"):
        settings["plugin"] = plugin
    name = "bench-" + re.sub(r"\W+", "-", boot_.title)
    outcome = boot(make(**settings), kernel, files_of(boot_, rounds, reads), name, progress.message)
    if outcome.problem:
        raise Failed(boot_, outcome)
    if not outcome.trace:
        return bench.records.of_boot(boot_.name, outcome.data)
    with open(outcome.trace) as trace:
        records = bench.records.of_boot(boot_.name, outcome.data, list(trace))
    outcome.trace.unlink()
    return records
