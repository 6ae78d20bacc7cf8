# SPDX-License-Identifier: GPL-2.0
"""Documents that repeat figures of the example report have those that it has."""

import pathlib
import re
import unittest

DOCS = pathlib.Path(__file__).parents[2] / "Documentation"
REPORT = next(DOCS.glob("benchmarks/*/report.md"))


def table(text, head):
    """{first cell: other cells} of the Markdown table whose head has `head` in it."""
    lines = text[text.index(head):].splitlines()[2:]
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[first] = cells
    return rows


def number(cell):
    return float(re.match(r"[\d.]+", cell)[0])


class Figures(unittest.TestCase):
    def setUp(self):
        report = REPORT.read_text()
        self.single = {name: number(cells[0]) for name, cells in table(report, "a single 4 KiB read | p50").items()}
        self.work = table(report, "instructions and interrupts for a read |")
        self.sections = table(report, "hard interrupt sections, us")

    def row(self, text, name):
        """The columns of a row of a table in reStructuredText."""
        line = re.search(rf"^{re.escape(name)} {{2,}}(.*)$", text, re.M)
        self.assertIsNotNone(line, f"no row {name}")
        return re.split(r" {2,}", line[1].strip())

    def test_design(self):
        text = (DOCS / "design.rst").read_text()
        for name, subject in (("kernel's own driver (ufshcd-pci)", "kernel's own driver"),
                              ("same, with the threaded core of 6.16..7.1", "core of 6.16 to 7.1"),
                              ("ours, hardirq", "ours, hardirq"), ("ours, adaptive", "ours, adaptive"),
                              ("ours, threaded", "ours, threaded"),
                              ("kernel's own driver, ``threadirqs``", "kernel's own driver, threadirqs"),
                              ("ours, ``threadirqs``", "ours, threaded, threadirqs")):
            self.assertEqual(self.row(text, name)[0], f"{self.single[subject]:.2f}", name)

    def test_admin_guide(self):
        text = (DOCS / "admin-guide/ufs-unisoc.rst").read_text()
        ours = ["ours, hardirq", "ours, adaptive", "ours, threaded"]
        on_it = [f"{name}, on it" for name in ours] + ["core of 6.16 to 7.1"]
        stock = "kernel's own driver"
        self.assertEqual(self.row(text, "single 4 KiB read, p50"),
                         [f"{self.single[name]:.1f} us" for name in (*ours, stock)])
        self.assertEqual(self.row(text, "... on the core of 6.16 to 7.1"),
                         [f"{self.single[name]:.1f} us" for name in on_it])
        for row, column in (("instructions for a 4 KiB read, 8 jobs", 0), ("... bursts of 32", 2)):
            self.assertEqual(self.row(text, row), [f"{number(self.work[name][column]):.0f}" for name in (*ours, stock)])
        for row, column in (("4 KiB", 1), ("128 KiB", 2)):
            self.assertEqual(self.row(text, f"longest hard IRQ section, bursts of 32 x {row}"),
                             [f"{self.sections[name][column].split(' / ')[-1]} us" for name in ours])


if __name__ == "__main__":
    unittest.main()
