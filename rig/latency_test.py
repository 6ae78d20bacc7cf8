# SPDX-License-Identifier: GPL-2.0
"""The arithmetic behind the tables of demo and bench."""

import json
import unittest

from latency import Histogram, measured_phases, per_read


def fio(bins, error=0):
    return json.dumps({"jobs": [{"error": error, "read": {"clat_ns": {"bins": bins}}}]})


class Percentiles(unittest.TestCase):
    def test_interpolates_inside_a_bin(self):
        # At 50 us fio's bins are 512 ns wide; 50432 is the centre of one.
        h = Histogram().add(fio({"50432": 100}))
        self.assertAlmostEqual(h.percentile(50), 50.432)
        self.assertAlmostEqual(h.percentile(100), 50.688)

    def test_runs_are_pooled(self):
        h = Histogram().add(fio({"50432": 98})).add(fio({"50432": 1, "120320": 1}))
        self.assertEqual(h.count, 100)
        self.assertLess(h.percentile(99), 51)
        self.assertGreater(h.percentile(99.5), 119)

    def test_a_failed_run_is_no_result(self):
        with self.assertRaises(ValueError):
            Histogram().add(fio({"50432": 1}, error=5))
        with self.assertRaises(ValueError):
            Histogram().percentile(50)


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
