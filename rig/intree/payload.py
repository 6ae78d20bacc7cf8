# SPDX-License-Identifier: GPL-2.0
"""What goes into a kernel's source tree, and where."""

import dataclasses
import pathlib
import re

PROJECT = pathlib.Path(__file__).resolve().parents[2]
HOME = "drivers/ufs/host/unisoc"
GUIDE = "Documentation/admin-guide/ufs-unisoc.rst"
ABI = "Documentation/ABI/testing/sysfs-driver-ufs-unisoc"
BINDING = "Documentation/devicetree/bindings/ufs/sprd,ums9230-ufs.yaml"
PAGES = "Documentation/scsi/ufs-unisoc"
DESIGN = ("design", "bring-up")

# The other files of the project stay at home: its rig, tests and tools.
SOURCE = re.compile(r".*\.(rs|c|h)$|(Kconfig|Makefile|Makefile\.bindings|\.gitignore)$")
NOT_SOURCE = re.compile(r"bindings_generated\.rs$|.*\.mod\.c$")

INDEX = """\
.. SPDX-License-Identifier: GPL-2.0

=============================
Unisoc UMS9230 UFS host driver
=============================

For users there is Documentation/admin-guide/ufs-unisoc.rst. In these pages ``rust/`` is
drivers/ufs/host/unisoc/rust/; ``rig/``, ``tests/``, ``tools/`` and what else of its kind is not in the
kernel are in the driver's own repository, where it is built and tested for several kernels.

.. toctree::
   :maxdepth: 1

   design
   bring-up
""".replace("=============================\n", "==============================\n")


def version():
    """The driver's, from the one place that has it."""
    text = (PROJECT / "Cargo.toml").read_text()
    return re.search(r'^version = "(.+)"$', text, re.M)[1]


def with_paths_of_the_kernel(data):
    """A text that names our pages, as it is said in the kernel's tree."""
    def place(match):
        page = match[1].decode()
        # The others are not in the kernel.
        return f"{PAGES}/{page}.rst".encode() if page in DESIGN else f"{page}.rst".encode()
    return re.sub(rb"Documentation/([-\w]+)\.rst", place, data)


def sources(directory):
    """The source files in a directory of the project, by their names in it."""
    top = PROJECT / directory
    return {str(p.relative_to(top)): p for p in sorted(top.rglob("*"))
            if p.is_file() and "rust" not in p.relative_to(top).parts[:1]
            and SOURCE.match(p.name) and not NOT_SOURCE.match(p.name)}


# Each of these is a step on the way into a kernel: by itself it builds.

def binding():
    return {BINDING: (PROJECT / BINDING).read_bytes()}


def abstractions():
    return {f"{HOME}/rust/{name}": with_paths_of_the_kernel(path.read_bytes())
            for name, path in sources("rust").items()}


def driver():
    return {f"{HOME}/{name}": with_paths_of_the_kernel(path.read_bytes())
            for name, path in sources(HOME).items()}


def documents():
    pages = {f"{PAGES}/{page}.rst": PROJECT / f"Documentation/{page}.rst" for page in DESIGN}
    pages.update({name: PROJECT / name for name in (GUIDE, ABI)})
    result = {name: with_paths_of_the_kernel(path.read_bytes()) for name, path in pages.items()}
    result[f"{PAGES}/index.rst"] = INDEX.encode()
    return result


def files():
    return {**binding(), **abstractions(), **driver(), **documents()}


@dataclasses.dataclass
class Edit:
    """Some lines for a file of the kernel, behind the last line that matches `after`."""

    path: str
    text: str
    after: str
    needed: bool = True       # the driver is not built without it

    def place(self, content):
        lines = list(re.finditer(self.after, content, re.M))
        if not lines:
            return None
        end = content.find("\n", lines[-1].end())
        return len(content) if end < 0 else end + 1

    def into(self, content):
        """What is put in, and the whole with it; None if there is no place."""
        place, text = self.place(content), self.text
        if place is None:
            return None
        if place and content[place - 1] != "\n":
            # The file's last line has no end: ours has none then.
            text = "\n" + text.removesuffix("\n")
        return text, content[:place] + text + content[place:]


class Entry(Edit):
    """An entry of MAINTAINERS, in its place in the alphabet."""

    def place(self, content):
        ours = self.text.splitlines()[0]
        headings = list(re.finditer(r"(?<=\n\n)[A-Z0-9][^\n]*(?=\n[A-Z]:\t)", content))
        # The list has others out of their places: before a heading where the fewest are.
        wrong, best = 0, None
        for heading in headings:
            if best is None or wrong < best[0]:
                best = wrong, heading.start()
            wrong += 1 if heading[0] > ours else -1
        return best[1] if best else None


def maintainers(paths):
    """The project's entry, for these files."""
    head = [line for line in (PROJECT / "MAINTAINERS").read_text().splitlines() if not line.startswith("F:")]
    return Entry("MAINTAINERS", "\n".join([*head, *(f"F:\t{path}" for path in sorted(paths))]) + "\n\n",
                 "", needed=False)


MAINTAINED = [ABI, GUIDE, BINDING, f"{PAGES}/", f"{HOME}/"]
INDEX_EDITS = [
    Edit("Documentation/admin-guide/index.rst", "   ufs-unisoc\n", r"^   ufs$", needed=False),
    Edit("Documentation/scsi/index.rst", "   ufs-unisoc/index\n", r"^   ufs$", needed=False),
]
BUILD_EDITS = [
    Edit("drivers/ufs/host/Kconfig", f'\nsource "{HOME}/Kconfig"\n', r"\Z"),
    Edit("drivers/ufs/host/Makefile", "obj-$(CONFIG_SCSI_UFS_UNISOC) += unisoc/\n", r"^obj-.*"),
]


def edits():
    return [*BUILD_EDITS, *INDEX_EDITS, maintainers(MAINTAINED)]
