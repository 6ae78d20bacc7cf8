# SPDX-License-Identifier: GPL-2.0
"""The mutants are in order, and what runs them tells who has seen one."""

import contextlib
import io
import pathlib
import tempfile
import unittest

from testing import mutants

HEAD = """\
SPDX-License-Identifier: GPL-2.0

What: the driver does nothing.
Seen-by: one two
Message: nothing .* done
Seen-by: three
Message: still running

"""
PATCH = HEAD + """\
--- a/driver
+++ b/driver
@@ -1 +1 @@
-does something
+does nothing
"""


def project(directory):
    """A project with three tests and a mutant that all of them see."""
    root = pathlib.Path(directory)
    for name, text in {"driver": "does something\n", "tests/mutants/lazy.patch": PATCH, "tests/mutants/EXEMPT": "",
                       "tests/vm/lib.sh": "", "tests/vm/one.sh": "# vm: cpus=2 timeout=70\n",
                       "tests/vm/two.sh": "# vm: debug=on\n# vm: timeout=100\n", "tests/vm/three.sh": ""}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


class InOrder(unittest.TestCase):
    def test_those_of_this_project(self):
        for said in mutants.wrong():
            with self.subTest(said):
                self.fail(said)

    def test_no_test_is_exempt_without_a_reason(self):
        for test, reason in mutants.exempt().items():
            self.assertGreater(len(reason), 20, test)


class Heads(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "lazy.patch")
            path.write_text(text)
            return mutants.Mutant.read(path)

    def test_tests_and_their_messages(self):
        self.assertEqual(self.read(PATCH).seen_by, {"one": "nothing .* done", "two": "nothing .* done",
                                                    "three": "still running"})

    def test_what_is_missing(self):
        for line in HEAD.split("\n")[2:-2]:
            with self.subTest(line), self.assertRaises(mutants.Problem):
                self.read(PATCH.replace(line + "\n", ""))

    def test_a_message_that_matches_anything(self):
        with self.assertRaisesRegex(mutants.Problem, "matches anything"):
            self.read(PATCH.replace("still running", ".*"))

    def test_the_patch_is_not_its_head(self):
        self.assertEqual(len(self.read(PATCH + "+What: more\n").seen_by), 3)


class Checks(unittest.TestCase):
    def wrong(self, change):
        with tempfile.TemporaryDirectory() as directory:
            root = project(directory)
            change(root)
            return mutants.wrong(root)

    def test_nothing_wrong(self):
        self.assertEqual(self.wrong(lambda root: None), [])

    def test_a_patch_that_no_longer_applies(self):
        said = self.wrong(lambda root: (root / "driver").write_text("does a lot\n"))
        self.assertRegex(said[0], "^lazy no longer applies: renew it")

    def test_a_test_without_a_mutant(self):
        said = self.wrong(lambda root: (root / "tests/vm/four.sh").write_text(""))
        self.assertRegex(said[0], "^four: no mutant")

    def test_a_test_with_an_exemption(self):
        def change(root):
            (root / "tests/vm/four.sh").write_text("")
            (root / "tests/mutants/EXEMPT").write_text("# Why.\nfour: is of the rig\n")
        self.assertEqual(self.wrong(change), [])

    def test_an_exemption_too_many(self):
        said = self.wrong(lambda root: (root / "tests/mutants/EXEMPT").write_text("one: cannot fail\n"))
        self.assertRegex(said[0], "^one: in EXEMPT, but lazy is for it")

    def test_a_test_that_does_not_exist(self):
        said = self.wrong(lambda root: (root / "tests/vm/two.sh").unlink())
        self.assertEqual(said, ["lazy: there is no test two"])
        said = self.wrong(lambda root: (root / "tests/mutants/EXEMPT").write_text("old: is gone\n"))
        self.assertEqual(said, ["EXEMPT: there is no test old"])


class Running(unittest.TestCase):
    LINES = ("==> Build", "FAIL    9 s  vm: one", "             nothing was done", "             log: /one.console.log",
             "PASS   12 s  vm: two", "1 passed, 1 failed")

    def test_results(self):
        self.assertEqual(mutants.results(self.LINES), {"one": "nothing was done", "two": None})

    def test_verdict(self):
        found = mutants.results(self.LINES)
        self.assertIsNone(mutants.verdict("nothing .* done", "one", found))
        self.assertRegex(mutants.verdict("lost", "one", found), "but not with 'lost': nothing was done")
        self.assertRegex(mutants.verdict("nothing", "two", found), "^passed")
        self.assertRegex(mutants.verdict("nothing", "three", found), "^was not run")

    def test_time_and_kernel(self):
        with tempfile.TemporaryDirectory() as directory:
            scripts = mutants.scripts(project(directory))
            self.assertEqual([mutants.seconds_for(scripts[n], "arm64") - mutants.BESIDE for n in ("one", "three")],
                             [70, 120])
            self.assertEqual(mutants.seconds_for(scripts["two"], "debug") - mutants.BESIDE, 400)
            self.assertEqual([n for n in scripts if mutants.runs_on(scripts[n], "arm64")], ["one", "three"])
            self.assertEqual([n for n in scripts if mutants.runs_on(scripts[n], "debug")], ["one", "three", "two"])

    def test_choice(self):
        with tempfile.TemporaryDirectory() as directory:
            root = project(directory)
            found, tests = mutants.mutants(root), mutants.scripts(root)
            for names in ([], ["lazy"]):
                self.assertEqual([chosen for _, chosen in mutants.choose(found, names, tests)],
                                 [["one", "two", "three"]])
            self.assertEqual([chosen for _, chosen in mutants.choose(found, ["two"], tests)], [["two"]])
            with self.assertRaises(SystemExit):
                mutants.choose(found, ["eager"], tests)
            self.assertEqual(mutants.choose(found, ["two", "lazy"], tests)[0][1], ["two", "one", "three"])

    def test_a_copy_is_the_same_and_keeps_what_was_built(self):
        with tempfile.TemporaryDirectory() as directory:
            source, target = project(directory + "/from"), pathlib.Path(directory, "to")
            (source / "link").symlink_to("tests")
            (source / "build").mkdir()
            (source / "build/ours").write_text("")
            mutants.copy(source, target)
            self.assertFalse((target / "build").exists())
            (target / "build").mkdir()
            before = (target / "tests/vm/one.sh").stat().st_mtime_ns
            self.assertEqual(mutants.git_apply(source / "tests/mutants/lazy.patch", target), "")
            self.assertEqual((target / "driver").read_text(), "does nothing\n")
            (target / "tests/new").write_text("")
            mutants.copy(source, target)
            self.assertEqual((target / "driver").read_text(), "does something\n")
            self.assertEqual((target / "tests/vm/one.sh").stat().st_mtime_ns, before)
            self.assertEqual((target / "link").readlink(), pathlib.Path("tests"))
            self.assertFalse((target / "tests/new").exists())
            self.assertTrue((target / "build").exists())

    def test_a_command_is_bounded(self):
        with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
            log = pathlib.Path(directory, "log")
            self.assertEqual(mutants.run_bounded(["printf", "a\\nb\\n"], directory, 10, log), (["a", "b"], True))
            self.assertEqual(log.read_text(), "a\nb\n")
            self.assertEqual(mutants.run_bounded(["sleep", "30"], directory, 0.2, log), ([], False))
