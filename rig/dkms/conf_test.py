# SPDX-License-Identifier: GPL-2.0
"""Tests of what dkms.conf says, without DKMS."""

import pathlib
import re
import subprocess
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def conf(variable):
    """What dkms.conf sets the variable to, for a kernel."""
    script = f'kernelver=7.3.4-x kernel_source_dir=/nowhere; . ./dkms.conf; printf %s "${{{variable}}}"'
    return subprocess.run(["bash", "-euc", script], cwd=PROJECT, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def untried(series):
    """The first one after all of them."""
    major, minor = max(tuple(map(int, name.split("."))) for name in series)
    return f"{major}.{minor + 1}"


class Conf(unittest.TestCase):
    def test_one_version_everywhere(self):
        version = conf("PACKAGE_VERSION")
        cargo = re.search(r'^version = "(.*)"$', (PROJECT / "Cargo.toml").read_text(), re.M)
        self.assertEqual(version, cargo[1])
        newest = re.search(r"^(\d+\.\d+\.\d+)", (PROJECT / "CHANGELOG.rst").read_text(), re.M)
        self.assertEqual(version, newest[1])

    def test_kernels_are_those_that_are_tested(self):
        oldest = re.search(r"^OLDEST=(.*)$", (PROJECT / "rig/compile/kdir.sh").read_text(), re.M)[1]
        series = set(re.findall(r"^\s*on (\S+) ", (PROJECT / "rig/testing/test-kernels.sh").read_text(), re.M))
        self.assertIn(oldest, series)
        pattern = re.compile(conf("BUILD_EXCLUSIVE_KERNEL"))
        for name in series:
            self.assertTrue(pattern.search(f"{name}.12+deb13-arm64"), name)
        for name in ("6.18.1", "7.1.9", f"{untried(series)}.0", "17.3.1", "7.31.0", "7.3"):
            self.assertFalse(pattern.search(name), name)

    def test_a_prepared_tree_is_optional(self):
        self.assertIn("KDIR='/nowhere'", conf("MAKE[0]"))


if __name__ == "__main__":
    unittest.main()
