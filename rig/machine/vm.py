# SPDX-License-Identifier: GPL-2.0
"""One boot of the kernel under test in QEMU, from start to power-off.

Runs inside the toolchain root (see in_root in lib.sh).
"""

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import re
import subprocess
import tempfile
import time

from machine.console import Matcher
from initramfs import Cpio

PROJECT = pathlib.Path("/src")
CACHE = pathlib.Path("/cache")
# Not in the cache, which other copies of the project use at the same time.
LOGS = PROJECT / "build/logs"
# A panic or an oops ends the run. The crypto self-tests would go on for a second
# behind the test's back.
APPEND = "console=ttyAMA0 panic=-1 oops=panic cryptomgr.notests"
# Where the kernel finds its root file system, by Machine.intree. Tests of the kernel's own
# would run at boot, and taint it.
INTREE_APPEND = {
    "": "",
    "builtin": "root=/dev/sda rootwait rw init=/init kunit.enable=0",
    "kunit": "root=/dev/sda rootwait rw init=/init",
    "module": "root=/dev/sda rw rdinit=/job/rdinit kunit.enable=0",
}
# After the first sign of trouble, the time the kernel gets to say the rest.
GRACE_SECONDS = 10


# What a report of a phone has to say.
PHONE_REPORT = ("ours, hardirq:** a single 4 KiB read takes", "ours, adaptive, what it costs others",
                "| t615-randread-8k |", "| tiobench-seqread-32-threads |", "all CPUs busy")


@dataclasses.dataclass
class Kernel:
    """The kernel under test as the shell side has prepared it."""

    abi: str
    image: str
    initramfs: str
    modules: dict  # file name in the guest's /job -> path here
    programs: dict  # file name in the guest's /bin -> path here
    cores: dict     # name of another UFS core -> path here (see core.sh)

    @staticmethod
    def arguments(parser):
        """The options by which the shell side describes it (run_in_rig)."""
        for name in ("abi", "image", "initramfs", "project-outside"):
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--module", action="append", default=[])
        parser.add_argument("--program", action="append", default=[])
        parser.add_argument("--core", action="append", default=[])

    @classmethod
    def of(cls, args):
        return cls(args.abi, args.image, args.initramfs,
                   {pathlib.Path(m).name: m for m in args.module},
                   {pathlib.Path(p).name: p for p in args.program},
                   dict(c.split("=", 1) for c in args.core))


def outside(args, path):
    """A path of this root as the reader of a message can open it."""
    return str(path).replace(str(PROJECT), args.project_outside, 1)


