# SPDX-License-Identifier: GPL-2.0
"""The bench's report, in Markdown, made of its raw results.

python3 -m bench.report DIRECTORY makes it again of the raw.jsonl there.
"""

import pathlib
import sys

from bench.records import load, pooled, select, values
from bench.stats import figure, iops, percentile, ratio, with_accesses
from machine.measure import NS_PER_INSTRUCTION

SUBJECTS = {"stock": "kernel's own driver", "hardirq": "ours, hardirq", "threaded": "ours, threaded",
            "adaptive": "ours, adaptive"}
# What else the kernel's own driver is called where it is something else.
STOCK = {"threaded": "core of 6.16 to 7.1", "threadirqs": "kernel's own driver, threadirqs"}
# A register read counts as one instruction in the rig; what it may take on a phone, in us.
ACCESS_US = (0.25, 0.5, 1)
# Of fewer only the greatest is told.
LEAST_COUNTS = 100
# Beside which the urgent thread is looked at in the first lines.
VICTIM_LOAD = "large-read-32-outstanding"


def title(boot, subject):
    if subject == "stock":
        return STOCK.get(boot, SUBJECTS[subject])
    return SUBJECTS[subject] + {"threaded": ", on it", "threadirqs": ", threadirqs"}.get(boot, "")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


class Results:
    """Figures by boot, load and subject."""

    def __init__(self, records):
        self.records = records
        self.facts = next(r for r in records if r["what"] == "facts")

    def of(self, what, load_, boot, subject):
        return select(self.records, what=what, load=load_, boot=boot, subject=subject)

    def has(self, *key):
        return bool(self.of(*key))

    def subjects(self, what):
        """(boot, subject) of those that were measured."""
        return list(dict.fromkeys((r["boot"], r["subject"]) for r in self.records if r["what"] == what))

    def p50(self, boot, subject, access_us=0):
        """Of a single 4 KiB read, in us."""
        return figure([with_accesses(percentile(r["counts"], 50) * NS_PER_INSTRUCTION / 1000,
                                     r["reads"], access_us)
                       for r in self.of("latency", "4k", boot, subject)])

    def work(self, load_, boot, subject):
        """Instructions for a request."""
        return figure([r["instructions"] / r["requests"] for r in self.of("work", load_, boot, subject)])

    def longest(self, what, load_, boot, subject):
        return figure([max(r["counts"]) for r in self.of(what, load_, boot, subject)])


def percent(value):
    return f"{100 * (value - 1):+.0f} %" if abs(value - 1) >= 0.095 else f"{100 * (value - 1):+.1f} %"


def change(ratio_, none="no change beyond the spread"):
    return percent(ratio_.value) if ratio_.told_apart else none


def answers(results):
    """The first lines."""
    stock, naive = results.p50("distribution", "stock"), results.p50("threaded", "stock")
    adaptive, hardirq = (results.p50("distribution", s) for s in ("adaptive", "hardirq"))
    cost, best = ratio(naive, stock), ratio(adaptive, naive)
    lines = [f"- **What threading costs:** a single 4 KiB read takes the CPU {stock.median:.1f} us with the "
             f"kernel's own driver and {naive.median:.1f} us on the core of 6.16 to 7.1: {change(cost)}. "
             f"Ours in threaded mode takes {results.p50('distribution', 'threaded').median:.1f} us.",
             f"- **What the fast path gives back:** in adaptive mode it takes {adaptive.median:.1f} us, "
             f"{change(best)} against that core and {change(ratio(adaptive, hardirq))} against our hardirq "
             f"mode ({hardirq.median:.1f} us)."]
    load_ = "128k, bursts of 32"
    if results.has("section", load_, "distribution", "hardirq"):
        sections = {s: results.longest("section", load_, "distribution", s) for s in SUBJECTS if s != "stock"}
        lines.append(f"- **What it costs others:** with bursts of 32 requests of 128 KiB the longest hard "
                     f"interrupt section is {sections['hardirq'].median:.0f} us in hardirq mode, "
                     f"{sections['adaptive'].median:.0f} us in adaptive and "
                     f"{sections['threaded'].median:.0f} us in threaded mode.")
        if results.has("victim", VICTIM_LOAD, "distribution", "hardirq"):
            lines[-1] += victim_answer(results)
    return "\n".join(lines)


