# SPDX-License-Identifier: GPL-2.0
"""Numbers from a measuring boot: readcost's counts and QEMU's UFS events."""

import re

# Under -icount shift=1 the guest's clock advances by this for an instruction.
NS_PER_INSTRUCTION = 2
# Lines of QEMU's trace that the counts are made from.
TRACE = ["ufs_mmio_read", "ufs_mmio_write", "ufs_irq_raise",
         "ufs_exec_scsi_cmd", "ufs_exec_query_cmd"]
READ_10 = "0x28"


class Costs:
    """What single reads cost the CPU; several runs may be pooled."""

    def __init__(self):
        self.counts = {}

    def add(self, text):
        """Add a run, given as readcost's output."""
        for line in text.splitlines():
            instructions, reads = map(int, line.split())
            self.counts[instructions] = self.counts.get(instructions, 0) + reads
        return self

    @property
    def reads(self):
        return sum(self.counts.values())

    def percentile(self, percent):
        """The cost that so many percent of the reads do not exceed, in us."""
        target, so_far = self.reads * percent / 100, 0
        for instructions, reads in sorted(self.counts.items()):
            so_far += reads
            if so_far >= target:
                return instructions * NS_PER_INSTRUCTION / 1000
        raise ValueError("no reads")


def by_subject(data):
    """{subject: [Costs of each round]} from files called SUBJECT.ROUND."""
    subjects = {}
    for name, text in data.items():
        subjects.setdefault(name.rpartition(".")[0], []).append(Costs().add(text))
    return subjects


def pooled(rounds):
    total = Costs()
    for costs in rounds:
        for instructions, reads in costs.counts.items():
            total.counts[instructions] = total.counts.get(instructions, 0) + reads
    return total


def phases(trace):
    """Count the events of a trace, apart for each stretch between two query
    requests that read a descriptor (the guest sends one as a mark), as dictionaries."""
    result, now = [], {}
    for line in trace:
        event, _, rest = line.partition(" ")
        if event == "ufs_exec_query_cmd" and "opcode 0x1" in rest:
            result.append(now)
            now = {}
        elif event == "ufs_exec_scsi_cmd":
            if re.search(r"opcode (\w+)", rest)[1] == READ_10:
                now["read"] = now.get("read", 0) + 1
        else:
            now[event] = now.get(event, 0) + 1
    return result + [now]


def per_read(phase):
    """(MMIO reads, MMIO writes, interrupts) for each read command."""
    return tuple(phase.get(event, 0) / phase["read"]
                 for event in ("ufs_mmio_read", "ufs_mmio_write", "ufs_irq_raise"))
