# SPDX-License-Identifier: GPL-2.0
"""Builds the documentation as the kernel does."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = pathlib.Path("/src")
OUTPUT = PROJECT / "build" / "docs"
# What pages of Documentation include from there, and what the extensions look for.
AT_THE_ROOT = ["CONTRIBUTING.rst", "CHANGELOG.rst", "MAINTAINERS"]


def stage(source, tree):
    """Makes `tree` look like a kernel tree with our documentation in it."""
    shutil.rmtree(tree, ignore_errors=True)
    docs = tree / "Documentation"
    shutil.copytree(PROJECT / "Documentation", docs)
    for name in AT_THE_ROOT:
        shutil.copy(PROJECT / name, tree)
    theirs = source / "Documentation"
    for name in ("sphinx", "sphinx-static"):
        (docs / name).symlink_to(theirs / name)
    (tree / "tools").symlink_to(source / "tools")
    shutil.copy(theirs / "conf.py", docs / "kernel_conf.py")
    shutil.copy(PROJECT / "rig/docs/sphinx_conf.py", docs / "conf.py")
    return docs


def build(source):
    """Builds the pages, with warnings as errors. Returns what is wrong."""
    tree = PROJECT / "build" / "docs-tree"
    docs = stage(source, tree)
    shutil.rmtree(OUTPUT, ignore_errors=True)
    env = dict(os.environ, srctree=str(tree), PYTHONDONTWRITEBYTECODE="1")
    run = subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going",
                          "-d", str(tree / "doctrees"), str(docs), str(OUTPUT)],
                         env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    shutil.rmtree(tree)
    if not run.returncode:
        return ""
    lines = run.stdout.replace(f"{tree}/", "").splitlines()
    return "\n".join(line for line in lines if re.search(r"WARNING|ERROR", line)) or run.stdout


def main():
    wrong = build(pathlib.Path(sys.argv[1]))
    print(wrong, file=sys.stderr)
    return wrong != ""


if __name__ == "__main__":
    sys.exit(main())