def victim_answer(results):
    """The rest of the third line."""
    worst = {s: results.longest("victim", VICTIM_LOAD, "distribution", s)
             for s in SUBJECTS if results.has("victim", VICTIM_LOAD, "distribution", s)}
    apart = change(ratio(worst["adaptive"], worst["hardirq"]), "no difference beyond the spread")
    return (" An urgent thread on the interrupt's CPU, beside 512 KiB reads, 32 outstanding, got it late by at worst, in the middle one "
            f"of the rounds, "
            + ", ".join(f"{one.median:.0f} us ({SUBJECTS[s]})" for s, one in worst.items())
            + f"; adaptive against hardirq: {apart}.")


def latency_table(results):
    rows = []
    for boot, subject in results.subjects("latency"):
        runs, p50 = results.of("latency", "4k", boot, subject), results.p50(boot, subject)
        rows.append([title(boot, subject), f"{p50.median:.2f}", f"{100 * p50.spread:.1f} %",
                     f"{percentile(pooled(runs), 99) * NS_PER_INSTRUCTION / 1000:.2f}",
                     f"{sum(r['reads'] for r in runs) / len(runs):.2f}",
                     f"{iops(p50.median):.0f} (derived)"]
                    + [f"{results.p50(boot, subject, us).median:.2f}" for us in ACCESS_US])
    return table(["a single 4 KiB read", "p50 us", "spread", "p99 us", "register reads", "IOPS"]
                 + [f"p50 at {us} us a register read" for us in ACCESS_US], rows)


def over_cores(results):
    """Whether ours takes the same whatever the core does."""
    parts = []
    for mode in ("hardirq", "threaded", "adaptive"):
        if results.has("latency", "4k", "distribution", mode) and results.has("latency", "4k", "threaded", mode):
            here, there = (results.p50(boot, mode) for boot in ("distribution", "threaded"))
            parts.append(f"{mode} {ratio(there, here).value:.3f}")
    if not parts:
        return ""
    return f"On the core of 6.16 to 7.1, against the distribution's, ours takes: {', '.join(parts)}."


def goals(results):
    """The ratios that the project has set itself, with the reads of registers at a price."""
    rows = []

    def row(name, limit, make):
        try:
            cells = [make(us) for us in (0, *ACCESS_US)]
        except ValueError:
            return
        rows.append([name, f"{limit:.2f}"] + [f"{r.value:.3f}" for r in cells]
                    + [f"{100 * cells[0].spread:.1f} %", cells[0].meets(limit)])

    def p50s(a, b):
        return lambda us: ratio(results.p50(*a, us), results.p50(*b, us))

    ours = [("distribution", s) for s in ("adaptive", "hardirq", "threaded", "stock")]
    row("single 4 KiB read: adaptive / hardirq", 1.01, p50s(ours[0], ours[1]))
    row("single 4 KiB read: hardirq / kernel's own driver", 0.98, p50s(ours[1], ours[3]))
    row("single 4 KiB read: threaded / core of 6.16 to 7.1", 0.90, p50s(ours[2], ("threaded", "stock")))
    for load_ in "4k, bursts of 32", "128k, bursts of 32":
        row(f"longest section, {load_}: adaptive / hardirq", 0.25,
            lambda us, l=load_: ratio(*(results.longest("section", l, *s) for s in ours[:2])))
    row("instructions, 4k, 8 jobs: adaptive / hardirq", 1.03,
        lambda us: ratio(*(results.work("4k, 8 jobs", *s) for s in ours[:2])))
    return table(["goal", "at most", "is"] + [f"at {us} us a register read" for us in ACCESS_US]
                 + ["spread", "met"], rows)


def work_table(results):
    loads = values(select(results.records, what="work"), "load")
    rows = []
    for boot, subject in results.subjects("work"):
        cells = []
        for load_ in loads:
            work, runs = results.work(load_, boot, subject), results.of("work", load_, boot, subject)
            interrupts = sum(r["interrupts"] for r in runs) / len(runs)
            cells.append(f"{work.median:.0f} ± {50 * work.spread:.1f} %, {interrupts:.2f}")
        rows.append([title(boot, subject)] + cells)
    return table(["instructions and interrupts for a read"] + loads, rows)


