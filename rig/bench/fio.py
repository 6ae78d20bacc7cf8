# SPDX-License-Identifier: GPL-2.0
"""What fio's own results say, in the rig and of a phone."""

from bench.records import select, values
from bench.report import SUBJECTS, change, table, title
from bench.stats import figure, iops as derived_iops, ratio
from machine.measure import NS_PER_INSTRUCTION


def requests(record):
    return sum(job[way]["total_ios"] for job in record["fio"]["jobs"] for way in ("read", "write"))


def ways(record):
    """What a run did: its parts of fio's result, reads first."""
    return [job[way] for job in record["fio"]["jobs"] for way in ("read", "write") if job[way]["total_ios"]]


def p50_us(record):
    """By fio's clock; of the reads, where there are both."""
    return ways(record)[0]["clat_ns"]["percentile"]["50.000000"] / 1000


def iops(record):
    return sum(way["iops"] for way in ways(record))


def cost(records, load_, boot, subject):
    """Instructions for a request, without those of fio itself where they are known."""
    base = select(records, what="fio", load=load_, boot=boot,
                  subject="base-stock" if subject == "stock" else "base-ours")
    rounds = select(records, what="fio", load=load_, boot=boot, subject=subject)
    if not base:
        return figure([r["instructions"] / requests(r) for r in rounds])
    return figure([(r["instructions"] - base[0]["instructions"]) / (requests(r) - requests(base[0]))
                   for r in rounds])


def subjects(records, boot):
    there = values(select(records, what="fio", boot=boot), "subject")
    return [s for s in SUBJECTS if s in there]


def loads(records, boot):
    return sorted(values(select(records, what="fio", boot=boot), "load"))


def compared(figures):
    """A table's cells: the first with its spread, the others with what they differ by."""
    first, *others = figures
    cells = [f"{first.median:.0f} ± {50 * first.spread:.1f} %"]
    for one in others:
        cells.append(f"{one.median:.0f} ({change(ratio(one, first), 'same')})")
    return cells


def cost_table(records, boot):
    who = subjects(records, boot)
    rows = [[load_] + compared([cost(records, load_, boot, s) for s in who]) for load_ in loads(records, boot)]
    return table(["instructions for a request"] + [title(boot, s) for s in who], rows)


def rates_table(records, boot):
    """The Pixel 6 report's: IOPS, and what a request takes of the CPU, which is all that
    takes time here."""
    who, rows = subjects(records, boot), []
    for load_ in loads(records, boot):
        if not load_.startswith("pixel6"):
            continue
        cells = []
        for subject in who:
            us = [n * NS_PER_INSTRUCTION / 1000 for n in cost(records, load_, boot, subject).rounds]
            rates = sorted(map(derived_iops, us))
            cells.append(f"{rates[0]:.0f} / {rates[-1]:.0f} / {sum(rates) / len(rates):.0f}, "
                         f"{sum(us) / len(us):.1f} us")
        rows.append([load_] + cells)
    return table(["IOPS (derived): min / max / avg, CPU time for a request"] + [title(boot, s) for s in who], rows)
