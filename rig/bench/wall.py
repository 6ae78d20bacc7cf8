# SPDX-License-Identifier: GPL-2.0
"""A report of what tools/ufsbench has left on a machine to measure: by its clock.

python3 -m bench.wall RESULTS makes raw.jsonl, report.md and, with matplotlib, pictures in the
directory RESULTS. Needs nothing of the rig.
"""

import json
import pathlib
import sys

from bench.fio import compared, iops, loads, p50_us, subjects
from bench.records import counts, dump, select, values, words
from bench.report import Results, SUBJECTS, change, longest_table, table
from bench.stats import figure, ratio

# The workload and the subject are words without dots; the round is a number.
FILE = "*.*.[0-9]*.json"
# One of these is the single 4 KiB read that the first lines are about.
SINGLE = ("t615-randread-4k", "pixel6-read-1-job")


def of_file(path):
    """The records of a run, of fio's JSON and what is beside it."""
    load_, subject, number, _ = path.name.split(".")
    run = {"boot": "wall", "load": load_, "subject": subject, "round": int(number)}
    cpu, victim = path.with_suffix(".cpu"), path.with_suffix(".victim")
    ticks = {"ticks": words(cpu.read_text())} if cpu.exists() else {}
    yield {**run, "what": "fio", **ticks, "fio": json.loads(path.read_text())}
    if victim.exists():
        yield {**run, "what": "victim", "counts": counts(victim.read_text())}


def of_directory(directory):
    facts = directory / "facts"
    text = facts.read_text().strip() if facts.exists() else "Nothing is known of the machine: the file facts is missing."
    records = [record for path in sorted(directory.glob(FILE)) for record in of_file(path)]
    return [{"what": "facts", "text": text}] + records


def of_load(records, load_, make):
    """make(runs) for each subject."""
    return [make(select(records, what="fio", boot="wall", load=load_, subject=s))
            for s in subjects(records, "wall")]


def rates(runs):
    each = [iops(r) for r in runs]
    return f"{min(each):.0f} / {max(each):.0f} / {sum(each) / len(each):.0f}"


def shares(runs):
    """Of fio's own threads by fio, of all CPUs by the kernel; "-" where it was too short."""
    jobs = [job for r in runs for job in r["fio"]["jobs"]]
    own = [f"{sum(job[key] for job in jobs) / len(jobs):.0f}" for key in ("usr_cpu", "sys_cpu")]
    ticks = [r["ticks"] for r in runs if "ticks" in r]
    every = sum(t["all"] for t in ticks)
    rest = [f"{100 * sum(t[key] for t in ticks) / every:.0f}" if every else "-" for key in ("busy", "interrupts")]
    return " / ".join(own + rest)


def tables(records):
    who = [SUBJECTS[s] for s in subjects(records, "wall")]
    every = loads(records, "wall")
    p50 = [[load_] + compared(of_load(records, load_, lambda runs: figure([p50_us(r) for r in runs])))
           for load_ in every]
    return "\n\n".join([
        table(["p50 of a request, us"] + who, p50),
        table(["IOPS of rounds: min / max / avg"] + who, [[one] + of_load(records, one, rates) for one in every]),
        table(["% of time: fio user / system, all CPUs busy / in interrupts"] + who,
              [[one] + of_load(records, one, shares) for one in every])])


def answers(records):
    """The first lines: the single read, against the first of those that were measured."""
    lines = []
    for load_ in [one for one in loads(records, "wall") if one in SINGLE][:1]:
        runs = {s: select(records, what="fio", load=load_, subject=s) for s in subjects(records, "wall")}
        p50 = {s: figure([p50_us(r) for r in some]) for s, some in runs.items() if some}
        first, *_ = p50
        for s, one in p50.items():
            against = f", {change(ratio(one, p50[first]))} against {SUBJECTS[first]}." if s != first else "."
            lines.append(f"- **{SUBJECTS[s]}:** a single 4 KiB read takes {one.median:.1f} us (p50){against}")
    victims = select(records, what="victim")
    for s in [s for s in SUBJECTS if s in values(victims, "subject")]:
        worst = max(max(r["counts"], default=0) for r in victims if r["subject"] == s)
        lines.append(f"- **{SUBJECTS[s]}, what it costs others:** an urgent thread on the interrupt's CPU got it "
                     f"up to {worst} us too late.")
    return "\n".join(lines)


def report(records, pictures=()):
    results = Results(records)
    lines = ["<!-- SPDX-License-Identifier: GPL-2.0 -->\n# What completions cost, by the clock\n",
             answers(records), "", results.facts["text"], ""]
    lines += [f"![{text}]({name})\n" for name, text in pictures]
    lines += [tables(records), ""]
    if results.subjects("victim"):
        lines += [longest_table(results, "victim", "delay of an urgent thread, us: p50 / p99 / worst"), ""]
    lines += ["A figure is the median of its rounds' p50, ± half of their spread; a difference within the",
              "spread is \"same\". IOPS are fio's own."]
    return "\n".join(lines) + "\n"


def draw(records, directory):
    try:
        import bench.pictures
    except ImportError:
        print("no pictures: they take python3-matplotlib, which is not installed here", file=sys.stderr)
        return ()
    return bench.pictures.draw(records, directory)


def main():
    directory = pathlib.Path(sys.argv[1])
    records = of_directory(directory)
    if len(records) == 1:
        sys.exit(f"{directory} has no results of ufsbench.sh (such as t615-randread-4k.hardirq.1.json)")
    dump(records, directory / "raw.jsonl")
    (directory / "report.md").write_text(report(records, draw(records, directory)))
    print(answers(records))
    print(f"\nreport: {directory / 'report.md'}")


if __name__ == "__main__":
    main()
