# SPDX-License-Identifier: GPL-2.0
"""Write the driver as a series of patches for a kernel's source tree.

series.py TREE OUTPUT: what import_tree.py would put into TREE, in steps each of which
builds, as `git format-patch` writes them, with a cover letter. TREE is only read. Author
and sign-off are whoever git says is the user here.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import typing

from intree import import_tree, payload

COVER_SUBJECT = "scsi: ufs: Add Unisoc UMS9230 host driver, in Rust"
COVER = """\
This adds a driver for the UFS host controllers of Unisoc UMS9230 SoCs
(T606, T612, T615, T616), written in Rust, in which the owner of a host
decides where its transfers complete: in the hard interrupt handler, in a
thread, or in either as the load is, within limits that hold by measured
time.

The UFS core has one answer for all hosts, and it has changed: since 6.16
completions ran in a thread, and since 7.2 they run in the hard interrupt
handler again. The one cost a T615 27.7 % of its single-threaded random
I/O, the other starves displays. Here it is a choice per host, at boot and
at any time later. The core is not changed for it: the driver hands it a
virtual interrupt and keeps the wire. Documentation/scsi/ufs-unisoc has the
design, and Documentation/admin-guide/ufs-unisoc.rst what users need.

Patch 1 is the device tree binding, patch 2 the Rust abstractions that the
kernel crate lacks, all unsafe code included, patch 3 the driver, and patch
4 what there is to read about it.

It was built and tested on 7.3 and 7.2, in QEMU with memory in the place
of the SoC's registers, as a module and built in. It has never run on a
T615.
"""


@dataclasses.dataclass
class Step:
    """A patch."""

    subject: str
    body: str
    files: typing.Callable
    maintained: list         # what its entry of MAINTAINERS has from here on
    edits: list = dataclasses.field(default_factory=list)


STEPS = [
    Step("dt-bindings: ufs: Document the Unisoc UMS9230 UFS host controller", """\
Unisoc's UMS9230 (T606, T612, T615, T616) has a UFS host controller whose
resets, clocks and M-PHY are partly behind system controllers of the SoC.
Phones with it have a device tree in the form of the vendor's kernel;
document that one as well as a form without its peculiarities, since a
driver meets both.
""", payload.binding, [payload.BINDING]),
    Step("scsi: ufs: unisoc: Add the Rust abstractions that the driver needs", """\
The kernel crate has no abstractions for UFS hosts, for an interrupt that
stands between a device and its driver, for device attributes, for module
parameters that can be changed, for regmaps of system controllers and for
resets. Add them beside the driver that will use them, one file for each C
interface and without policy of that driver, so that they can move to the
kernel crate once there is a second user.

All unsafe code and all calls of C are in here. Nothing is built yet.
""", payload.abstractions, [payload.BINDING, f"{payload.HOME}/rust/"]),
    Step("scsi: ufs: unisoc: Add a driver for the hosts of UMS9230 SoCs", """\
The UFS core requests a host's interrupt itself and so decides for all
users where transfers complete. In a thread, single-threaded random I/O of
a T615 was 27.7 % slower; in the hard interrupt handler, hosts with many
small requests starve the display.

Add a driver for the UFS hosts of Unisoc's UMS9230 that leaves the choice
to the owner of a host: it gives the core a virtual interrupt, keeps the
wire, and completes transfers with the host's mq_poll in the context that
the user wants. What is not a transfer's completion goes on to the core
untouched.
""", payload.driver, [payload.BINDING, f"{payload.HOME}/"], payload.BUILD_EDITS),
    Step("scsi: ufs: unisoc: Document the driver", """\
Add the admin guide with the modes, their limits, and what the messages in
the log ask for; the description of the files in sysfs; and, for those who
change the driver, its design and the bring-up of the SoC.
""", payload.documents, payload.MAINTAINED, payload.INDEX_EDITS),
]


class Problem(Exception):
    pass


def git(repository, *arguments, **env):
    run = subprocess.run(["git", *arguments], cwd=repository, env={**os.environ, **env}, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        raise Problem(f"git {arguments[0]}: {run.stdout.strip()}")
    return run.stdout.strip()


def put(repository, name, data):
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def apply_edit(repository, edit):
    path = repository / edit.path
    result = edit.into(path.read_text(errors="surrogateescape")) if path.exists() else None
    if result:
        path.write_text(result[1], errors="surrogateescape")
    elif edit.needed:
        raise Problem(f"{edit.path} has no place for '{edit.text.strip()}'")


def commit(repository, message, date):
    git(repository, "add", "--all", "--force")
    git(repository, "commit", "--quiet", "--signoff", "--message", message,
        GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)


def date_of_project():
    """Of its last commit, or file, so that the same source gives the same series."""
    try:
        return git(payload.PROJECT, "-c", "safe.directory=*", "show", "--no-patch", "--format=%cI", "HEAD")
    except Problem:
        paths = [*payload.sources("rust").values(), *payload.sources(payload.HOME).values()]
        return f"@{int(max(p.stat().st_mtime for p in paths))} +0000"


def user():
    """Who signs it off."""
    # The project need not be a repository of git.
    for directory in (payload.PROJECT, "/"):
        with contextlib.suppress(Problem):
            return [git(directory, "config", key) for key in ("user.name", "user.email")]
    raise Problem("git does not know who you are: set user.name and user.email, for the sign-off")


def make(tree, output):
    """Returns the names of the patches."""
    (name, email), date = user(), date_of_project()
    with tempfile.TemporaryDirectory() as repository:
        repository = pathlib.Path(repository)
        git(repository, "init", "--quiet")
        git(repository, "config", "user.name", name)
        git(repository, "config", "user.email", email)
        for edit in payload.edits():
            if (tree / edit.path).exists():
                put(repository, edit.path, (tree / edit.path).read_bytes())
        commit(repository, f"Linux {'{}.{}'.format(*import_tree.series_of(tree))}", date)
        bare = (repository / "MAINTAINERS").read_bytes() if (repository / "MAINTAINERS").exists() else None
        for step in STEPS:
            for path, data in step.files().items():
                put(repository, path, data)
            for edit in step.edits:
                apply_edit(repository, edit)
            if bare is not None:
                put(repository, "MAINTAINERS", bare)
                apply_edit(repository, payload.maintainers(step.maintained))
            commit(repository, f"{step.subject}\n\n{step.body}", date)
        git(repository, "format-patch", "--cover-letter", "--quiet", "--signature=", "--output-directory", "out",
            f"-{len(STEPS)}", GIT_COMMITTER_DATE=date)
        patches = sorted((repository / "out").glob("*.patch"))
        cover = patches[0].read_text()
        patches[0].write_text(cover.replace("*** SUBJECT HERE ***", COVER_SUBJECT)
                              .replace("*** BLURB HERE ***", COVER.rstrip()))
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(repository / "out", output)
    return [p.name for p in patches]


def main():
    parser = argparse.ArgumentParser(prog="series.py")
    parser.add_argument("tree")
    parser.add_argument("output")
    args = parser.parse_args()
    tree = pathlib.Path(args.tree).resolve()
    try:
        for note in import_tree.check_tree(tree):
            print(f"patches: {note}")
        for name in make(tree, pathlib.Path(args.output)):
            print(f"{args.output}/{name}")
    except (import_tree.Refused, Problem) as problem:
        sys.exit(f"patches: {problem}.")


if __name__ == "__main__":
    main()