@dataclasses.dataclass
class Machine:
    cpus: int = 2
    memory: str = "1G"
    icount: bool = False      # time is what the guest executes
    icount_shift: int = 1     # with icount: an instruction takes 1 << icount_shift ns
    warp: bool = False        # with icount: no time passes below while the guest waits
    one_core: bool = False    # for measuring: see Machine.prefer_cpus
    append: str = ""          # more kernel command line
    hosts: int = 2            # UFS host controllers, with a disk each
    mcq: bool = False
    core: str = ""            # another UFS core than the distribution's (see core.sh)
    intree: str = ""          # module, builtin or kunit (built in with its tests): a kernel with the driver
                              # in its tree (see intree.sh), with its root file system on the first disk
    disk_mib: int = 256
    null_lun: bool = False    # a logical unit 1 that takes the machine below us no time
    bad_sector: int = 0       # of the first disk: reading it (of 512 bytes) fails; 0: none
    devices: list = dataclasses.field(default_factory=list)
    trace: list = dataclasses.field(default_factory=list)
    plugin: str = ""          # a plugin for QEMU; what it says becomes the trace
    timeout: int = 120        # real seconds for the whole boot
    short: bool = False       # run also where there is time for a few only
    short_debug: bool = False  # the same on the debug kernel, where each takes longer
    slow: bool = False        # not in a brief run: takes long, and protects no data
    rt: bool = False          # the test makes sense on PREEMPT_RT, too
    kcsan: bool = False       # the test needs the kernel that looks for data races
    debug: bool = False       # the test needs what only the debug kernel has
    long_timeout: int = 0     # the same for a test's long form; 0: it has none
    allow: list = dataclasses.field(default_factory=list)
    forbid: list = dataclasses.field(default_factory=list)
    expect: str = ""          # the reason with which this boot must fail
    check: str = ""           # a program of the project that judges the trace
    phone: bool = False       # the guest sends what ufsbench leaves; it must make a report

    def confine(self):
        """Called in the child before it becomes QEMU."""
        if self.one_core:
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    def prefer_cpus(self, pid):
        """Let the guest's CPU have the core it shares with the emulated devices.

        The device then gets to work only when the guest's CPU has gone idle, as
        it is on a phone when an I/O takes its time. Otherwise the two race, and
        a completion comes before or after the task has gone to sleep, which is
        a difference of several microseconds. True when done.
        """
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            if "CPU" in (task / "comm").read_text():
                try:
                    os.sched_setscheduler(int(task.name), os.SCHED_FIFO, os.sched_param(1))
                except PermissionError:
                    pass
                return True
        return False

    def arguments(self, kernel, scratch):
        args = ["qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", "cortex-a76",
                "-accel", "tcg", "-smp", str(self.cpus), "-m", self.memory,
                "-name", "rig,debug-threads=on", "-nodefaults", "-display", "none",
                "-no-reboot", "-kernel", kernel.image + ("" if self.intree in ("", "module") else f"-{self.intree}"),
                "-append", f"{APPEND} {INTREE_APPEND[self.intree]} {self.append}"]
        if self.icount:
            args += ["-icount", f"shift={self.icount_shift},sleep={'off' if self.warp else 'on'}"]
        if self.warp:
            # An alarm comes by the guest's clock, too.
            args += ["-rtc", "clock=vm"]
        for n in range(self.hosts):
            disk = pathlib.Path(scratch) / f"disk{n}.img"
            disk.touch()
            os.truncate(disk, self.disk_mib << 20)
            where = f"file={disk}"
            if self.bad_sector and n == 0:
                where = (f"file.driver=blkdebug,file.image.driver=file,file.image.filename={disk},"
                         "file.inject-error.0.event=read_aio,file.inject-error.0.errno=5,"
                         f"file.inject-error.0.sector={self.bad_sector}")
            args += ["-drive", f"if=none,id=disk{n},{where},format=raw,cache=unsafe",
                     "-device", f"ufs,id=ufs{n},serial=rig-ufs{n}" + (",mcq=on" if self.mcq else ""),
                     "-device", f"ufs-lu,bus=ufs{n},drive=disk{n},lun=0"]
            if self.null_lun:
                args += ["-blockdev", f"driver=null-co,node-name=null{n},"
                                      f"size={self.disk_mib << 20},read-zeroes=on",
                         "-device", f"ufs-lu,bus=ufs{n},drive=null{n},lun=1"]
        for device in self.devices:
            args += ["-device", device]
        return args


def measuring_machine(append="", **settings):
    """The machine in which numbers are taken that repeat.

    One CPU is online, so that all instructions are seen by one counter. But
    there are two: with only one in the machine the block layer completes
    requests without its soft interrupt, as no phone does.
    """
    return Machine(cpus=2, append=f"maxcpus=1 {append}", icount=True, one_core=True,
                   null_lun=True, **settings)


@dataclasses.dataclass
class Outcome:
    problem: str | None       # why the boot counts as failed; None if it does not
    seconds: float
    lines: list               # what the guest wrote to its second serial port
    data: dict                # files the guest sent, by name
    log: pathlib.Path         # the console
    trace: pathlib.Path | None

    @property
    def checks(self):
        return [line[3:] for line in self.lines if line.startswith("ok ")]


# Where the kernel's own one is in the guest.
CORE = "usr/lib/modules/{abi}/kernel/drivers/ufs/core/ufshcd-core.ko"


