#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Make the initramfs that every boot starts from.

initramfs.py USERLAND DIST ABI INIT OUTPUT MODULE...

OUTPUT is an uncompressed cpio archive: the userland tree, the named modules of
the kernel packages unpacked in DIST with everything they depend on, and INIT.
What differs from boot to boot is appended as a second archive (see Cpio).
"""

import lzma
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile


class Cpio:
    """A 'newc' archive, as bytes; archives may be concatenated."""

    def __init__(self):
        self.parts, self.inode = [], 0

    def _entry(self, name, mode, data=b""):
        self.inode += 1
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        header = b"070701" + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0"
        self.parts += [header, b"\0" * (-len(header) % 4), data, b"\0" * (-len(data) % 4)]

    def directory(self, name):
        self._entry(name, stat.S_IFDIR | 0o755)

    def link(self, name, target):
        self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def file(self, name, data, executable=False):
        self._entry(name, stat.S_IFREG | (0o755 if executable else 0o644), data)

    def tree(self, root):
        for path in sorted(pathlib.Path(root).rglob("*")):
            name = str(path.relative_to(root))
            if path.is_symlink():
                self.link(name, os.readlink(path))
            elif path.is_dir():
                self.directory(name)
            else:
                self.file(name, path.read_bytes(), os.access(path, os.X_OK))

    def finish(self):
        self._entry("TRAILER!!!", 0)
        return b"".join(self.parts)


def module_name(path):
    return path.name.split(".")[0].replace("-", "_")


def add_modules(dist, tree, abi, wanted):
    """Unpack the wanted modules and what they depend on, and index them."""
    source = pathlib.Path(dist) / "usr/lib/modules" / abi
    target = pathlib.Path(tree) / "usr/lib/modules" / abi
    where = {module_name(p): p for suffix in ("ko", "ko.xz") for p in source.rglob(f"*.{suffix}")}
    builtin = source / "modules.builtin"
    built_in = {module_name(pathlib.Path(p)) for p in
                (builtin.read_text().split() if builtin.exists() else [])}
    todo, done = [name.replace("-", "_") for name in wanted], set()
    while todo:
        name = todo.pop()
        if name in done or name in built_in:
            continue
        if name not in where:
            sys.exit(f"initramfs: the kernel packages of {abi} have no module '{name}'")
        done.add(name)
        unpacked = target / where[name].relative_to(source).parent / f"{where[name].name.split('.')[0]}.ko"
        unpacked.parent.mkdir(parents=True, exist_ok=True)
        data = where[name].read_bytes()
        unpacked.write_bytes(lzma.decompress(data) if where[name].suffix == ".xz" else data)
        depends = subprocess.run(["modinfo", "-F", "depends", unpacked], check=True,
                                 capture_output=True, text=True).stdout.strip()
        todo += [d.replace("-", "_") for d in depends.split(",") if d]
        print(f"module {name}")
    # The packages carry no modules.order and modules.builtin; empty ones keep
    # depmod quiet and change nothing for so few modules.
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        if (source / name).exists():
            shutil.copy(source / name, target / name)
        else:
            (target / name).touch()
    subprocess.run(["depmod", "-b", tree, abi], check=True)


def main():
    userland, dist, abi, init, output, *wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir=pathlib.Path(output).parent) as tree:
        shutil.copytree(userland, tree, symlinks=True, dirs_exist_ok=True)
        add_modules(dist, tree, abi, wanted)
        for name in ("proc", "sys", "dev", "run", "tmp", "mnt"):
            os.mkdir(f"{tree}/{name}")
        os.symlink("busybox", f"{tree}/usr/bin/sh")
        shutil.copy(init, f"{tree}/init")
        os.chmod(f"{tree}/init", 0o755)
        cpio = Cpio()
        cpio.tree(tree)
        pathlib.Path(output).write_bytes(cpio.finish())
    print(f"{os.path.getsize(output) >> 20} MiB")


if __name__ == "__main__":
    main()
