# SPDX-License-Identifier: GPL-2.0
"""Tests of `make import` and `make patches`, on the part of a kernel's source that they are about.

A suite of its own, since it takes a kernel's source: suite(SOURCE).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from intree import import_tree, payload, series

PARTS = ["Makefile", "Kconfig", "MAINTAINERS", "init/Kconfig", "rust/kernel/lib.rs", "drivers/ufs/host/Kconfig",
         "drivers/ufs/host/Makefile", "Documentation/scsi/index.rst", "Documentation/admin-guide/index.rst",
         "Documentation/ABI/testing/sysfs-driver-ufs", "Documentation/devicetree/bindings/ufs/ufs-common.yaml"]
WHO = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
       for what, value in (("NAME", "A Tester"), ("EMAIL", "tester@localhost"))}


def run(*command, **kwargs):
    return subprocess.run([str(c) for c in command], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)


class Case(unittest.TestCase):
    source = None     # set by suite()

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.pristine = pathlib.Path(cls.scratch.name) / "pristine"
        for part in PARTS:
            path = cls.pristine / part
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(cls.source / part, path)
        # As the kernel's: neither what is built nor what begins with a dot is seen.
        (cls.pristine / ".gitignore").write_text(".*\n*.o\n*.ko\n*.mod\n*.mod.c\n!.gitignore\n")
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "base"]):
            assert run("git", *command, cwd=cls.pristine, env={**os.environ, **WHO}).returncode == 0

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        # Others shall be able to look at it: see test_not_writable.
        os.chmod(scratch.name, 0o755)
        self.tree = pathlib.Path(scratch.name) / "linux"
        shutil.copytree(self.pristine, self.tree)

    def git(self, *arguments):
        result = run("git", *arguments, cwd=self.tree, env={**os.environ, **WHO})
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def status(self):
        return self.git("status", "--porcelain", "--ignored", "--untracked-files=all") + self.git("diff")

    def call(self, *options, tree=None, **kwargs):
        return run(sys.executable, "-B", "-m", "intree.import_tree", *options,
                   *([self.tree] if tree is None else [tree] if tree else []), **kwargs)

    def imported(self, *options):
        result = self.call(*options)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def refused(self, what, *options, **kwargs):
        before = self.status()
        result = self.call(*options, **kwargs)
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertIn(what, result.stdout)
        self.assertTrue(result.stdout.endswith("nothing was changed.\n"), result.stdout)
        self.assertEqual(self.status(), before)


class Import(Case):
    def test_uninstall_leaves_the_tree_as_it_was(self):
        self.imported()
        self.assertIn(f"{payload.HOME}/unisoc.rs", self.status())
        self.imported("--uninstall")
        self.assertEqual(self.status(), "")
        self.assertFalse((self.tree / payload.HOME).exists())
        self.assertFalse((self.tree / payload.PAGES).exists())

    def test_everything_is_seen_by_git(self):
        self.imported()
        self.assertNotIn("!!", self.git("status", "--porcelain", "--ignored"))

    def test_the_driver_is_reached_by_kbuild_and_kconfig(self):
        self.imported()
        home = self.tree / payload.HOME
        self.assertIn("+= unisoc/", (self.tree / "drivers/ufs/host/Makefile").read_text())
        self.assertIn(f'source "{payload.HOME}/Kconfig"', (self.tree / "drivers/ufs/host/Kconfig").read_text())
        self.assertIn("config SCSI_UFS_UNISOC\n", (home / "Kconfig").read_text())
        crate = (home / "unisoc.rs").read_text()
        path = re.search(r'#\[path = "(.*)"\]', crate)[1]
        self.assertTrue((home / path).is_file(), path)

    def test_the_sources_are_those_of_the_module(self):
        self.imported()
        home = self.tree / payload.HOME
        for ours, theirs in ((payload.PROJECT / payload.HOME, home), (payload.PROJECT / "rust", home / "rust")):
            for path in ours.rglob("*.rs"):
                if path.name == "bindings_generated.rs":
                    continue
                data = (theirs / path.relative_to(ours)).read_text()
                self.assertEqual(data.replace(f"{payload.PAGES}/", "Documentation/"), path.read_text(), path)

    def test_no_page_is_named_that_is_not_there(self):
        self.imported()
        for name in import_tree.Manifest.of(self.tree).files:
            text = (self.tree / name).read_text()
            for page in re.findall(r"Documentation/[-\w/.]+\.(?:rst|yaml)", text):
                self.assertTrue((self.tree / page).exists(), f"{name} names {page}")

    def test_maintainers_has_its_place_in_the_alphabet(self):
        self.imported()
        entries = (self.tree / "MAINTAINERS").read_text().split("\n\n")
        ours = [n for n, e in enumerate(entries) if f"F:\t{payload.HOME}/" in e]
        self.assertEqual(len(ours), 1)
        before, entry, after = (e.splitlines()[0] for e in entries[ours[0] - 1:ours[0] + 2])
        self.assertTrue(before < entry < after, (before, entry, after))
        for path in re.findall(r"^F:\t(.*)", entries[ours[0]], re.M):
            self.assertTrue((self.tree / path).exists(), path)

    def test_twice_is_once(self):
        self.imported()
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "imported")
        self.assertIn("has all of it already", self.imported())
        self.assertEqual(self.status(), "")

    def test_an_older_import_is_brought_up_to_date(self):
        self.imported()
        want = self.status()
        # As of a version that had another file, another text of one, and another line.
        manifest = import_tree.Manifest.of(self.tree)
        host, gone = f"{payload.HOME}/host.rs", f"{payload.HOME}/gone.rs"
        for name in (host, gone):
            (self.tree / name).write_text("// Older.\n")
            manifest.files[name] = import_tree.digest(b"// Older.\n")
        makefile = self.tree / "drivers/ufs/host/Makefile"
        line = manifest.texts["drivers/ufs/host/Makefile"]
        manifest.texts["drivers/ufs/host/Makefile"] = "obj-y += unisoc/\n"
        makefile.write_text(makefile.read_text().replace(line, "obj-y += unisoc/\n"))
        (self.tree / import_tree.MANIFEST).write_bytes(manifest.data())
        self.imported()
        self.assertEqual(self.status(), want)

    def test_local_changes_stay(self):
        kconfig, makefile = self.tree / "drivers/ufs/host/Kconfig", self.tree / "drivers/ufs/host/Makefile"
        maintainers = self.tree / "MAINTAINERS"
        kconfig.write_text("# mine\n" + kconfig.read_text() + "# no end of the line")
        maintainers.write_text(maintainers.read_text().replace("S:\tMaintained", "S:\tMine", 3))
        makefile.write_text(makefile.read_text().rstrip("\n"))
        (self.tree / "Documentation/scsi/mine.rst").write_text("mine\n")
        os.chmod(makefile, 0o600)
        before = self.status()
        self.imported()
        self.assertEqual(makefile.stat().st_mode & 0o777, 0o600)
        self.assertIn("obj-$(CONFIG_SCSI_UFS_UNISOC) += unisoc/", makefile.read_text().splitlines())
        self.imported()
        self.imported("--uninstall")
        self.assertEqual(self.status(), before)

    def test_changes_after_the_import_stay(self):
        host = self.tree / "drivers/ufs/host"
        self.imported()
        (host / "Kconfig").write_text((host / "Kconfig").read_text() + "# mine\n")
        (host / "Makefile").write_text("# mine\n" + (host / "Makefile").read_text())
        self.imported()
        self.imported("--uninstall")
        changed = [line for line in self.git("diff", "--unified=0").splitlines() if re.match(r"[+-][^+-]", line)]
        self.assertEqual(changed, ["+# mine", "+# mine"])

    def test_a_line_that_is_gone_already_is_no_trouble(self):
        self.imported()
        self.git("checkout", "drivers/ufs/host/Makefile")
        self.assertIn("drivers/ufs/host/Makefile has no longer", self.imported("--uninstall"))
        self.assertEqual(self.status(), "")

    def test_what_was_built_goes_and_what_is_not_ours_stays(self):
        self.imported()
        home = self.tree / payload.HOME
        for name in ("unisoc.o", ".unisoc.o.cmd", "ufs_unisoc.ko", "ufs_unisoc.mod.c", "modules.order",
                     "built-in.a", "rust/bindings_generated.rs", "rust/.helpers.o.cmd", "notes.txt"):
            (home / name).touch()
        self.assertIn(f"{payload.HOME}/notes.txt", self.imported("--uninstall"))
        self.assertEqual(self.status(), f"?? {payload.HOME}/notes.txt\n")

    def test_changes_of_the_driver_are_not_lost(self):
        self.imported()
        host = self.tree / payload.HOME / "host.rs"
        good = host.read_bytes()
        host.write_text("// Mine.\n")
        self.refused("host.rs. Save these changes elsewhere")
        self.refused("host.rs. Save these changes elsewhere", "--uninstall")
        self.imported("--force")
        self.assertEqual(host.read_bytes(), good)
        host.write_text("// Mine.\n")
        self.imported("--force", "--uninstall")
        self.assertEqual(self.status(), "")

    def test_files_shared_by_hard_links_stay(self):
        other = self.tree.parent / "other"
        self.assertEqual(run("cp", "-al", self.tree, other).returncode, 0)
        self.imported()
        self.assertEqual(run("git", "diff", "--stat", cwd=other).stdout, "")

    def test_a_write_that_fails_undoes_the_rest(self):
        before, real, calls = self.status(), os.replace, []

        def replace(source, target):
            calls.append(target)
            if len(calls) == 40:
                raise OSError(28, "No space left on device", str(target))
            real(source, target)

        os.replace = replace
        try:
            with self.assertRaisesRegex(import_tree.Refused, "No space left"):
                import_tree.install(self.tree, False)
        finally:
            os.replace = real
        self.assertGreater(len(calls), 40)
        self.assertEqual(self.status(), before)

    def test_a_newer_series_is_said_to_be_untried(self):
        major, minor = import_tree.NEWEST
        self.set_series(major, minor + 1)
        self.assertIn(f"{major}.{minor + 1} is newer than {major}.{minor}", self.imported())

    def test_a_list_that_a_vendor_has_changed_is_left_out(self):
        (self.tree / "Documentation/admin-guide/index.rst").write_text("nothing\n")
        (self.tree / "MAINTAINERS").unlink()
        text = self.imported()
        self.assertIn("admin-guide/index.rst has no place", text)
        self.assertIn("MAINTAINERS has no place", text)

    def set_series(self, version, patchlevel):
        makefile = self.tree / "Makefile"
        text = re.sub(r"^VERSION = .*", f"VERSION = {version}", makefile.read_text(), flags=re.M)
        makefile.write_text(re.sub(r"^PATCHLEVEL = .*", f"PATCHLEVEL = {patchlevel}", text, flags=re.M))

    def test_no_tree_given(self):
        self.refused("Say KSRC=/path/to/linux", tree="")

    def test_no_such_directory(self):
        self.refused("there is no directory", tree="/nonexistent")

    def test_not_a_kernel(self):
        self.refused("not a kernel's source tree", tree=payload.PROJECT)

    def test_too_old(self):
        self.set_series(6, 18)
        self.refused("is Linux 6.18; the driver needs 7.2 or newer")

    def test_without_rust(self):
        init = self.tree / "init/Kconfig"
        init.write_text(init.read_text().replace("config RUST\n", "config RUSTY\n"))
        self.refused("no support for Rust")

    def test_without_the_kernel_crate(self):
        (self.tree / "rust/kernel/lib.rs").unlink()
        self.refused("no support for Rust")

    def test_headers_only(self):
        (self.tree / "drivers/ufs/host/Makefile").unlink()
        self.refused("full source, not headers only")

    def test_no_place_for_the_driver(self):
        (self.tree / "drivers/ufs/host/Makefile").write_text("# Nothing is built here.\n")
        self.refused("found no place for 'obj-$(CONFIG_SCSI_UFS_UNISOC)")

    def test_somebody_elses_driver(self):
        (self.tree / payload.HOME).mkdir()
        (self.tree / payload.HOME / "Kconfig").write_text("# Theirs.\n")
        self.refused("is there already, and not from an import")

    def test_somebody_elses_binding(self):
        (self.tree / payload.BINDING).write_text("# Theirs.\n")
        self.refused("is there already, and not from an import")

    def test_a_directory_in_the_way(self):
        (self.tree / payload.GUIDE).mkdir()
        (self.tree / payload.GUIDE / "x").touch()
        self.refused(payload.GUIDE)

    def test_not_writable(self):
        self.refused("cannot write to", user="nobody")

    def test_nothing_to_uninstall(self):
        self.refused("nothing was imported there", "--uninstall")

    def test_a_broken_manifest(self):
        self.imported()
        (self.tree / import_tree.MANIFEST).write_text("{")
        self.refused("import.json cannot be read", "--uninstall")


class Patches(Case):
    def series(self, name="patches", **env):
        output = self.tree.parent / name
        result = run(sys.executable, "-B", "-m", "intree.series", self.tree, output,
                     env={**os.environ, "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name",
                          "GIT_CONFIG_VALUE_0": "A Tester", "GIT_CONFIG_KEY_1": "user.email",
                          "GIT_CONFIG_VALUE_1": "tester@localhost", **env})
        self.assertEqual(result.returncode, 0, result.stdout)
        return sorted(output.iterdir())

    def test_the_series_gives_what_an_import_gives(self):
        patches = self.series()
        self.assertEqual(self.status(), "")
        self.git("am", *patches[1:])
        self.assertEqual(self.git("log", "--format=%s", "-4").splitlines()[::-1], [s.subject for s in series.STEPS])
        self.git("branch", "series")
        self.git("checkout", "--quiet", "HEAD~4")
        self.imported()
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "imported")
        self.assertEqual(self.git("diff", "--name-only", "series"), f"{import_tree.MANIFEST}\n")

    def test_the_series_has_a_cover_letter(self):
        cover = self.series()[0].read_text()
        self.assertNotIn("***", cover)
        self.assertIn(f"[PATCH 0/4] {series.COVER_SUBJECT}", cover)
        for step in series.STEPS:
            self.assertIn(step.subject, cover)

    def test_checkpatch_is_content(self):
        for patch in self.series()[1:]:
            result = run("perl", self.source / "scripts/checkpatch.pl", "--strict", "--terse", "--show-types",
                         "--no-summary", patch, cwd=self.source)
            self.assertEqual(result.stdout.splitlines()[:5], [], patch.name)

    def test_one_source_gives_one_series(self):
        one, other = ([p.read_bytes() for p in self.series(name)] for name in ("one", "other"))
        self.assertEqual(one, other)

    def test_nobody_to_sign_off(self):
        result = run(sys.executable, "-B", "-m", "intree.series", self.tree, self.tree.parent / "out",
                     env={**{key: os.environ[key] for key in ("PATH", "PYTHONPATH")}, "HOME": "/nonexistent",
                          "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": "/nonexistent"})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("set user.name and user.email", result.stdout)


def suite(source):
    Case.source = source
    loader = unittest.TestLoader()
    return unittest.TestSuite(loader.loadTestsFromTestCase(c) for c in (Import, Patches))


if __name__ == "__main__":
    unittest.TextTestRunner(verbosity=2).run(suite(pathlib.Path(sys.argv[1])))