def job_archive(kernel, files, core=""):
    cpio = Cpio()
    cpio.directory("job")
    for name, path in kernel.modules.items():
        cpio.file(f"job/{name}", pathlib.Path(path).read_bytes())
    # /bin is a link to it.
    for name, path in kernel.programs.items():
        cpio.file(f"usr/bin/{name}", pathlib.Path(path).read_bytes(), executable=True)
    # All of it, as it goes to a phone.
    bench = PROJECT / "build/ufsbench"
    cpio.directory("job/ufsbench")
    for path in sorted(bench.rglob("*")):
        name = f"job/ufsbench/{path.relative_to(bench)}"
        if path.is_dir():
            cpio.directory(name)
        else:
            cpio.file(name, path.read_bytes(), os.access(path, os.X_OK))
    if core:
        cpio.file(CORE.format(abi=kernel.abi), pathlib.Path(kernel.cores[core]).read_bytes())
    for name, data in files.items():
        data = data if isinstance(data, bytes) else data.encode()
        cpio.file(f"job/{name}", data, executable=data.startswith(b"#!"))
    return cpio.finish()


def make_initrd(kernel, files, path, core=""):
    """The common archive with this boot's own files behind it."""
    with open(path, "wb") as out:
        out.write(pathlib.Path(kernel.initramfs).read_bytes())
        out.write(b"\0" * (-out.tell() % 512))
        out.write(job_archive(kernel, files, core))


def make_root(kernel, files, path, mib):
    """A disk with the same as the initrd."""
    with tempfile.TemporaryDirectory(dir=CACHE / "vm", prefix="root-") as tree:
        for archive in (pathlib.Path(kernel.initramfs).read_bytes(), job_archive(kernel, files)):
            subprocess.run(["cpio", "-idmu", "--quiet"], cwd=tree, input=archive, check=True)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-b", "4096", "-d", tree, path, f"{mib}m"], check=True)


class Tail:
    """The lines that were added to a file since the last look."""

    def __init__(self, path):
        self.path, self.offset, self.rest = path, 0, ""

    def lines(self, final=False):
        if not self.path.exists():
            return []
        with open(self.path, "rb") as f:
            f.seek(self.offset)
            data = f.read()
        self.offset += len(data)
        *whole, self.rest = (self.rest + data.decode(errors="replace")).split("\n")
        if final and self.rest:
            whole, self.rest = whole + [self.rest], ""
        return [line.rstrip("\r") for line in whole]


def parse_results(lines):
    """Split the second port's lines into messages and the files between them."""
    messages, data, name = [], {}, None
    for line in lines:
        if name is None and line.startswith("data "):
            name, body = line[5:], []
        elif name is not None and line == f"end {name}":
            data[name], name = "\n".join(body) + "\n", None
        elif name is not None:
            body.append(line)
        else:
            messages.append(line)
    return messages, data


def verdict(messages, problem):
    """Why the boot failed, the most telling reason first; None if it did not."""
    fails = [line[5:] for line in messages if line.startswith("fail ")]
    if problem:
        return problem + (f"; the test said: {fails[0]}" if fails else "")
    if fails:
        return fails[0]
    if not messages or not messages[-1].startswith("exit "):
        return "the machine stopped before the test had ended"
    if messages[-1] != "exit 0":
        return f"the test ended with {messages[-1]} and no reason; see the end of the log"
    if not any(line.startswith("ok ") for line in messages):
        return "the test checked nothing"
    return None


def expected(expect, problem):
    """Turn the verdict round for a boot that is meant to fail."""
    if not expect or (problem and re.search(expect, problem)):
        return None if expect else problem
    return f"should have failed with '{expect}', but: {problem or 'passed'}"


