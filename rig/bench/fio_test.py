# SPDX-License-Identifier: GPL-2.0
"""What is made of fio's results."""

import json
import unittest

from bench.fio import compared, cost, iops, p50_us, rates_table, requests
from bench.records import of_boot
from bench.stats import figure


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
        runs = [record(1000, 1, "base-ours"), record(3000, 1, "base-stock"), record(1000 + 99 * 50, 100),
                record(1000 + 99 * 52, 100, number=2), record(3000 + 99 * 49, 100, "stock")]
        self.assertEqual(cost(runs, "a", "distribution", "hardirq").rounds, (50, 52))
        self.assertEqual(cost(runs, "a", "distribution", "stock").median, 49)
        self.assertEqual(cost(runs[2:3], "a", "distribution", "hardirq").median, 59.5)

    def test_both_ways(self):
        both = {"fio": result(60, 40, 5000)}
        self.assertEqual((requests(both), p50_us(both), iops(both)), (100, 5, 1000))

    def test_a_difference_within_the_spread_is_none(self):
        self.assertEqual(compared([figure([100, 100]), figure([120, 120]), figure([90, 112])]),
                         ["100 ± 0.0 %", "120 (+20 %)", "101 (same)"])

    def test_rates_are_those_of_the_pixel6_set(self):
        runs = [{**record(50000, 1, subject, n), "load": "pixel6-read-1-job"}
                for subject in ("stock", "hardirq") for n in (1, 2)]
        runs[3]["instructions"] = 25000
        text = rates_table(runs + [record(7, 1, "stock")], "distribution")
        self.assertIn("| pixel6-read-1-job | 10000 / 10000 / 10000, 100.0 us | 10000 / 20000 / 15000, 75.0 us |", text)
        self.assertEqual(len(text.splitlines()), 3)


if __name__ == "__main__":
    unittest.main()
