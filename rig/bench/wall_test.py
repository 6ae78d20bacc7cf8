# SPDX-License-Identifier: GPL-2.0
"""The report of a phone's results."""

import json
import pathlib
import tempfile
import unittest

from bench.wall import answers, of_directory, report


def result(p50_ns):
    reads = {"total_ios": 10, "iops": 100.0, "clat_ns": {"percentile": {"50.000000": p50_ns, "99.000000": 2 * p50_ns}}}
    return {"jobs": [{"read": reads, "write": {"total_ios": 0}, "usr_cpu": 5.0, "sys_cpu": 20.0}]}


class OfAPhone(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            for mode, p50 in ("hardirq", 100000), ("threaded", 140000):
                for number in 1, 2:
                    path = directory / f"t615-randread-4k.{mode}.{number}.json"
                    path.write_text(json.dumps(result(p50)))
                    path.with_suffix(".cpu").write_text("busy 30 interrupts 4 all 200\n")
                    path.with_suffix(".victim").write_text(f"3 100\n{60 + number} 1\n")
            (directory / "notes.txt").write_text("")
            (directory / "facts").write_text("Here and now.\n")
            self.records = of_directory(directory)

    def test_all_runs_are_there(self):
        self.assertEqual([r["what"] for r in self.records], ["facts"] + ["fio", "victim"] * 4)

    def test_report(self):
        text = report(self.records, [("p.svg", "A picture")])
        for expected in ("takes 100.0 us", "takes 140.0 us (p50), +40 % against ours, hardirq", "Here and now.",
                         "| t615-randread-4k | 100 ± 0.0 % | 140 (+40 %) |", "100 / 100 / 100", "![A picture](p.svg)",
                         "up to 62 us too late", "| 5 / 20 / 15 / 2 |", "| ours, hardirq | 3 / 3 / 62 |"):
            self.assertIn(expected, text)

    def test_what_was_not_measured_is_not_told(self):
        only_fio = [{k: v for k, v in r.items() if k != "ticks"} for r in self.records if r["what"] != "victim"]
        self.assertIn("| 5 / 20 / - / - |", report(only_fio))
        self.assertNotIn("too late", report(only_fio))
        self.assertEqual(answers([{**r, "load": "large"} for r in only_fio]), "")


if __name__ == "__main__":
    unittest.main()
