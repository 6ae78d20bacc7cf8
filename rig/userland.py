#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Copy programs of unpacked arm64 packages with the libraries they need.

userland.py PACKAGES TREE PROGRAM[:NAME]...

Libraries that are needed but were not unpacked become stubs: shared objects
with the right name, symbol versions and symbols, whose functions all return
-1. fio is linked against a dozen network storage clients it never calls here.
"""

import pathlib
import re
import shutil
import subprocess
import sys

CC = "aarch64-linux-gnu-gcc"
READELF = "aarch64-linux-gnu-readelf"
LIBDIR = "usr/lib/aarch64-linux-gnu"


def readelf(option, path):
    return subprocess.run([READELF, "-W", option, path], check=True,
                          capture_output=True, text=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("-d", path))


def versions_needed(path):
    """{library: [version, ...]} of the symbol versions the program asks for."""
    versions, library = {}, None
    for line in readelf("-V", path).splitlines():
        if m := re.search(r"Version: 1\s+File: (\S+)", line):
            library = m[1]
        elif library and (m := re.search(r"Name: (\S+)\s+Flags", line)):
            versions.setdefault(library, []).append(m[1])
    return versions


def undefined_symbols(path):
    """(name, version or None) of each symbol the program imports."""
    return re.findall(r" (?:FUNC|NOTYPE) +GLOBAL +DEFAULT +UND (\w+)(?:@(\S+))?", readelf("--dyn-syms", path))


def exported_symbols(path):
    return set(re.findall(r"(?:FUNC|OBJECT|IFUNC)\s+\w+\s+DEFAULT\s+\d+\s+(\w+)",
                          readelf("--dyn-syms", path)))


class Tree:
    def __init__(self, packages, tree):
        self.packages, self.tree = pathlib.Path(packages), pathlib.Path(tree)
        for name in ("bin", "sbin", "lib"):
            (self.tree / "usr" / name).mkdir(parents=True)
            (self.tree / name).symlink_to(f"usr/{name}")
        (self.tree / LIBDIR).mkdir()

    def add_program(self, source, name):
        target = self.tree / name
        shutil.copy(self.packages / source, target)
        print(f"program {name}")
        self.add_libraries(target)

    def add_libraries(self, path):
        missing = []
        for library in needed(path):
            target = self.tree / LIBDIR / library
            if target.exists():
                continue
            source = self.packages / LIBDIR / library
            if not source.exists():
                missing.append(library)
                continue
            shutil.copy(source, target)
            print(f"library {library}")
            self.add_libraries(target)
        if missing:
            self.add_stubs(path, missing)

    def add_stubs(self, program, libraries):
        real = set()
        for library in (self.tree / LIBDIR).iterdir():
            real |= exported_symbols(library)
        versions = versions_needed(program)
        symbols = [s for s in undefined_symbols(program) if s[0] not in real]
        # Unversioned symbols are looked up in every library: one stub has them.
        homeless = [name for name, version in symbols if not version]
        for library in libraries:
            mine = {v: [n for n, w in symbols if w == v] for v in versions.get(library, [])}
            script = "".join(f"{v} {{ global: {' '.join(n + ';' for n in names)} }};\n"
                             for v, names in mine.items() if names)
            names = [n for group in mine.values() for n in group] + homeless
            homeless = []
            self.compile_stub(library, names, script)
            print(f"stub    {library} ({len(names)} symbols)")

    def compile_stub(self, library, names, script):
        target = self.tree / LIBDIR / library
        version_script = target.with_suffix(".map")
        version_script.write_text(script)
        code = "".join(f"long {n}(void) {{ return -1; }}\n" for n in names) or "typedef int empty;\n"
        subprocess.run([CC, "-shared", "-nostdlib", "-fno-builtin", "-w", "-O1", "-x", "c", "-",
                        "-o", target, f"-Wl,-soname,{library}",
                        *([f"-Wl,--version-script={version_script}"] if script else [])],
                       input=code, text=True, check=True)
        version_script.unlink()


def main():
    packages, tree, *programs = sys.argv[1:]
    tree = Tree(packages, tree)
    for program in programs:
        source, _, name = program.partition(":")
        tree.add_program(source, name or source)
    # The path of the loader is in every program.
    (tree.tree / "usr/lib/ld-linux-aarch64.so.1").symlink_to(
        "aarch64-linux-gnu/ld-linux-aarch64.so.1")


if __name__ == "__main__":
    main()
