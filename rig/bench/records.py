# SPDX-License-Identifier: GPL-2.0
"""The bench's raw results: one JSON object for each run, made of what a boot gave.

The guest calls what it sends WHAT/LOAD/SUBJECT/ROUND:

latency  what one read costs the CPU, as {instructions: reads}
work     what many reads cost it together: instructions, requests
section  how long the hard handler is at a time, as {us: times}
victim   how late an urgent thread got the CPU, as {us: times}
fio      fio's own result, and the instructions of that run, fio's included
cpus     what each of several CPUs executes for a read
"""

import json

from machine.measure import per_read, phases

# Fewer reads than these are no run.
LEAST_READS = 50


def counts(text):
    """{value: number} of lines "VALUE NUMBER"."""
    result = {}
    for line in text.splitlines():
        value, number = map(int, line.split())
        result[value] = result.get(value, 0) + number
    return result


def words(text):
    """{name: number} of "NAME NUMBER NAME NUMBER ..."."""
    parts = text.split()
    return dict(zip(parts[::2], map(int, parts[1::2])))


def parse(what, text):
    if what in ("latency", "section", "victim"):
        return {"counts": counts(text)}
    if what == "fio":
        result, end = json.JSONDecoder().raw_decode(text)
        return {**words(text[end:]), "fio": result}
    return words(text)


def of_boot(boot, data, trace=()):
    """The records of what a boot's guest sent, in order; with QEMU's trace, what it
    says of each run; with the log of the plugin, the CPUs' counts."""
    records = []
    for name, text in data.items():
        what, load, subject, number = name.split("/")
        records.append({"boot": boot, "what": what, "load": load, "subject": subject,
                        "round": int(number), **parse(what, text)})
    if not trace:
        return records
    if records and records[0]["what"] == "cpus":
        return with_cpus(records, trace)
    return with_accesses(records, trace)


def with_accesses(records, trace):
    # Each run has a mark before and behind it; what comes before the first is the boot.
    measured = phases(trace)[-2 * len(records)::2]
    if len(measured) != len(records) or min(p.get("read", 0) for p in measured) < LEAST_READS:
        raise ValueError(f"{len(records)} runs, but not each is in QEMU's trace")
    for record, phase in zip(records, measured):
        record["reads"], record["writes"], record["interrupts"] = per_read(phase)
    return records


def with_cpus(records, log):
    lines = [list(map(int, line.split()[1:])) for line in log if line.startswith("counts ")]
    if len(lines) != len(records) or len({len(line) for line in lines}) > 1:
        raise ValueError(f"{len(records)} runs, but {len(lines)} counts, of {lines[:1]} and others")
    for record, line in zip(records, lines):
        record["cpus"] = line
    return records


def select(records, **wanted):
    """The records with those values, by round."""
    return sorted((r for r in records if all(r.get(k) == v for k, v in wanted.items())),
                  key=lambda r: r["round"])


def values(records, key):
    """The different values of a key, in order of appearance."""
    return list(dict.fromkeys(r[key] for r in records if key in r))


def pooled(records):
    """The counts of several rounds together."""
    total = {}
    for record in records:
        for value, number in record["counts"].items():
            total[value] = total.get(value, 0) + number
    return total


def dump(records, path):
    with open(path, "w") as out:
        for record in records:
            out.write(json.dumps(record) + "\n")


def load(path):
    records = []
    with open(path) as lines:
        for line in lines:
            record = json.loads(line)
            if "counts" in record:
                record["counts"] = {int(k): v for k, v in record["counts"].items()}
            records.append(record)
    return records
