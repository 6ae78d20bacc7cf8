# SPDX-License-Identifier: GPL-2.0
"""The table of what was last seen passing."""

import unittest

from testing.last_seen import HEADER, merged, modes_of, read, scripts

LINES = ["2026-11-30 7.3.4+deb13-arm64 PASS vm: a", "2026-12-01 7.3.9+deb13-arm64 PASS vm: a",
         "2026-11-29 7.3.4+deb13-arm64 PASS vm: a", "2026-12-01 7.3.4+deb13-rt-arm64 FAIL vm: a",
         "2026-12-01 7.3.4-debug PASS vm: b", "2026-12-01 7.3.4-debug PASS vm: gone",
         "2026-12-01 6.18.1+deb13-arm64 PASS vm: b", "2026-12-01 7.3.4-debug PASS style: rustfmt",
         "2026-12-02 7.3.4-debug BRIEFLY-PASS vm: b", "2026-12-02 7.2.1+deb13-arm64 BRIEFLY-PASS vm: a",
         "2026-12-01 7.2.1+deb13-arm64 BRIEFLY-PASS vm: a"]


class Table(unittest.TestCase):
    def rows(self, rows=()):
        return {row["test"]: row for row in merged(rows, LINES, {"a": "", "b": "for mode in $(modes); do"})}

    def test_the_last_date_counts_and_only_what_passed(self):
        self.assertEqual(self.rows()["a"]["7.3"], "2026-12-01")
        self.assertEqual(self.rows()["a"]["7.3 rt"], "")

    def test_a_brief_run_counts_less(self):
        self.assertEqual(self.rows()["b"]["7.3 debug"], "2026-12-01")
        self.assertEqual(self.rows()["a"]["7.2"], "(2026-12-02)")

    def test_each_kernel_has_its_column(self):
        self.assertEqual([self.rows()["b"][c] for c in HEADER], ["b", "each", "", "", "", "2026-12-01", "", ""])

    def test_what_was_known_stays_and_what_is_gone_goes(self):
        rows = self.rows([{"test": "b", "7.2": "2026-01-01"}, {"test": "old", "7.2": "2026-01-01"}])
        self.assertEqual(rows["b"]["7.2"], "2026-01-01")
        self.assertEqual(list(rows), ["a", "b"])

    def test_modes(self):
        self.assertEqual(modes_of('for mode in threaded hardirq adaptive; do'), "each")
        self.assertEqual(modes_of('set_mode "$host" threaded'), "")

    def test_the_table_has_every_test(self):
        self.assertEqual([row["test"] for row in read()], sorted(scripts()),
                         "Documentation/last-seen.csv: renew it with rig/testing/last_seen.py")


if __name__ == "__main__":
    unittest.main()
