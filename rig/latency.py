# SPDX-License-Identifier: GPL-2.0
"""Numbers from a measuring boot: fio's histograms and QEMU's UFS events."""

import json
import re

# Lines of QEMU's trace that the counts are made from.
TRACE = ["ufs_mmio_read", "ufs_mmio_write", "ufs_irq_raise",
         "ufs_exec_scsi_cmd", "ufs_exec_query_cmd"]
READ_10 = "0x28"


class Histogram:
    """Latencies of one or several fio runs, in fio's own bins."""

    def __init__(self):
        self.bins = {}

    def add(self, text):
        """Add a run, given as fio's json+ output."""
        (job,) = json.loads(text)["jobs"]
        if job["error"]:
            raise ValueError(f"fio ended with error {job['error']}")
        for ns, count in job["read"]["clat_ns"]["bins"].items():
            self.bins[int(ns)] = self.bins.get(int(ns), 0) + count
        return self

    @property
    def count(self):
        return sum(self.bins.values())

    def percentile(self, percent):
        """In microseconds, interpolated inside the bin it falls into: fio's
        bins are up to 1.6 % wide, too coarse for comparing."""
        target, below = self.count * percent / 100, 0
        for centre in sorted(self.bins):
            count = self.bins[centre]
            if below + count >= target:
                width = 1 << max(centre.bit_length() - 1 - 6, 0)
                return (centre - width / 2 + width * (target - below) / count) / 1000
            below += count
        raise ValueError("no latencies")


def phases(trace):
    """Count the events of a trace, apart for each stretch between two query
    requests (the guest sends one as a mark), as dictionaries."""
    result, now = [], {}
    for line in trace:
        event, _, rest = line.partition(" ")
        if event == "ufs_exec_query_cmd":
            result.append(now)
            now = {}
        elif event == "ufs_exec_scsi_cmd":
            if re.search(r"opcode (\w+)", rest)[1] == READ_10:
                now["read"] = now.get("read", 0) + 1
        else:
            now[event] = now.get(event, 0) + 1
    return result + [now]


def measured_phases(trace, reads):
    """The phases with that many reads at least: those in which fio ran."""
    return [p for p in phases(trace) if p.get("read", 0) >= reads]


def per_read(phase):
    """(MMIO reads, MMIO writes, interrupts) for each read command."""
    return tuple(phase.get(event, 0) / phase["read"]
                 for event in ("ufs_mmio_read", "ufs_mmio_write", "ufs_irq_raise"))
