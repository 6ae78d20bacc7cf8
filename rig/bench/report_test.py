# SPDX-License-Identifier: GPL-2.0
"""The bench's records and its report."""

import pathlib
import tempfile
import unittest

from bench.boots import Boot, Progress
from bench.records import dump, load, of_boot, pooled, select
from bench.report import Results, answers, goals, report

READ = ["ufs_mmio_write addr 0x58 data 0x1 size 4", "ufs_exec_scsi_cmd slot 0, lun 0x0, opcode 0x28",
        "ufs_irq_raise INTx", "ufs_mmio_read addr 0x20 data 0x1 size 4",
        "ufs_mmio_write addr 0x20 data 0x1 size 4", "ufs_mmio_read addr 0x58 data 0x0 size 4"]
MARK = ["ufs_exec_query_cmd slot 0, opcode 0x1"]
# The core sets the device's clock now and then.
CLOCK = ["ufs_exec_query_cmd slot 0, opcode 0x4"]
FACTS = {"what": "facts", "kernel": "7.3", "qemu": "10.0", "commit": "c0ffee", "date": "2026-01-02",
         "rounds": 2, "reads": 100}
P50 = {"distribution": {"stock": 25000, "hardirq": 25200, "threaded": 29000, "adaptive": 25300},
       "threaded": {"stock": 34000, "hardirq": 25200, "threaded": 29000, "adaptive": 25300}}


def sample():
    records = [FACTS]
    for boot, subjects in P50.items():
        for subject, instructions in subjects.items():
            common = {"boot": boot, "subject": subject, "writes": 2, "interrupts": 1,
                      "reads": 4 if subject == "stock" else 2}
            for number in 1, 2:
                records.append({**common, "what": "latency", "load": "4k", "round": number,
                                "counts": {instructions: 99, 2 * instructions: 1}})
                records.append({**common, "what": "work", "load": "4k, 8 jobs", "round": number,
                                "instructions": 1000 * instructions, "requests": 1000})
                if boot == "distribution" and subject != "stock":
                    records.append({"boot": boot, "what": "section", "load": "128k, bursts of 32",
                                    "subject": subject, "round": number,
                                    "counts": {3: 100, {"hardirq": 60}.get(subject, 6): 1}})
    return records


