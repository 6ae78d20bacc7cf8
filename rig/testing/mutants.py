#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Show that VM tests can fail: run them against drivers that are broken on purpose.

mutants.py [NAME...]: all mutants in tests/mutants, those of these names, or those that
tests of these names shall see. Runs on the machine itself, as root; each mutant is built
and tested in a copy of the project, build/mutants/tree, by `make test` there.

A mutant is a patch, tests/mutants/NAME.patch. Its head has these lines:

    What: what is broken, one sentence
    Seen-by: TEST [TEST...]
    Message: a regular expression for what these tests must say

with more pairs of the last two where tests say different things. A test that fails for
another reason, be it that the machine hangs, has not seen the mutant. VM tests that no
mutant is for are listed in tests/mutants/EXEMPT, with the reason.
"""

import dataclasses
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import time

PROJECT = next(p for p in pathlib.Path(__file__).resolve().parents if (p / "Kbuild").exists())
# What a copy leaves out, at the top and anywhere.
NOT_COPIED = {"build", "target", ".git"}
NOWHERE_COPIED = {"__pycache__"}
# Bounds in seconds: to prepare the rig if nothing of it is there, to build a mutant, and
# for what a test does beside its own time.
PREPARE, BUILD, BESIDE = 3600, 900, 60
# What is silent for so long, in seconds, is said to be at work.
QUIET = 30
HEAD = re.compile(r"^(What|Seen-by|Message): (.+)$", re.M)
RESULT = re.compile(r"^(PASS|FAIL) +\d+ s +vm: (\S+)$")


class Problem(Exception):
    """What is wrong with a mutant as such."""


@dataclasses.dataclass
class Mutant:
    name: str
    path: pathlib.Path
    what: str
    seen_by: dict  # test -> regular expression for its message

    @classmethod
    def read(cls, path):
        what, seen_by, tests = [], {}, []
        head = re.split(r"^(?:diff |--- )", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[0]
        for key, value in HEAD.findall(head):
            if key == "What":
                what.append(value)
            elif key == "Seen-by":
                if tests:
                    raise Problem(f"{path.stem}: no Message for {' '.join(tests)}")
                tests = value.split()
            elif not tests:
                raise Problem(f"{path.stem}: a Message without Seen-by")
            else:
                seen_by.update(dict.fromkeys(tests, value.strip()))
                tests = []
        if len(what) != 1 or not seen_by or tests:
            raise Problem(f"{path.stem}: its head needs one What, and pairs of Seen-by and Message")
        for message in seen_by.values():
            if re.search(message, ""):
                raise Problem(f"{path.stem}: the Message '{message}' matches anything")
        return cls(path.stem, path, what[0], seen_by)


def git_apply(path, directory, *options):
    """What git says against a patch; nothing if it applies. Not as part of a repository."""
    run = subprocess.run(["git", "apply", *options, str(path)], cwd=directory, text=True,
                         env=dict(os.environ, GIT_DIR="/nonexistent"), stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.stdout.strip() if run.returncode else ""


def mutants(project=PROJECT):
    """All of them."""
    return [Mutant.read(path) for path in sorted((project / "tests/mutants").glob("*.patch"))]


def scripts(project=PROJECT):
    """The VM tests, by name."""
    return {p.stem: p for p in sorted((project / "tests/vm").glob("*.sh")) if p.stem != "lib"}


def exempt(project=PROJECT):
    """Why no mutant is for a test, by name."""
    text = (project / "tests/mutants/EXEMPT").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def missing(found, tests, exemptions):
    """Tests that nothing shows to be able to fail, and names that no test has."""
    seen = {test: mutant.name for mutant in found for test in mutant.seen_by}
    for test in tests:
        if test not in seen and test not in exemptions:
            yield f"{test}: no mutant in tests/mutants is for it, nor does EXEMPT say why"
        if test in seen and test in exemptions:
            yield f"{test}: in EXEMPT, but {seen[test]} is for it"
    for test, where in {**dict.fromkeys(exemptions, "EXEMPT"), **seen}.items():
        if test not in tests:
            yield f"{where}: there is no test {test}"


def wrong(project=PROJECT):
    """A line for everything that is wrong with the mutants, without running any."""
    try:
        found = mutants(project)
    except Problem as problem:
        return [str(problem)]
    said = [f"{m.name} no longer applies: renew it ({text.splitlines()[0]})" for m in found
            if (text := git_apply(m.path, project, "--check"))]
    return said + list(missing(found, scripts(project), exempt(project)))


def wanted_flags(script):
    """The words of a test's '# vm:' lines."""
    return " ".join(re.findall(r"^# vm:(.*)$", script.read_text(encoding="utf-8"), re.M)).split()


