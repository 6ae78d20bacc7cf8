# SPDX-License-Identifier: GPL-2.0
"""Finds what the texts of the project name and what is not there.

Sphinx warns of references in its own syntax; most of ours are plain paths, as in
the kernel's documentation, and nothing happens where one of those is wrong.
"""

import os
import pathlib
import re

# Texts are searched for all paths; sources only for documents.
TEXTS = {".rst", ".md", ""}
SOURCES = {".rs", ".c", ".h", ".py", ".sh", ".conf", ".yaml"}
PATH = re.compile(r"(?<![\w./-])((?:Documentation|drivers|rust|tests|tools|rig)/[\w./,*-]*[\w*])")
DOCUMENT = re.compile(r"(?<![\w./-])(Documentation/[\w./,-]*\w)")
# What `make import` makes in a kernel's tree.
IMPORTED = re.compile(r"Documentation/scsi/ufs-unisoc|drivers/ufs/host/unisoc/import\.json")
# A file by the end of its path, alone in literal quotes.
FILE = re.compile(r"``(\w[\w/-]*\.(?:rs|sh|py|rst|dtso|conf|yaml|fio))``")
# A page beside the one that names it, where the kernel's extension makes a link of that.
PAGE = re.compile(r"(?<![\w/`.,<-])((?:\.\./)*[a-z][\w-]*\.rst)\b")
TESTS = re.compile(r"\bmake test T=(?:\"([^\"]*)\"|([\w-]+))")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def files_of(project):
    """What belongs to the project: not what was built in it."""
    found = []
    for directory, below, names in os.walk(project):
        below[:] = sorted(set(below) - {"build", "target", ".git", "__pycache__"})
        found += [pathlib.Path(directory, name) for name in sorted(names)]
    return found


def is_text(path, project):
    """Whether a file is there to be read."""
    name = path.relative_to(project).as_posix()
    return path.suffix in TEXTS and (path.suffix or name.startswith("Documentation/") or name == "MAINTAINERS")


def missing_paths(pattern, text, roots):
    """The paths in `text` that none of `roots` has. NAME is for the reader to fill in."""
    for path in pattern.findall(text):
        if "NAME" not in path and not IMPORTED.match(path) and not any(next(root.glob(path), None) for root in roots):
            yield f"there is no {path}"


def missing_tests(text, suites, scripts):
    """The tests that `text` tells to run and that do not exist."""
    for match in TESTS.finditer(text):
        for name in (match[1] or match[2]).split():
            if name not in suites and name not in scripts and name not in ("name", "NAME"):
                yield f"there is no test {name}"


def wrong_in(path, project, kernel, names, suites):
    """What is wrong in one file."""
    # Three dots stand for the rest of a name.
    text = path.read_text(encoding="utf-8", errors="replace").replace("...", "*")
    roots = [project, kernel]
    if not is_text(path, project):
        yield from missing_paths(DOCUMENT, text, roots)
        return
    # A directory's README may name things from there.
    yield from missing_paths(PATH, text, [*roots, path.parent])
    scripts = {p.stem for p in (project / "tests/vm").glob("*.sh")}
    yield from missing_tests(text, suites, scripts)
    for match in FILE.finditer(text):
        if not PATH.match(match[1]) and not any(name.endswith("/" + match[1]) for name in names):
            yield f"there is no file {match[1]}"
    if path.parts[len(project.parts)] == "Documentation" and path.suffix == ".rst":
        for page in PAGE.findall(text):
            if not (path.parent / page).exists():
                yield f"there is no page {page} from here"
    if path.suffix == ".md":
        for match in LINK.finditer(text):
            if not (path.parent / match[1]).exists():
                yield f"the link to {match[1]} leads nowhere"


def check(project, kernel, suites):
    """Returns a line for each reference to what does not exist."""
    # Tests have what they need to see found wrong, as the rig's have.
    files = [p for p in files_of(project) if is_text(p, project)
             or p.suffix in SOURCES and project / "rig" not in p.parents]
    names = ["/" + p.relative_to(project).as_posix() for p in files_of(project)]
    return "\n".join(f"{p.relative_to(project)}: {wrong}" for p in files
                     for wrong in wrong_in(p, project, kernel, names, suites))
