# SPDX-License-Identifier: GPL-2.0
"""What is made of fio's results."""

import json
import pathlib
import tempfile
import unittest

from bench_fio import compared, cost, iops, of_directory, p50_us, requests, wall_report
from bench_records import of_boot
from bench_stats import figure


def result(reads=0, writes=0, p50_ns=100000):
    def way(n):
        return {"total_ios": n, "iops": 10.0 * n, "clat_ns": {"percentile": {"50.000000": p50_ns}} if n else {}}
    return {"jobs": [{"read": way(reads), "write": way(writes)}]}


def record(instructions, reads, subject="hardirq", number=1):
    return {"boot": "distribution", "what": "fio", "load": "a", "subject": subject, "round": number,
            "instructions": instructions, "fio": result(reads)}


class Figures(unittest.TestCase):
    def test_what_the_guest_sends_is_taken_apart(self):
        text = json.dumps(result(3), indent=1) + "\ninstructions 77\n"
        one, = of_boot("distribution", {"fio/t615-randread-4k/stock/2": text})
        self.assertEqual((one["load"], one["subject"], one["round"], one["instructions"], requests(one)),
                         ("t615-randread-4k", "stock", 2, 77, 3))

    def test_fio_itself_does_not_count(self):
        runs = [record(1000, 1, "base"), record(1000 + 99 * 50, 100), record(1000 + 99 * 52, 100, number=2)]
        self.assertEqual(cost(runs, "a", "distribution", "hardirq").rounds, (50, 52))
        self.assertEqual(cost(runs[1:2], "a", "distribution", "hardirq").median, 59.5)

    def test_both_ways(self):
        both = {"fio": result(60, 40, 5000)}
        self.assertEqual((requests(both), p50_us(both), iops(both)), (100, 5, 1000))

    def test_a_difference_within_the_spread_is_none(self):
        self.assertEqual(compared([figure([100, 100]), figure([120, 120]), figure([90, 112])]),
                         ["100 ± 0.0 %", "120 (+20 %)", "101 (same)"])


class OfAPhone(unittest.TestCase):
    def test_report_of_a_directory(self):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            for mode, p50 in ("hardirq", 100000), ("threaded", 140000):
                for number in 1, 2:
                    path = directory / f"t615-randread-4k.{mode}.{number}.json"
                    path.write_text(json.dumps(result(10, 0, p50)))
            (directory / "notes.txt").write_text("")
            records = of_directory(directory)
        self.assertEqual(len(records), 4)
        text = wall_report(records, "Here and now.")
        for expected in ("takes 100.0 us", "takes 140.0 us (p50), +40 % against ours, hardirq", "Here and now.",
                         "| t615-randread-4k | 100 ± 0.0 % | 140 (+40 %) |", "100 / 100 / 100"):
            self.assertIn(expected, text)


if __name__ == "__main__":
    unittest.main()
