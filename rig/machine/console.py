# SPDX-License-Identifier: GPL-2.0
"""What on a kernel's console means that something went wrong."""

import re

# Written so that the lines of a normal boot do not match: "rcu: Hierarchical
# RCU implementation", "Lock dependency validator", "RCU Tasks". Each line here
# has its counterpart in console_test.py.
PROBLEMS = {
    "bug": r"\bBUG:|kernel BUG at",
    "warning": r"\bWARNING:|-{6,}\[ cut here \]",
    "call trace": r"\bCall [Tt]race:",
    "oops": r"Unable to handle kernel|Internal error:|\bOops\b|general protection fault",
    "panic": r"Kernel panic - not syncing",
    "lockdep": r"INFO: possible |possible (circular|recursive|irq lock|deadlock)"
               r"|inconsistent lock state|\[ ?INFO: .* lock|Invalid wait context"
               r"|bad unlock balance|held lock freed|lock held when returning"
               r"|DEBUG_LOCKS_WARN_ON|non-static key|turning off the locking correctness",
    "rcu": r"suspicious RCU usage|Illegal .* RCU|rcu.*\b(stall|stalls) on CPUs"
           r"|rcu.*detected (expedited )?stalls?\b|rcu.*kthread starved|Voluntary context switch within RCU",
    "hung task": r"blocked for more than \d+ seconds|hung_task: blocked",
    "lockup": r"(soft|hard) (lockup|LOCKUP)",
    "sanitizer": r"\b(KASAN|KCSAN|KFENCE|UBSAN|ODEBUG):|kmemleak: \d+ new suspected",
    "interrupt": r"nobody cared|Disabling IRQ #|unexpected IRQ trap|Unbalanced enable for IRQ",
    "corruption": r"refcount_t: |list_(add|del) corruption|Slab corruption|Bad page state"
                  r"|EXT4-fs error|F2FS-fs .*(corrupt|inconsistent)",
    "device model": r"cannot create duplicate filename|kobject_add_internal failed|does not have a release\(\)",
    # A kernel that runs out of memory in a test tells nothing about the driver.
    "out of memory": r"Out of memory: Killed process|invoked oom-killer",
}

# A kernel has data races that are not ours to mend. One with a function of the UFS core
# or of the driver in it is.
OTHERS = re.compile(r"BUG: KCSAN: (?!.*(ufs|UFS))")
# Nor these of the core: with itself, in every driver, and read in its source as harmless.
CORES = re.compile(r"BUG: KCSAN: data-race in (" + "|".join((
    # Whoever queues a request sets the count of aborts to zero, without a lock.
    r"ufshcd_queuecommand \S+ / ufshcd_queuecommand",
)) + r")\b")


class Matcher:
    """Finds problems in console lines.

    `allow` are regular expressions of lines that a test provokes on purpose,
    `forbid` of lines that are a failure in this test only.
    """

    def __init__(self, allow=(), forbid=()):
        self.patterns = [(name, re.compile(p)) for name, p in PROBLEMS.items()]
        self.patterns += [("forbidden here", re.compile(p)) for p in forbid]
        self.allow = [re.compile(p) for p in allow]

    def kind(self, line):
        """The kind of problem that a line reports, or None."""
        if OTHERS.search(line) or CORES.search(line) or any(p.search(line) for p in self.allow):
            return None
        return next((name for name, p in self.patterns if p.search(line)), None)

    def first(self, lines):
        """(kind, line) of the first problem, or None."""
        for line in lines:
            if kind := self.kind(line):
                return kind, line.strip()
        return None
