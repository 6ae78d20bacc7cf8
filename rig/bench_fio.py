# SPDX-License-Identifier: GPL-2.0
"""What fio's own results say: in the rig, and of a phone.

bench_fio.py RESULTS makes RESULTS/raw.jsonl and RESULTS/report.md of what ufsbench.sh
left in the directory RESULTS.
"""

import json
import pathlib
import sys

from bench_records import dump, select, values
from bench_report import SUBJECTS, change, table, title
from bench_stats import figure, ratio

# The workload and the subject are words without dots; the round is a number.
FILE = "*.*.[0-9]*.json"


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
    base = select(records, what="fio", load=load_, boot=boot, subject="base")
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


def wall_tables(records):
    """By the clock of the machine it ran on: p50, and what fio made of it."""
    who, rows, rates = subjects(records, "wall"), [], []
    for load_ in loads(records, "wall"):
        runs = [select(records, what="fio", load=load_, boot="wall", subject=s) for s in who]
        rows.append([load_] + compared([figure([p50_us(r) for r in one]) for one in runs]))
        rates.append([load_] + [" / ".join(f"{f([iops(r) for r in one]):.0f}" for f in (min, max, mean))
                                for one in runs])
    names = [SUBJECTS[s] for s in who]
    return (table(["p50 of a request, us"] + names, rows) + "\n\n"
            + table(["IOPS of rounds: min / max / mean"] + names, rates))


def mean(numbers):
    return sum(numbers) / len(numbers)


def of_directory(directory):
    """The records of what the runner has left there."""
    records = []
    for path in sorted(pathlib.Path(directory).glob(FILE)):
        load_, subject, number, _ = path.name.split(".")
        records.append({"boot": "wall", "what": "fio", "load": load_, "subject": subject,
                        "round": int(number), "fio": json.loads(path.read_text())})
    return records


def wall_report(records, facts):
    who = subjects(records, "wall")
    lines = ["<!-- SPDX-License-Identifier: GPL-2.0 -->\n# What completions cost, by the clock\n"]
    single = [load_ for load_ in loads(records, "wall") if load_ in ("t615-randread-4k", "pixel6-read-1-job")]
    for load_ in single[:1]:
        p50 = {s: figure([p50_us(r) for r in select(records, what="fio", load=load_, subject=s)]) for s in who}
        lines += [f"- **{SUBJECTS[s]}:** a single 4 KiB read takes {p50[s].median:.1f} us (p50)"
                  + (f", {change(ratio(p50[s], p50[who[0]]))} against {SUBJECTS[who[0]]}." if s != who[0] else ".")
                  for s in who]
    lines += ["", facts, "", wall_tables(records), "",
              "A figure is the median of its rounds' p50, ± half of their spread; a difference within the\n"
              "spread is \"same\". IOPS are fio's own."]
    return "\n".join(lines) + "\n"


def main():
    directory = pathlib.Path(sys.argv[1])
    records = of_directory(directory)
    if not records:
        sys.exit(f"{directory} has no results of ufsbench.sh (such as t615-randread-4k.hardirq.1.json)")
    facts = directory / "facts"
    dump(records, directory / "raw.jsonl")
    text = wall_report(records, facts.read_text().strip() if facts.exists() else "")
    (directory / "report.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