def longest_table(results, what, first):
    loads = values(select(results.records, what=what), "load")
    rows = []
    for boot, subject in results.subjects(what):
        cells = []
        for load_ in loads:
            counts = pooled(results.of(what, load_, boot, subject))
            enough = sum(counts.values()) >= LEAST_COUNTS
            cells.append(" / ".join([str(percentile(counts, p)) if enough else "-" for p in (50, 99)]
                                    + [str(max(counts))]))
        rows.append([title(boot, subject)] + cells)
    return table([first] + loads, rows)


def cpus_table(results):
    rows = []
    for load_ in values(select(results.records, what="cpus"), "load"):
        for subject in SUBJECTS:
            runs = results.of("cpus", load_, "four CPUs", subject)
            if not runs:
                continue
            wire = figure([r["cpus"][0] / r["reads"] for r in runs])
            total = figure([sum(r["cpus"]) / r["reads"] for r in runs])
            affinity, jobs = load_.split()
            rows.append([f"{SUBJECTS[subject]}, rq_affinity {affinity}, {jobs} job{'s' * (jobs != '1')}",
                         f"{wire.median:.0f} ± {50 * wire.spread:.0f} %", f"{total.median:.0f}",
                         f"{100 * wire.median / total.median:.0f} %",
                         f"{sum(r['ipis'] for r in runs) / sum(r['reads'] for r in runs):.2f}"])
    return table(["four CPUs, interrupt on CPU 0: instructions for a read", "CPU 0", "all", "CPU 0 has",
                  "IPIs"], rows)


WORKLOADS = """\
By fio, as tools/ufsbench has them: what a T615 report, a Pixel 6 report and tiobench measure. Without
the instructions of fio itself before and after, which were measured on each host. tiobench is 32 threads
here, with a file of 64 KiB each instead of hundreds of MiB. "same" is within the spread.
"""

METHOD = """\
Times are instructions that the guest executes, at 2 ns each (QEMU -icount), so that they repeat; the
device's own time is not in them, and a register access counts as one instruction. In each boot the
subjects take turns in every round, the kernel's own driver on one of two equal controllers and ours on
the other. A figure is the median of {rounds} rounds, its spread goes from the least to the greatest of
them; a ratio within the spread of its figures is not given. IOPS are derived of p50, for one job whose
device takes no time. "32 outstanding" are 31 in the host: it keeps a slot for itself.
"""


def report(records, pictures=()):
    results, parts = Results(records), []
    facts = results.facts
    parts += ["<!-- SPDX-License-Identifier: GPL-2.0 -->\n# What completions cost\n", answers(results), ""]
    parts += [f"{facts['date']}, kernel {facts['kernel']}, QEMU {facts['qemu']}, commit {facts['commit']}.", ""]
    parts += [f"![{text}]({name})\n" for name, text in pictures]
    parts += ["## Goals\n", goals(results), "", "## Single reads\n", latency_table(results), "",
              over_cores(results), "", "## Many at a time\n", "All that the guest does for a read, whoever does it.\n",
              work_table(results), ""]
    if results.subjects("section"):
        parts += ["## What it does to the rest\n",
                  longest_table(results, "section", "hard interrupt sections, us: p50 / p99 / longest"), ""]
    if results.subjects("victim"):
        parts += [longest_table(results, "victim", "delay of an urgent thread, us: p50 / p99 / worst of all rounds"), ""]
    if results.subjects("fio"):
        # Not at the top: it is made of what is here.
        from bench.fio import cost_table, rates_table
        parts += ["## Workloads of reports\n", WORKLOADS, cost_table(records, "distribution"), "",
                  rates_table(records, "distribution"), ""]
    if results.subjects("cpus"):
        parts += ["## On which CPU\n", cpus_table(results), ""]
    return "\n".join(parts + ["## Method\n", METHOD.format(**facts)])


def write(directory):
    """Make the report in a directory that has raw.jsonl; returns its first lines."""
    directory = pathlib.Path(directory)
    records = load(directory / "raw.jsonl")
    try:
        import bench.pictures
        pictures = bench.pictures.draw(records, directory)
    except ImportError:
        pictures = ()
    (directory / "report.md").write_text(report(records, pictures))
    return answers(Results(records)) + "\n\n" + goals(Results(records))


if __name__ == "__main__":
    print(write(sys.argv[1]))
