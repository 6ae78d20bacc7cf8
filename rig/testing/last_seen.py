# SPDX-License-Identifier: GPL-2.0
"""When each VM test was last seen passing, and where: Documentation/last-seen.csv.

`python3 -m testing.last_seen LOGS...` adds what the runs have left in build/logs of this
copy of the project, or of others.
"""

import csv
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).parents[2]
TABLE = PROJECT / "Documentation/last-seen.csv"
# The kernels that tests run on, by the ends of their names.
COLUMNS = {r"7\.3\.\d+\+\w+-arm64": "7.3", r"7\.2\.\d+\+\w+-arm64": "7.2", r"7\.3\.\d+\+\w+-rt-arm64": "7.3 rt",
           r"7\.3\.\d+-debug": "7.3 debug", r"7\.3\.\d+-kcsan": "7.3 kcsan", r"7\.3\.\d+-intree": "7.3 in tree"}
HEADER = ["test", "modes", *COLUMNS.values()]


def scripts():
    return {path.stem: path.read_text() for path in sorted((PROJECT / "tests/vm").glob("*.sh"))
            if path.stem != "lib"}


def modes_of(script):
    """Whether a test goes through all the modes that a host has."""
    return "each" if re.search(r"\bmodes\b|for \w+ in (hardirq|threaded|adaptive) \w+ \w+", script) else ""


def column_of(abi):
    return next((column for pattern, column in COLUMNS.items() if re.fullmatch(pattern, abi)), None)


def passes(lines):
    """(test, column, date) of each VM test that passed; a brief run's date in parentheses."""
    for line in lines:
        if m := re.fullmatch(r"(\S+) (\S+) (BRIEFLY-)?PASS vm: (\S+)", line.strip()):
            if column := column_of(m[2]):
                yield m[4], column, f"({m[1]})" if m[3] else m[1]


def later(one, other):
    """Which of two dates counts: the later, but a whole run before a brief one."""
    return max(one, other, key=lambda date: (date != "", not date.startswith("("), date))


def merged(rows, lines, tests):
    """The table's rows with what `lines` say, for `tests` (a script by name)."""
    known = {row["test"]: row for row in rows}
    new = {name: {**dict.fromkeys(HEADER, ""), **known.get(name, {}), "test": name, "modes": modes_of(script)}
           for name, script in tests.items()}
    for name, column, date in passes(lines):
        if name in new:
            new[name][column] = later(new[name][column], date)
    return [new[name] for name in sorted(new)]


def read():
    if not TABLE.exists():
        return []
    with open(TABLE, newline="") as table:
        return list(csv.DictReader(table))


def write(rows):
    with open(TABLE, "w", newline="") as table:
        writer = csv.DictWriter(table, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    lines = [line for logs in sys.argv[1:] for line in (pathlib.Path(logs) / "results").read_text().splitlines()]
    write(merged(read(), lines, scripts()))


if __name__ == "__main__":
    main()
