# SPDX-License-Identifier: GPL-2.0
"""What the runner makes of a boot's results, without booting."""

import argparse
import pathlib
import tempfile
import threading
import unittest

from machine.vm import Kernel, Tail, alone, expected, outside, parse_results, phone_report, verdict


class Logs(unittest.TestCase):
    def test_a_second_run_of_a_test_waits(self):
        seen = []
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "lock"

            def second():
                with alone(path):
                    seen.append("second")

            with alone(path):
                thread = threading.Thread(target=second)
                thread.start()
                thread.join(0.2)
                seen.append("first")
            thread.join()
        self.assertEqual(seen, ["first", "second"])

    def test_paths_are_told_as_they_are_outside(self):
        parser = argparse.ArgumentParser()
        Kernel.arguments(parser)
        args = parser.parse_args("--abi a --image i --initramfs r --project-outside /home/x/tree".split())
        self.assertEqual(outside(args, "/src/build/logs/a/b.console.log"), "/home/x/tree/build/logs/a/b.console.log")


class PhoneReport(unittest.TestCase):
    def test_what_makes_no_report_is_told(self):
        self.assertIn("has no results", phone_report({"facts": "x\n"}))
        self.assertIn("JSONDecodeError", phone_report({"t615-randread-4k.hardirq.1.json": "{"}))


class Results(unittest.TestCase):
    def test_messages_and_files_are_told_apart(self):
        lines = ["ok one", "data a.json", "{", "ok not a message", "}", "end a.json", "exit 0"]
        self.assertEqual(parse_results(lines),
                         (["ok one", "exit 0"], {"a.json": "{\nok not a message\n}\n"}))

    def test_a_file_cut_off_is_no_file(self):
        self.assertEqual(parse_results(["data a", "x"]), ([], {}))

    def test_tail_waits_for_whole_lines(self):
        with tempfile.TemporaryDirectory() as d:
            path = pathlib.Path(d) / "log"
            tail = Tail(path)
            self.assertEqual(tail.lines(), [])
            path.write_bytes(b"one\r\ntw")
            self.assertEqual(tail.lines(), ["one"])
            path.write_bytes(b"one\r\ntwo\nthree")
            self.assertEqual(tail.lines(), ["two"])
            self.assertEqual(tail.lines(final=True), ["three"])


class Verdict(unittest.TestCase):
    def test_passes_only_with_a_check_and_exit_0(self):
        self.assertIsNone(verdict(["ok it works", "exit 0"], None))
        for messages in ([], ["exit 0"], ["ok one"], ["ok one", "exit 1"], ["note x", "exit 0"]):
            with self.subTest(messages=messages):
                self.assertIsNotNone(verdict(messages, None))

    def test_the_reason_of_the_test_is_kept(self):
        self.assertEqual(verdict(["ok one", "fail no disk", "exit 1"], None), "no disk")

    def test_a_fail_counts_even_if_the_script_goes_on(self):
        self.assertEqual(verdict(["fail in a subshell", "ok one", "exit 0"], None), "in a subshell")

    def test_the_console_outweighs_a_pass(self):
        self.assertEqual(verdict(["ok one", "exit 0"], "console: bug: BUG: x"), "console: bug: BUG: x")

    def test_expected_failures(self):
        self.assertIsNone(expected("", None))
        self.assertEqual(expected("", "no disk"), "no disk")
        self.assertIsNone(expected("^console: panic", "console: panic: Kernel panic"))
        self.assertIsNotNone(expected("^console: panic", "no disk"))
        self.assertIsNotNone(expected("^console: panic", None))


if __name__ == "__main__":
    unittest.main()
