# SPDX-License-Identifier: GPL-2.0
"""What must hold for the source as such, each a function that returns what is wrong."""

import pathlib
import re
import shlex
import shutil
import subprocess

PROJECT = pathlib.Path("/src")


def run(command):
    result = subprocess.run(command, text=True, cwd=PROJECT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def rust_files(*directories):
    return [str(p) for d in directories for p in sorted((PROJECT / d).rglob("*.rs"))]


def rustfmt(_kbuild, _source):
    _, text = run(["rustfmt", "--edition", "2021", "--config-path", "/src", "--check",
                   *rust_files("drivers", "rust", "tests", "tools")])
    return text


def has_kunit(kbuild):
    words = shlex.split(kbuild)
    config = pathlib.Path(words[words.index("-C") + 1]) / ".config"
    return "CONFIG_KUNIT=y" in config.read_text().splitlines()


def clippy(kbuild, _source):
    output = PROJECT / "build" / "style"
    # Clippy says nothing about what is already built.
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    # Where the KUnit tests can be built, with them.
    tests = ["CONFIG_UFS_UNISOC_KUNIT_TEST=y"] if has_kunit(kbuild) else []
    code, text = run([*shlex.split(kbuild), "M=/src", f"MO={output}", "CLIPPY=1", *tests, "modules"])
    warnings = [line for line in text.splitlines() if re.search(r"warning|error", line, re.I)]
    shutil.rmtree(output, ignore_errors=True)
    return "\n".join(warnings) or (text if code else "")


def clippy_of_tools(_kbuild, _source):
    code, text = run(["env", "CARGO_TARGET_DIR=/src/build/cargo", "CARGO_TERM_COLOR=never",
                      "cargo", "clippy", "--quiet", "--locked", "--offline", "--package", "ufsirq",
                      "--all-targets", "--", "--deny", "warnings"])
    return text if code else ""


def checkpatch(_kbuild, source):
    files = [str(p.relative_to(PROJECT)) for d in ("rust", "tests/board")
             for p in sorted((PROJECT / d).glob("*.[ch]"))]
    _, text = run([f"{source}/scripts/checkpatch.pl", "--no-tree", "--strict", "--terse", "--quiet",
                   "--no-summary", "--show-types", "--ignore", "FILE_PATH_CHANGES", "-f", *files])
    return text


def no_unsafe_in_driver_and_tools(_kbuild, _source):
    found = []
    for path in rust_files("drivers", "tests/host", "tests/model", "tools"):
        for n, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
            code = line.split("//")[0]
            if re.search(r"\bunsafe\b", code) and "unsafe_code" not in code:
                found.append(f"{path}:{n}: {line.strip()}")
    return "\n".join(found)


def spdx_everywhere(_kbuild, _source):
    exempt = re.compile(r"^(COPYING|MAINTAINERS|Cargo\.lock|rust-project\.json|\.rustfmt\.toml|Documentation/ABI/.*|Documentation/last-seen\.csv"
                        r"|(build|target|\.git)(/.*)?|.*/__pycache__/.*|.*\.(o|ko|mod|d|cmd))$")
    missing = []
    for path in sorted(PROJECT.rglob("*")):
        name = str(path.relative_to(PROJECT))
        if path.is_file() and not exempt.match(name):
            head = path.read_text(errors="replace").splitlines()[:3]
            if not any("SPDX-License-Identifier" in line for line in head):
                missing.append(f"{name}: no SPDX line")
    return "\n".join(missing)


CHECKS = [rustfmt, clippy, clippy_of_tools, checkpatch, no_unsafe_in_driver_and_tools,
          spdx_everywhere]
