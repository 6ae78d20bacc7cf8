# SPDX-License-Identifier: GPL-2.0
"""Run the tests and end with 'N passed, N failed'.

Runs inside the toolchain root; test.sh prepares what it needs. A VM test is a
script tests/vm/NAME.sh, run as root in a machine of its own. Its comments say
which machine it wants:  # vm: cpus=2 timeout=90 append="threadirqs"
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time
import unittest

from docs import pages, refs
from intree import import_checks, kernel_checks
from machine.vm import LOGS, PROJECT, Kernel, Machine, boot, outside
from testing import binding, build_checks, style
from testing.selection import makes_sense, seconds_for, wanted


class Report:
    """Prints a line for each test, counts, and notes for testing.last_seen what passed."""

    def __init__(self, args):
        self.passed, self.failed, self.args = 0, 0, args
        self.lock = threading.Lock()

    def line(self, name, seconds, reason=None, log=None, count=1):
        result = "PASS" if reason is None else "FAIL"
        text = [f"{result} {seconds:5.0f} s  {name}"]
        if reason is not None:
            text.append(f"             {reason}")
            if log:
                text.append(f"             log: {outside(self.args, log)}")
        with self.lock:
            if reason is None:
                self.passed += count
            else:
                self.failed += count
            print("\n".join(text), flush=True)
            with open(LOGS / "results", "a") as results:
                # As brief, if it was: last_seen has whole runs count more.
                brief = "BRIEFLY-" if self.args.brief else ""
                results.write(f"{time.strftime('%Y-%m-%d')} {self.args.abi} {brief}{result} {name}\n")


def machine_of(script):
    """The machine that a test script asks for in its '# vm:' lines."""
    machine, types = Machine(), {f.name: f.type for f in dataclasses.fields(Machine)}
    lists = {"device": machine.devices, "trace": machine.trace,
             "allow": machine.allow, "forbid": machine.forbid}
    for line in re.findall(r"^# vm:(.*)$", script.read_text(), re.M):
        for word in shlex.split(line):
            key, _, value = word.partition("=")
            if key in lists:
                lists[key].append(value)
            elif types.get(key) in (int, "int"):
                setattr(machine, key, int(value))
            elif types.get(key) in (bool, "bool"):
                setattr(machine, key, value in ("1", "on"))
            elif types.get(key) in (str, "str"):
                setattr(machine, key, value)
            else:
                sys.exit(f"{script.name}: '# vm:' does not know '{key}'")
    return machine


def rig_tests(report):
    """The rig's own tests: of what decides whether a test has passed, and so on."""
    report_suite(report, "rig", unittest.defaultTestLoader.discover(str(PROJECT / "rig"), "*_test.py"))


def report_suite(report, name, suite):
    start = time.monotonic()
    result = suite.run(unittest.TestResult())
    bad = {}
    for test, text in result.failures + result.errors:
        # A subtest has the test it belongs to.
        bad.setdefault(getattr(test, "test_case", test).id(), text.strip().splitlines()[-1])
    for test, reason in bad.items():
        report.line(f"{name}: {test}", 0, reason)
    good = result.testsRun - len(bad)
    report.line(f"{name}: {good} tests", time.monotonic() - start, count=good)


