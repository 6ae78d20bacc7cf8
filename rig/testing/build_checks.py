# SPDX-License-Identifier: GPL-2.0
"""What must hold for the module as it is built, each a function that returns what is wrong.

Each is given the commands that build for the kernel under test, and for an x86-64 one.
"""

import contextlib
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from intree import payload

# All that the module is made of.
SOURCES = ["Kbuild", "Cargo.toml", "drivers", "rust"]


class Failed(Exception):
    pass


@contextlib.contextmanager
def place(name):
    """An empty directory of the project's build directory."""
    path = pathlib.Path("/src/build") / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def build(kbuild, source, output, *arguments):
    """Builds a copy of the module's sources; returns what was said meanwhile."""
    run = subprocess.run([*shlex.split(kbuild), f"M={source}", f"MO={output}",
                          f"KCFLAGS=-Werror -fdebug-prefix-map={output}=.", "KRUSTFLAGS=-Dwarnings",
                          *arguments, "modules"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        errors = [line for line in run.stdout.splitlines() if re.search(r"error|\*\*\*", line, re.I)]
        raise Failed("\n".join(errors) or run.stdout)
    return run.stdout


def copy(target):
    target.mkdir(parents=True)
    for name in SOURCES:
        path = pathlib.Path("/src") / name
        if path.is_dir():
            shutil.copytree(path, target / name, symlinks=True)
        else:
            shutil.copy(path, target / name)


def modinfo(module, field):
    return subprocess.run(["modinfo", "-F", field, module], check=True, capture_output=True, text=True).stdout.strip()


def same_module_in_two_places(kbuild, _x86):
    """And with the version that Cargo.toml has, and no path of where it was built."""
    with place("twice") as top:
        modules = []
        try:
            for name in ("one", "quite/another"):
                copy(top / name)
                output = top / f"{name}-output"
                output.mkdir()
                build(kbuild, top / name, output)
                modules.append(output / "ufs_unisoc.ko")
        except Failed as failed:
            return str(failed)
        one, other = (m.read_bytes() for m in modules)
        if str(top).encode() in one:
            return f"the module has a path of where it was built: {top}"
        if one != other:
            return "two builds of one source in two directories differ"
        if (version := modinfo(modules[0], "version")) != payload.version():
            return f"modinfo says version '{version}', Cargo.toml '{payload.version()}'"
    return ""


def builds_for_x86_64(_kbuild, x86):
    with place("x86_64") as output:
        try:
            text = build(x86, "/src", output)
        except Failed as failed:
            return str(failed)
        warnings = [line for line in text.splitlines() if re.search(r"\bwarning\b", line, re.I)]
        if warnings:
            return "\n".join(warnings)
        # EM_X86_64, in the header of an ELF file.
        if (output / "ufs_unisoc.ko").read_bytes()[18:20] != b"\x3e\0":
            return "what was built is not for x86-64"
    return ""


CHECKS = [same_module_in_two_places, builds_for_x86_64]
# What a change breaks now and then.
BRIEF = [builds_for_x86_64]
