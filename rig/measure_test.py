# SPDX-License-Identifier: GPL-2.0
"""The arithmetic behind the tables of demo and bench."""

import unittest

from measure import Costs, by_subject, measured_phases, per_read, pooled


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


class Accesses(unittest.TestCase):
    READ = ["ufs_mmio_write addr 0x58 data 0x1 size 4", "ufs_exec_scsi_cmd slot 0, lun 0x0, opcode 0x28",
            "ufs_irq_raise INTx", "ufs_mmio_read addr 0x20 data 0x1 size 4",
            "ufs_mmio_write addr 0x20 data 0x1 size 4", "ufs_mmio_read addr 0x58 data 0x0 size 4"]
    MARK = ["ufs_exec_query_cmd slot 0, opcode 0x1"]

    def test_counts_between_marks(self):
        boot = ["ufs_mmio_read addr 0x0 data 0x1 size 4"] * 7 + self.READ
        trace = boot + self.MARK + self.READ * 50 + self.MARK + self.READ * 60 + self.MARK
        measured = measured_phases(trace, 50)
        self.assertEqual([p["read"] for p in measured], [50, 60])
        self.assertEqual(per_read(measured[0]), (2, 2, 1))


if __name__ == "__main__":
    unittest.main()
