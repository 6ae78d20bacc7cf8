# SPDX-License-Identifier: GPL-2.0
"""Tests of the search for references to what is not there."""

import pathlib
import tempfile
import unittest

from docs import refs


class References(unittest.TestCase):
    def wrong(self, name, text):
        with tempfile.TemporaryDirectory() as directory:
            project, kernel = pathlib.Path(directory) / "ours", pathlib.Path(directory) / "kernel"
            for path in (project / "tests/vm/it-works.sh", project / "rust/irq_gate.rs",
                         project / "tools/x/tests/cli/a.rs", kernel / "Documentation/scsi/ufs.rst",
                         project / "Documentation/a,b.rst"):
                path.parent.mkdir(parents=True)
                path.touch()
            file = project / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            return refs.check(project, kernel, {"host"})

    def test_what_exists_is_found(self):
        for text in ("see Documentation/scsi/ufs.rst.", "``rust/irq_gate.rs``, ``irq_gate.rs``",
                     "``tests/vm/it-...``, tests/vm/*.sh", "Documentation/a,b.rst, and more",
                     'make test T="host it-works"', "make test T=host", "make test T=NAME"):
            with self.subTest(text):
                self.assertEqual(self.wrong("Documentation/x.rst", text), "")

    def test_what_does_not_exist_is_named(self):
        for text, missing in (("see Documentation/scsi/usf.rst.", "Documentation/scsi/usf.rst"),
                              ("``rust/gate.rs``", "rust/gate.rs"), ("``gate.rs``", "file gate.rs"),
                              ("``tests/vm/at-...``", "tests/vm/at-*"),
                              ('make test T="host it-wroks"', "test it-wroks")):
            with self.subTest(text):
                self.assertEqual(self.wrong("Documentation/x.rst", text),
                                 f"Documentation/x.rst: there is no {missing}")

    def test_pages_are_named_from_where_one_is(self):
        self.assertEqual(self.wrong("Documentation/x.rst", "see x.rst, and ../../not.txt"), "")
        self.assertEqual(self.wrong("Documentation/guide/x.rst", "see ../x.rst"),
                         "Documentation/guide/x.rst: there is no page ../x.rst from here")

    def test_sources_name_documents(self):
        self.assertEqual(self.wrong("rust/a.rs", "//! `Documentation/gone.rst` tells."),
                         "rust/a.rs: there is no Documentation/gone.rst")
        self.assertEqual(self.wrong("rust/a.rs", '"tests/nothing"'), "")

    def test_links_lead_somewhere(self):
        self.assertEqual(self.wrong("README.md", "[a](rust/irq_gate.rs#x) [b](https://a.example/)"), "")
        self.assertEqual(self.wrong("README.md", "[a](b.md)"), "README.md: the link to b.md leads nowhere")

    def test_a_directory_names_its_own(self):
        self.assertEqual(self.wrong("tools/x/README.md", "`tests/cli`"), "")
        self.assertEqual(self.wrong("README.md", "`tests/cli`"), "README.md: there is no tests/cli")


if __name__ == "__main__":
    unittest.main()