@contextlib.contextmanager
def alone(path):
    """Wait until no other run in this copy of the project has these logs."""
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def boot(machine, kernel, files, name, show=None):
    """Run `files` (which must have 'main') in a fresh machine called `name`.

    `show` is called with each message of the guest as it comes.
    """
    # Of each kernel apart, so that a failure's is still there when all have been run.
    logs = LOGS / kernel.abi
    logs.mkdir(parents=True, exist_ok=True)
    (CACHE / "vm").mkdir(exist_ok=True)
    log, trace = logs / f"{name}.console.log", None
    with (alone(logs / f"{name}.lock"),
          tempfile.TemporaryDirectory(dir=CACHE / "vm", prefix=f"{name}-") as scratch):
        results, initrd = pathlib.Path(scratch) / "results", pathlib.Path(scratch) / "initrd"
        make_initrd(kernel, files, initrd, machine.core)
        log.write_bytes(b"")
        if machine.intree:
            make_root(kernel, files, pathlib.Path(scratch) / "disk0.img", machine.disk_mib)
        args = machine.arguments(kernel, scratch)
        if machine.intree in ("", "module"):
            args += ["-initrd", str(initrd)]
        args += ["-serial", f"file:{log}", "-serial", f"file:{results}"]
        if machine.trace or machine.plugin:
            trace = logs / f"{name}.trace"
            args += ["-D", str(trace)]
            for event in machine.trace:
                args += ["-trace", event]
            if machine.plugin:
                args += ["-plugin", machine.plugin, "-d", "plugin"]
        start = time.monotonic()
        live = Live(results, show) if show else None
        problem = supervise(args, machine, log, live)
        seconds = time.monotonic() - start
        messages, data = parse_results(Tail(results).lines(final=True))
    problem = verdict(messages, problem)
    if trace and machine.check:
        problem = problem or judge(machine.check, trace)
    if machine.phone:
        problem = problem or phone_report(data)
    problem = expected(machine.expect, problem)
    return Outcome(problem, seconds, messages, data, log, trace)


def judge(program, trace):
    """What a program of the project has to say against a trace, or None."""
    run = subprocess.run(["python3", "-B", PROJECT / program, trace],
                         capture_output=True, text=True)
    if run.returncode == 0:
        trace.unlink()
        return None
    said = (run.stdout + run.stderr).strip().splitlines() or ["nothing"]
    return f"{program} on {trace.name}: {said[-1]}"


def phone_report(data):
    """Why no report can be made of ufsbench's results as the guest has sent them, or None."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in data.items():
            (pathlib.Path(directory) / name).write_text(text)
        run = subprocess.run(["python3", "-B", "-m", "bench.wall", directory],
                             capture_output=True, text=True)
        if run.returncode:
            return f"no report: {(run.stderr.strip().splitlines() or ['nothing'])[-1]}"
        text = (pathlib.Path(directory) / "report.md").read_text()
    missing = [part for part in PHONE_REPORT if part not in text]
    return f"the report has no '{missing[0]}'" if missing else None


class Live:
    """Passes the guest's messages on while it runs."""

    def __init__(self, results, show):
        self.tail, self.show, self.inside = Tail(results), show, None

    def look(self):
        for line in self.tail.lines():
            if self.inside is None and line.startswith("data "):
                self.inside = f"end {line[5:]}"
            elif self.inside is None:
                self.show(line)
            elif line == self.inside:
                self.inside = None


def supervise(args, machine, log, live=None):
    """Run QEMU within its time; the reason why the boot is bad, or None."""
    matcher, tail = Matcher(machine.allow, machine.forbid), Tail(log)
    hit, end, problem = None, time.monotonic() + machine.timeout, None
    settled = not machine.one_core
    with tempfile.TemporaryFile() as errors:
        qemu = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                                preexec_fn=machine.confine)
        try:
            while True:
                try:
                    code = qemu.wait(timeout=0.3)
                except subprocess.TimeoutExpired:
                    code = None
                settled = settled or code is not None or machine.prefer_cpus(qemu.pid)
                if live:
                    live.look()
                if hit is None and (hit := matcher.first(tail.lines(final=code is not None))):
                    end = min(end, time.monotonic() + GRACE_SECONDS)
                if code is not None:
                    break
                if time.monotonic() > end:
                    if hit is None:
                        problem = f"still running after {machine.timeout} s"
                    break
        finally:
            if qemu.poll() is None:
                qemu.kill()
                qemu.wait()
        if code:
            errors.seek(0)
            text = errors.read().decode(errors="replace").strip().splitlines()
            problem = f"QEMU ended with exit code {code}: {text[-1] if text else 'no message'}"
    if hit:
        problem = f"console: {hit[0]}: {hit[1]}"
    return problem
