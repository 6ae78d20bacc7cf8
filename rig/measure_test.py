# SPDX-License-Identifier: GPL-2.0
"""The arithmetic behind the tables of demo and bench."""

import unittest

from measure import Costs, by_subject, measured_phases, per_read, pooled, pooled_shares, shares


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


class CpuShares(unittest.TestCase):
    LOG = ["counts 500 0 1000", "noise", "counts 400 0 600"]
    DATA = {"hardirq 2 1.1": "reads 10 ipis 20\n", "hardirq 2 1.2": "reads 10 ipis 10\n"}

    def test_counts_go_with_runs(self):
        rounds = shares(self.DATA, self.LOG)["hardirq 2 1"]
        self.assertEqual([r.of_cpu(0) for r in rounds], [50, 40])
        self.assertEqual([r.total for r in rounds], [150, 100])
        total = pooled_shares(rounds)
        self.assertEqual((total.of_cpu(0), total.of_cpu(1), total.of_cpu(2)), (45, 0, 80))
        self.assertEqual((total.total, total.ipis_per_read), (125, 1.5))
        self.assertEqual(rounds[0].reads, 10)

    def test_too_few_counts_are_no_result(self):
        for log in self.LOG[:-1], self.LOG[:-1] + ["counts 400 600"]:
            with self.assertRaises(ValueError):
                shares(self.DATA, log)


if __name__ == "__main__":
    unittest.main()