def host_tests(report):
    """cargo test: what of the module is plain Rust, and the tools, run on this machine."""
    log = LOGS / "cargo-test.log"
    start = time.monotonic()
    # Not in the cache: cargo tells files apart by path and time, and every copy is at the same
    # path here.
    env = dict(os.environ, CARGO_TARGET_DIR=str(PROJECT / "build/cargo"), CARGO_TERM_COLOR="never")
    run = subprocess.run(["cargo", "test", "--workspace", "--no-fail-fast", "--offline", "--locked"],
                         cwd=PROJECT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace")
    log.write_text(run.stdout)
    seconds = time.monotonic() - start
    results = re.findall(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED)", run.stdout, re.M)
    good = [name for name, result in results if result == "ok"]
    bad = [name for name, result in results if result != "ok"]
    for name in bad:
        report.line(f"host: {name}", 0, "see the log", log)
    if good:
        report.line(f"host: {len(good)} cargo tests", seconds, count=len(good))
    if run.returncode and not bad:
        report.line("host: cargo test", seconds, f"cargo ended with exit code {run.returncode}", log)
    elif not results:
        report.line("host: cargo test", seconds, "no test was found", log)


def style_tests(report, kbuild, source):
    """The source as such: formatting, lints, and what the project promises."""
    log = LOGS / "style.log"
    log.write_text("")
    for check in style.CHECKS:
        start = time.monotonic()
        text = check(kbuild, source).strip()
        reason = text.splitlines()[0] if text else None
        with open(log, "a") as out:
            out.write(f"== {check.__name__}\n{text}\n")
        report.line(f"style: {check.__name__}", time.monotonic() - start, reason, log)


def binding_test(report, bindings):
    """The device tree binding and its example, with the kernel's tools."""
    start, reason = time.monotonic(), None
    try:
        binding.check(pathlib.Path(bindings))
    except binding.Problem as problem:
        reason = str(problem)
    report.line("binding: sprd,ums9230-ufs.yaml", time.monotonic() - start, reason)


def build_tests(report, kbuild, kbuild_x86, brief):
    """What a built module is like."""
    log = LOGS / "build.log"
    log.write_text("")
    for check in build_checks.BRIEF if brief else build_checks.CHECKS:
        if check.__name__.endswith("x86_64") and not kbuild_x86:
            continue
        start = time.monotonic()
        text = check(kbuild, kbuild_x86).strip()
        with open(log, "a") as out:
            out.write(f"== {check.__name__}\n{text}\n")
        report.line(f"build: {check.__name__}", time.monotonic() - start, text.splitlines()[0] if text else None, log)


def import_test(report, source):
    """Importing the driver into a kernel's tree, and the series of patches that does the same."""
    report_suite(report, "import", import_checks.suite(pathlib.Path(source)))


def intree_test(report, args):
    """What the build of the kernels with the driver in their tree has left."""
    for name, check in kernel_checks.CHECKS.items():
        start = time.monotonic()
        reason = check(pathlib.Path(args.image).parent)
        report.line(f"intree: {name}", time.monotonic() - start, reason)


def vm_test(script, kernel, shared, form):
    files, machine = {"main": script.read_bytes(), **shared}, machine_of(script)
    if machine.intree == "module":
        files["rdinit"] = (PROJECT / "rig/guest/rdinit").read_bytes()
    # What in_form of tests/vm/lib.sh looks for on the kernel's command line.
    machine.append += f" {form}"
    machine.timeout = seconds_for(machine, kernel.abi, form == "long")
    return boot(machine, kernel, files, script.stem + ("-long" if form == "long" else ""))


def vm_test_line(script, kernel, shared, report, form):
    outcome = vm_test(script, kernel, shared, form)
    report.line(f"vm: {script.stem}", outcome.seconds, outcome.problem, outcome.log)


def run_all(suites, scripts, kernel, report, args):
    """The suites one after the other, and beside them VM tests, if several jobs may run."""
    scripts_dir = PROJECT / "tests/vm"
    shared = {p.name: p.read_bytes()
              for p in (scripts_dir / "lib.sh", *sorted((scripts_dir / "lib").glob("*.sh")))}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = [pool.submit(lambda: [run(report) for run in suites])]
        form = "brief" if args.brief else "long" if args.long else ""
        # What may take longest first, so that nobody waits for it at the end.
        scripts = sorted(scripts, key=lambda script: -machine_of(script).timeout)
        futures += [pool.submit(vm_test_line, s, kernel, shared, report, form) for s in scripts]
        for future in concurrent.futures.as_completed(futures):
            future.result()


def docs_tests(report, source, suites):
    """The documentation builds without warnings, and what it names is there."""
    log = LOGS / "docs.log"
    log.write_text("")
    for name, wrong in (("pages", lambda: pages.build(source)),
                        ("references", lambda: refs.check(PROJECT, source, suites))):
        start = time.monotonic()
        text = wrong()
        with open(log, "a") as out:
            out.write(f"== {name}\n{text}\n")
        report.line(f"docs: {name}", time.monotonic() - start,
                    text.splitlines()[0] if text else None, log)


def main():
    parser = argparse.ArgumentParser()
    Kernel.arguments(parser)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--source", required=True, help="the kernel's source tree")
    parser.add_argument("--crates", help="what cargo shall have as its home")
    parser.add_argument("--kbuild", help="the command that builds modules for it")
    parser.add_argument("--kbuild-x86", default="", help="the same for an x86-64 kernel, if it shall be tried")
    parser.add_argument("--intree", action="store_true",
                        help="the kernel has the driver in its tree, and only tests of that are meant")
    parser.add_argument("--long", action="store_true",
                        help="only tests that have a long form, in that form")
    parser.add_argument("--short", action="store_true",
                        help="only the VM tests that tell one kernel from another")
    parser.add_argument("--brief", action="store_true",
                        help="VM tests do less of what they do many times, and some are left out")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.crates:
        os.environ["CARGO_HOME"] = args.crates

    scripts = {p.stem: p for p in sorted((PROJECT / "tests/vm").glob("*.sh")) if p.stem != "lib"}
    suites = {"docs": lambda report: docs_tests(report, pathlib.Path(args.source), suites),
              "rig": rig_tests, "host": host_tests,
              "style": lambda report: style_tests(report, args.kbuild, args.source),
              "binding": lambda report: binding_test(
                  report, f"{args.source}/Documentation/devicetree/bindings"),
              "import": lambda report: import_test(report, args.source),
              "build": lambda report: build_tests(report, args.kbuild, args.kbuild_x86, args.brief)}
    kernel = Kernel.of(args)
    scripts = {n: p for n, p in scripts.items()
               if makes_sense(machine_of(p), args.abi, kernel.cores)
               and wanted(machine_of(p), args.abi, args.short, args.long, args.brief and n not in args.names)
               and bool(machine_of(p).intree) == args.intree}
    if args.intree:
        suites = {"intree": lambda report: intree_test(report, args)}
    if args.short or args.long:
        suites = {}
    unknown = [n for n in args.names if n not in scripts and n not in suites]
    if unknown:
        sys.exit(f"no test that makes sense on {args.abi} is called {' '.join(unknown)}. There are: "
                 + " ".join([*suites, *scripts]))
    LOGS.mkdir(parents=True, exist_ok=True)
    report = Report(args)
    chosen = [[what for name, what in some.items() if name in args.names or not args.names]
              for some in (suites, scripts)]
    run_all(*chosen, kernel, report, args)
    print(f"{report.passed} passed, {report.failed} failed", flush=True)
    return report.failed > 0


if __name__ == "__main__":
    sys.exit(main())
