# SPDX-License-Identifier: GPL-2.0
"""Put the driver into a kernel's source tree, or take it out again.

import_tree.py [--uninstall] [--force] TREE

The sources go to where payload.py says, as they are; four lists of the kernel get
a line or two each. What was written is noted in MANIFEST, so that it can be told from
what others have changed since. Either all of it is done or nothing.
"""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

from intree import payload

MANIFEST = f"{payload.HOME}/import.json"
OLDEST, NEWEST = (7, 2), (7, 3)
# What a build inside the tree leaves beside the sources.
ARTEFACT = re.compile(r".*\.(o|a|ko|mod|mod\.c|cmd|d|rmeta|order|i|s|ll|bc|symtypes)$|bindings_generated\.rs$")


class Refused(Exception):
    """Nothing was changed, and why."""


def digest(data):
    return hashlib.sha256(data).hexdigest()


@dataclasses.dataclass
class Manifest:
    """What an import has written: files by checksum, and texts put into others."""

    version: str = ""
    files: dict = dataclasses.field(default_factory=dict)
    texts: dict = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, tree):
        path = tree / MANIFEST
        try:
            return cls(**json.loads(path.read_text()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise Refused(f"{path} cannot be read ({error}): restore it, for example with git") from error

    def data(self):
        return (json.dumps(dataclasses.asdict(self), indent=1, sort_keys=True) + "\n").encode()


class Changes:
    """New contents of files, None for none, all written or none of them."""

    def __init__(self, tree):
        self.tree, self.new = tree, {}

    def read(self, name):
        if name in self.new:
            return self.new[name]
        try:
            return (self.tree / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Refused(f"{error.strerror}: {self.tree / name}") from error

    def write(self, name, data):
        self.new[name] = data

    def check_writable(self):
        for name in self.new:
            there = (self.tree / name).parent
            while not there.exists():
                there = there.parent
            if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
                raise Refused(f"cannot write to {there}")

    def apply(self):
        self.check_writable()
        new = {n: d for n, d in self.new.items() if d != self._on_disk(n)}
        old = {n: self._on_disk(n) for n in new}
        try:
            for name, data in new.items():
                self._put(name, data)
        except OSError as error:
            for name, data in old.items():
                self._put(name, data)
            raise Refused(f"{error.strerror}: {error.filename}") from error
        for name, data in new.items():
            if data is None:
                self._remove_empty((self.tree / name).parent)
        return sorted(new)

    def _on_disk(self, name):
        path = self.tree / name
        return path.read_bytes() if path.exists() else None

    def _put(self, name, data):
        path = self.tree / name
        if data is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        # A new file in place of the old one: the old one may be another tree's, too, by a hard link.
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".import-")
        try:
            with open(handle, "wb") as out:
                out.write(data)
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise

    def _remove_empty(self, directory):
        while directory != self.tree:
            try:
                directory.rmdir()
            except OSError:
                return
            directory = directory.parent


def series_of(tree):
    """The kernel's release as two numbers."""
    text = (tree / "Makefile").read_text(errors="replace")
    found = [re.search(rf"^{key} = (\d+)$", text, re.M) for key in ("VERSION", "PATCHLEVEL")]
    return tuple(int(m[1]) for m in found) if all(found) else None


def check_tree(tree):
    """Refuses a tree in which the driver cannot work."""
    if not tree.is_dir():
        raise Refused(f"there is no directory {tree}")
    if not (tree / "Makefile").exists() or not (series := series_of(tree)):
        raise Refused(f"{tree} is not a kernel's source tree: it has no Makefile with a VERSION")
    release = "{}.{}".format(*series)
    if series < OLDEST:
        raise Refused(f"{tree} is Linux {release}; the driver needs {'{}.{}'.format(*OLDEST)} or newer")
    for name in ("drivers/ufs/host/Kconfig", "drivers/ufs/host/Makefile"):
        if not (tree / name).exists():
            raise Refused(f"{tree} has no {name}: it takes the kernel's full source, not headers only")
    init = tree / "init/Kconfig"
    if (not (tree / "rust/kernel/lib.rs").exists() or not init.exists()
            or not re.search(r"^config RUST$", init.read_text(errors="replace"), re.M)):
        raise Refused(f"{tree} has no support for Rust (init/Kconfig with RUST, rust/kernel), which the driver "
                      "is written in")
    if series > NEWEST:
        return [f"Linux {release} is newer than {'{}.{}'.format(*NEWEST)}, the newest that the driver was built for"]
    return []


def check_unchanged(tree, manifest, force):
    """Refuses to lose what somebody has changed in the imported files."""
    changed = [n for n, d in sorted(manifest.files.items())
               if (tree / n).exists() and digest((tree / n).read_bytes()) != d]
    if changed and not force:
        raise Refused(f"changed since the import: {', '.join(changed)}. Save these changes elsewhere, "
                      "then say FORCE=1 to lose them here")


def forget(changes, manifest):
    """Takes out what an import has put in; notes about what is not there to take out."""
    notes = []
    for name in manifest.files:
        changes.write(name, None)
    for name, text in manifest.texts.items():
        data = changes.read(name)
        if data is None or text.encode() not in data:
            notes.append(f"{name} has no longer what the import has put there; it is left as it is")
        else:
            changes.write(name, data.replace(text.encode(), b"", 1))
    changes.write(MANIFEST, None)
    return notes


def install(tree, force):
    notes = check_tree(tree)
    changes, old = Changes(tree), Manifest.of(tree)
    if old:
        check_unchanged(tree, old, force)
        forget(changes, old)
    elif (tree / payload.HOME).exists() and any((tree / payload.HOME).iterdir()):
        raise Refused(f"{tree / payload.HOME} is there already, and not from an import")
    new = Manifest(version=payload.version())
    for name, data in payload.files().items():
        if changes.read(name) is not None:
            raise Refused(f"{tree / name} is there already, and not from an import")
        changes.write(name, data)
        new.files[name] = digest(data)
    for edit in payload.edits():
        data = changes.read(edit.path)
        result = edit.into(data.decode(errors="surrogateescape")) if data is not None else None
        if not result and edit.needed:
            raise Refused(f"{tree / edit.path}: found no place for '{edit.text.strip()}'")
        if not result:
            notes.append(f"{edit.path} has no place for '{edit.text.splitlines()[0].strip()}': left out")
            continue
        text, whole = result
        changes.write(edit.path, whole.encode(errors="surrogateescape"))
        new.texts[edit.path] = text
    changes.write(MANIFEST, new.data())
    written = changes.apply()
    if not written:
        return notes + [f"{tree} has all of it already"]
    return notes + [f"{len(written)} files written in {tree}; the driver is in {payload.HOME}",
                    "next: CONFIG_SCSI_UFS_UNISOC=y or =m (needs RUST, SCSI_UFSHCD_PLATFORM, MFD_SYSCON, "
                    "RESET_CONTROLLER, and ARCH_SPRD or COMPILE_TEST)"]


def uninstall(tree, force):
    if not tree.is_dir():
        raise Refused(f"there is no directory {tree}")
    old = Manifest.of(tree)
    if not old:
        raise Refused(f"{tree} has no {MANIFEST}: nothing was imported there")
    check_unchanged(tree, old, force)
    changes = Changes(tree)
    notes = forget(changes, old)
    kept = []
    for path in sorted((tree / payload.HOME).rglob("*")):
        name = str(path.relative_to(tree))
        if path.is_file() and name not in changes.new:
            if ARTEFACT.match(path.name):
                changes.write(name, None)
            else:
                kept.append(name)
    changes.apply()
    notes += [f"kept, since the import did not bring it: {name}" for name in kept]
    return notes + [f"taken out of {tree}"]


def main():
    parser = argparse.ArgumentParser(prog="import_tree.py")
    parser.add_argument("--uninstall", action="store_true")
    parser.add_argument("--force", action="store_true", help="lose changes made to the imported files")
    parser.add_argument("tree", nargs="?", default="")
    args = parser.parse_args()
    try:
        if not args.tree:
            raise Refused("which tree? Say KSRC=/path/to/linux, a kernel's source")
        tree = pathlib.Path(args.tree).resolve()
        for note in (uninstall if args.uninstall else install)(tree, args.force):
            print(f"import: {note}")
    except Refused as refused:
        sys.exit(f"import: {refused}.\nimport: nothing was changed.")


if __name__ == "__main__":
    main()
