# SPDX-License-Identifier: GPL-2.0
"""The arithmetic behind the table of demo."""

import unittest

from machine.measure import Costs, by_subject, pooled


class Percentiles(unittest.TestCase):
    def test_of_a_run(self):
        costs = Costs().add("25000 98\n30000 1\n40000 1\n")
        self.assertEqual(costs.reads, 100)
        self.assertEqual(costs.percentile(50), 50.0)
        self.assertEqual(costs.percentile(98), 50.0)
        self.assertEqual(costs.percentile(99), 60.0)
        self.assertEqual(costs.percentile(100), 80.0)

    def test_rounds_are_kept_apart_and_pooled(self):
        rounds = by_subject({"hardirq.1": "1000 3\n", "threaded.1": "9 1\n", "hardirq.2": "2000 1\n"})
        self.assertEqual(list(rounds), ["hardirq", "threaded"])
        self.assertEqual([c.percentile(50) for c in rounds["hardirq"]], [2.0, 4.0])
        self.assertEqual(pooled(rounds["hardirq"]).reads, 4)
        self.assertEqual(pooled(rounds["hardirq"]).percentile(50), 2.0)

    def test_nothing_is_no_result(self):
        with self.assertRaises(ValueError):
            Costs().percentile(50)


if __name__ == "__main__":
    unittest.main()