def seconds_for(script, flavour):
    """How long a test may take."""
    words = [w[len("timeout="):] for w in wanted_flags(script) if w.startswith("timeout=")]
    return int(words[-1] if words else 120) * (4 if flavour == "debug" else 1) + BESIDE


def runs_on(script, flavour):
    """Whether a test is one for the kernel of this flavour."""
    words = wanted_flags(script)
    return flavour == "debug" if "debug=on" in words else "rt" not in flavour or "rt=on" in words


def copy(source, target):
    """Make `target` the same as `source`. What does not change keeps its time, for make."""
    kept = set()
    for directory, below, names in os.walk(source):
        here = pathlib.Path(directory).relative_to(source)
        leave = NOWHERE_COPIED | (NOT_COPIED if here == pathlib.Path() else set())
        links = [n for n in below if (pathlib.Path(directory) / n).is_symlink()]
        below[:] = [n for n in below if n not in leave and n not in links]
        (target / here).mkdir(parents=True, exist_ok=True)
        kept.update(here / n for n in below)
        for name in names + links:
            if name not in leave:
                kept.add(here / name)
                copy_file(pathlib.Path(directory) / name, target / here / name)
    for directory, below, names in os.walk(target, topdown=False):
        here = pathlib.Path(directory).relative_to(target)
        if here.parts[:1] and here.parts[0] in NOT_COPIED:
            continue
        for name in names + below:
            path = target / here / name
            if here / name in kept or (here == pathlib.Path() and name in NOT_COPIED):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def copy_file(source, target):
    if source.is_symlink():
        if not target.is_symlink() or os.readlink(target) != os.readlink(source):
            target.unlink(missing_ok=True)
            target.symlink_to(os.readlink(source))
    elif not target.is_file() or target.is_symlink() or source.read_bytes() != target.read_bytes():
        target.unlink(missing_ok=True)
        target.write_bytes(source.read_bytes())
    if not source.is_symlink():
        target.chmod(source.stat().st_mode)


