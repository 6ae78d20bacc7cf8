# SPDX-License-Identifier: GPL-2.0
"""What `make KDIR=...` says about trees it cannot build for."""

import os
import pathlib
import subprocess
import tempfile
import unittest

KDIR_SH = pathlib.Path(__file__).parent / "kdir.sh"
BUILD = pathlib.Path(__file__).parents[2] / "build"
RUSTC = "rustc 1.85.1 (4eb161250 2025-03-15)"


class Trees(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.tree = pathlib.Path(directory.name) / "tree"
        self.addCleanup(self.remove_output)
        self.tools = pathlib.Path(directory.name) / "tools"
        self.tools.mkdir()
        # Tools that are there, but only say who they are.
        for name in ("rustc", "bindgen", "make", "aarch64-linux-gnu-gcc", "x86_64-linux-gnu-gcc"):
            tool = self.tools / name
            tool.write_text(f'#!/bin/sh\necho "{RUSTC if name == "rustc" else name} $*"\n'
                            .replace(" $*", "" if name == "rustc" else " $*"))
            tool.chmod(0o755)

    def remove_output(self):
        output = BUILD / "7.3.4"
        if output.is_dir() and not any(output.iterdir()):
            output.rmdir()

    def write(self, name, text=""):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def good_tree(self, release="7.3.4", arch="ARM64", **config):
        config = {"RUST": "y", arch: "y", "RUSTC_VERSION_TEXT": f'"{RUSTC}"', "SCSI_UFSHCD": "m", "PM": "y",
                  "MFD_SYSCON": "y", "RESET_CONTROLLER": "y", **config}
        self.write("Makefile")
        self.write(".config", "".join(f"CONFIG_{k}={v}\n" for k, v in config.items() if v))
        self.write("include/generated/autoconf.h")
        self.write("include/config/kernel.release", release + "\n")
        self.write("rust/libkernel.rmeta")

    def make(self, target="--dry-run", kdir=None, **env):
        env = {"PATH": f"{self.tools}:/usr/bin:/bin", "KDIR": str(kdir or self.tree), **env}
        return subprocess.run([KDIR_SH, target], env=env, capture_output=True, text=True)

    def assert_refused(self, what, **kwargs):
        result = self.make(**kwargs)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(what, result.stderr)

    def test_a_good_tree_is_built_for(self):
        self.good_tree()
        result = self.make("modules")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"-C {self.tree}", result.stdout)
        self.assertIn("ARCH=arm64", result.stdout)
        self.assertRegex(result.stdout, r"build/7\.3\.4/ufs_unisoc\.ko$")

    def test_a_foreign_tree_gets_a_cross_compiler(self):
        foreign = "ARM64" if os.uname().machine == "x86_64" else "X86_64"
        self.good_tree(arch=foreign)
        self.assertRegex(self.make("modules").stdout, r"CROSS_COMPILE=(aarch64|x86_64)-linux-gnu-")

    def test_what_the_user_says_goes_first(self):
        self.good_tree()
        self.assertIn("KCFLAGS=-O1 -fdebug-prefix-map=", self.make("modules", KCFLAGS="-O1").stdout)
        self.assertIn("LLVM=-19", self.make("modules", LLVM="-19").stdout)
        self.assertIn("CROSS_COMPILE=my-", self.with_tool("my-gcc", CROSS_COMPILE="my-"))

    def with_tool(self, name, **env):
        (self.tools / name).symlink_to("make")
        return self.make("modules", **env).stdout

    def test_a_tree_made_by_clang_is_built_by_clang(self):
        self.good_tree(CC_IS_CLANG="y")
        self.assertIn("LLVM=1", self.make("modules").stdout)

    def test_no_tree(self):
        self.assert_refused("does not exist", kdir="/nonexistent")

    def test_not_a_tree(self):
        self.tree.mkdir()
        self.assert_refused("not a kernel tree")

    def test_not_configured(self):
        self.write("Makefile")
        self.assert_refused("make modules_prepare")

    def test_not_prepared(self):
        self.good_tree()
        (self.tree / "include/generated/autoconf.h").unlink()
        self.assert_refused("is not prepared: run 'make modules_prepare'")

    def test_too_old(self):
        self.good_tree(release="6.12.1")
        self.assert_refused("Linux 6.12.1")

    def test_without_rust(self):
        self.good_tree(RUST=None)
        self.assert_refused("CONFIG_RUST=y")

    def test_header_packages(self):
        self.good_tree()
        (self.tree / "rust/libkernel.rmeta").unlink()
        self.assert_refused("rust/libkernel.rmeta")

    def test_another_rustc(self):
        self.good_tree(RUSTC_VERSION_TEXT='"rustc 1.90.0"')
        self.assert_refused(f"prepared by 'rustc 1.90.0', but rustc here is '{RUSTC}'")

    def test_no_rustc(self):
        self.good_tree()
        self.assert_refused("there is no no-rustc here", RUSTC="no-rustc")

    def test_no_bindgen(self):
        self.good_tree()
        self.assert_refused("there is no no-bindgen here", BINDGEN="no-bindgen")

    def test_without_what_it_stands_on(self):
        for option in ("SCSI_UFSHCD", "PM", "MFD_SYSCON", "RESET_CONTROLLER"):
            with self.subTest(option=option):
                self.good_tree(**{option: None})
                self.assert_refused(f"without {option}")

    def test_arch_of_another_tree(self):
        self.good_tree()
        self.assert_refused("ARCH is x86_64", ARCH="x86_64")

    def test_a_relative_path(self):
        self.good_tree()
        self.assertIn(f"-C {self.tree}", self.make("modules", kdir=os.path.relpath(self.tree)).stdout)

    def test_another_machine(self):
        self.good_tree(arch="RISCV")
        self.assert_refused("neither arm64 nor x86-64")


if __name__ == "__main__":
    unittest.main()