class Records(unittest.TestCase):
    DATA = {"latency/4k/stock/1": "25000 60\n26000 3\n", "work/4k, 8 jobs/stock/1": "instructions 500 requests 50\n"}

    def test_runs_get_what_the_trace_says_of_them(self):
        boot = ["ufs_mmio_read addr 0x0 data 0x1 size 4"] * 7 + READ
        trace = boot + MARK + READ * 33 + CLOCK + READ * 30 + MARK + READ * 60 + MARK + READ * 50 + MARK + READ
        one, two = of_boot("distribution", self.DATA, trace)
        self.assertEqual(one["counts"], {25000: 60, 26000: 3})
        self.assertEqual((one["subject"], one["round"], one["reads"], one["writes"], one["interrupts"]),
                         ("stock", 1, 2, 2, 1))
        self.assertEqual((two["what"], two["instructions"], two["requests"]), ("work", 500, 50))

    def test_too_few_in_the_trace_are_no_result(self):
        for trace in MARK + READ * 63 + MARK, MARK + READ * 63 + MARK + MARK + READ * 9 + MARK:
            with self.assertRaises(ValueError):
                of_boot("distribution", self.DATA, trace)

    def test_counts_of_cpus(self):
        data = {"cpus/2 1/hardirq/1": "reads 10 ipis 20\n", "cpus/2 1/hardirq/2": "reads 10 ipis 10\n"}
        records = of_boot("four CPUs", data, ["counts 500 0 1000", "noise", "counts 400 0 600"])
        self.assertEqual([r["cpus"] for r in records], [[500, 0, 1000], [400, 0, 600]])
        self.assertEqual(records[0]["ipis"], 20)
        for log in ["counts 500 0 1000"], ["counts 500 0 1000", "counts 400 600"]:
            with self.assertRaises(ValueError):
                of_boot("four CPUs", data, log)

    def test_what_is_written_is_read_back(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "raw.jsonl"
            dump(sample(), path)
            self.assertEqual(load(path), sample())

    def test_rounds_are_selected_and_pooled(self):
        runs = select(sample()[::-1], what="latency", boot="distribution", subject="stock")
        self.assertEqual([r["round"] for r in runs], [1, 2])
        self.assertEqual(pooled(runs), {25000: 198, 50000: 2})


class Report(unittest.TestCase):
    def test_first_lines_answer(self):
        text = answers(Results(sample()))
        for expected in ("50.0 us", "68.0 us", "+36 %", "50.6 us", "-26 %", "+0.4 %", "60 us in hardirq",
                         "6 us in adaptive"):
            self.assertIn(expected, text)

    def test_goals_with_register_reads_at_a_price(self):
        lines = [line for line in goals(Results(sample())).splitlines() if "own driver" in line]
        # 50.4 / 50 us, and 52.4 / 54 us at a microsecond each.
        self.assertIn("| 1.008 |", lines[0])
        self.assertIn("| 0.970 |", lines[0])
        self.assertTrue(lines[0].endswith("| no |"))

    def test_says_where_it_is_from_and_marks_what_is_derived(self):
        text = report(sample(), [("a.svg", "a picture")])
        self.assertIn("2026-01-02, kernel 7.3, QEMU 10.0, commit c0ffee.", text)
        self.assertIn("20000 (derived)", text)
        self.assertIn("ours takes: hardirq 1.000, threaded 1.000, adaptive 1.000.", text)
        self.assertIn("![a picture](a.svg)", text)
        self.assertLess(text.index("What threading costs"), text.index("Goals"))

    def test_delay_of_others_is_told_where_it_can_be_told_apart(self):
        def victims(subject, worst):
            return [{"boot": "distribution", "what": "victim", "load": "large-read-32-outstanding", "subject": subject,
                     "round": n, "counts": {9: 200, worst + 40 * n: 1}} for n in (1, 2)]
        records = sample() + victims("hardirq", 400) + victims("adaptive", 402)
        self.assertIn("460 us (ours, hardirq), 462 us (ours, adaptive); adaptive against hardirq: "
                      "no difference beyond the spread.", answers(Results(records)))
        records = sample() + victims("hardirq", 400) + victims("adaptive", 55)
        self.assertIn("adaptive against hardirq: -75 %.", answers(Results(records)))

    def test_few_counts_have_no_percentiles(self):
        few = {"boot": "distribution", "what": "victim", "load": "a", "subject": "stock", "round": 1, "counts": {9: 40}}
        many = {**few, "load": "b", "counts": {9: 100}}
        self.assertIn("| - / - / 9 | 9 / 9 / 9 |", report(sample() + [few, many]))

    def test_what_was_not_measured_is_not_in_it(self):
        text = report(sample())
        self.assertNotIn("urgent thread", text)
        self.assertNotIn("4k, bursts", text)
        self.assertNotIn("On which CPU", text)


class ProgressLines(unittest.TestCase):
    def test_time_left_follows_what_it_has_taken(self):
        boots, now, lines = [Boot("a", "A", "", 20, 10, {}), Boot("b", "B", "", 20, 10, {})], [0], []
        progress = Progress(boots, 4, lines.append, lambda: now[0])
        progress.begin(0)
        self.assertEqual(progress.left, 120)
        now[0] = 60    # twice as long as expected for the boot and a round
        progress.message("ok round 1 of 4")
        self.assertEqual(progress.left, 180)
        progress.message("another line")
        self.assertEqual(len(lines), 2)
        self.assertIn("[1/2] A: round 1 of 4, about 3 min left", lines[1])


if __name__ == "__main__":
    unittest.main()