def run_bounded(command, directory, seconds, log):
    """Run a command, show what it says and that it is alive, and keep it in `log`.

    Returns its lines, and whether it ended in time.
    """
    # Make hands its own variables down, which are not meant for the one in the copy.
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "T")}
    start, text, in_time = time.monotonic(), b"", True
    with open(log, "wb") as out, subprocess.Popen(
            command, cwd=directory, env=env, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        try:
            os.set_blocking(child.stdout.fileno(), False)
            while in_time:
                left = start + seconds - time.monotonic()
                if select.select([child.stdout], [], [], max(0, min(QUIET, left)))[0]:
                    new = os.read(child.stdout.fileno(), 65536)
                    if not new:
                        child.wait(timeout=QUIET)
                        break
                    text += new
                    out.write(new)
                    sys.stdout.write(re.sub(r"^(?=.)", "    | ", new.decode(errors="replace"), flags=re.M))
                    sys.stdout.flush()
                elif left <= 0:
                    in_time = False
                else:
                    print(f"    | still at it, {time.monotonic() - start:.0f} s", flush=True)
        finally:
            stop(child)
    return text.decode(errors="replace").splitlines(), in_time


def stop(child):
    """End a command with all that it has started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if child.poll() is not None:
            return
        os.killpg(child.pid, sign)
        try:
            child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            pass


def results(lines):
    """What `make test` has said about VM tests: the reason of each failure, None if it passed."""
    found = {}
    for n, line in enumerate(lines):
        if match := RESULT.match(line):
            reason = lines[n + 1].strip() if match[1] == "FAIL" and n + 1 < len(lines) else ""
            found[match[2]] = reason if match[1] == "FAIL" else None
    return found


def verdict(message, test, found):
    """Why a test has not seen a mutant; None if it has."""
    if test not in found:
        return "was not run: it does not build, or the rig has failed"
    if found[test] is None:
        return "passed: it does not see this"
    if not re.search(message, found[test]):
        return f"failed, but not with '{message}': {found[test]}"
    return None


class Runner:
    """Runs mutants and counts what has seen them."""

    def __init__(self, flavour):
        self.passed, self.failed, self.flavour, self.left_out = 0, 0, flavour, []
        self.home = PROJECT / "build/mutants"
        self.tree, self.scripts = self.home / "tree", scripts()

    def line(self, mutant, test, why, said=""):
        self.passed, self.failed = self.passed + (why is None), self.failed + (why is not None)
        print(f"{'PASS' if why is None else 'FAIL'}  {mutant.name}: {test} {why or f'saw it: {said}'}", flush=True)
        if why:
            print(f"      log: {self.home / mutant.name}.log", flush=True)

    def prepare(self):
        """The unbroken driver must build, with all that this takes."""
        self.home.mkdir(parents=True, exist_ok=True)
        copy(PROJECT, self.tree)
        print("==> The unbroken driver", flush=True)
        lines, _ = run_bounded(["make", "rig-module"], self.tree, PREPARE, self.home / "unbroken.log")
        return bool(lines) and lines[-1].endswith(".ko")

    def run(self, mutant, tests):
        copy(PROJECT, self.tree)
        if text := git_apply(mutant.path, self.tree):
            for test in tests:
                self.line(mutant, test, f"was not run: {mutant.name} no longer applies: renew it ({text})")
            return
        seconds = BUILD + sum(seconds_for(self.scripts[test], self.flavour) for test in tests)
        lines, in_time = run_bounded(["make", "test", f"T={' '.join(tests)}", "JOBS=1"], self.tree, seconds,
                                     self.home / f"{mutant.name}.log")
        if not in_time:
            print(f"      given up after {seconds} s", flush=True)
        found = results(lines)
        for test in tests:
            self.keep(mutant, test, lines)
            self.line(mutant, test, verdict(mutant.seen_by[test], test, found), found.get(test))

    def keep(self, mutant, test, lines):
        """The console, which the next mutant would overwrite."""
        for line in lines:
            if (match := re.search(r"log: (\S+)", line)) and pathlib.Path(match[1]).name == f"{test}.console.log":
                shutil.copy(match[1], self.home / f"{mutant.name}.{test}.console.log")


def choose(found, names, tests):
    """Mutants of these names, or for tests of these names, in their order, each with its tests."""
    for name in names:
        if name not in tests and name not in {m.name for m in found}:
            sys.exit(f"no mutant and no test is called {name}. There are: {' '.join(m.name for m in found)}")
    chosen = {}
    for name in names or [m.name for m in found]:
        for mutant in found:
            seen_by = [test for test in mutant.seen_by if name in (mutant.name, test)]
            if seen_by:
                have = chosen.setdefault(mutant.name, (mutant, []))[1]
                have += [test for test in seen_by if test not in have]
    return list(chosen.values())


def main():
    if said := wrong():
        print("\n".join(said))
        print(f"0 passed, {len(said)} failed")
        return 1
    if os.geteuid() != 0:
        sys.exit("mutants: this needs root: it boots machines as `make test` does. Run it with sudo.")
    # What was started has a session of its own, and ends with this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner(os.environ.get("KERNEL_FLAVOUR") or "arm64")
    chosen = choose(mutants(), sys.argv[1:], runner.scripts)
    if not runner.prepare():
        print("FAIL  the unbroken driver does not build\n0 passed, 1 failed")
        return 1
    for number, (mutant, tests) in enumerate(chosen, 1):
        able = [test for test in tests if runs_on(runner.scripts[test], runner.flavour)]
        runner.left_out += [f"{mutant.name} ({test})" for test in tests if test not in able]
        if able:
            print(f"==> {number} of {len(chosen)}: {mutant.name}: {mutant.what}", flush=True)
            runner.run(mutant, able)
    if runner.left_out:
        print(f"Left out, for another kernel (KERNEL_FLAVOUR): {', '.join(runner.left_out)}.")
    print(f"{runner.passed} passed, {runner.failed} failed")
    return int(runner.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
