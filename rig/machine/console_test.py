# SPDX-License-Identifier: GPL-2.0
"""The console matcher against lines it must and must not report."""

import unittest

from machine.console import PROBLEMS, Matcher

BAD = {
    "bug": ["[    3.1] BUG: sleeping function called from invalid context at kernel/locking/mutex.c:575",
            "[    3.1] BUG: scheduling while atomic: fio/312/0x00000002",
            "[    9.9] watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [fio:312]",
            "[    3.1] kernel BUG at drivers/ufs/core/ufshcd.c:100!",
            "[    5.5] [ BUG: Invalid wait context ]"],
    "warning": ["[    2.0] WARNING: kernel/irq/handle.c:211 at __handle_irq_event_percpu+0x1/0x2, CPU#0: swapper/0/0",
                "[    2.0] WARNING: possible circular locking dependency detected",
                "[    2.0] WARNING: CPU: 1 PID: 99 at kernel/irq/manage.c:774 enable_irq+0x4c/0xa0",
                "some text without a line end[    2.0] WARNING: inconsistent lock state",
                "[    2.0] ------------[ cut here ]------------"],
    "call trace": ["[    2.0] Call trace:", "[    2.0] Call Trace:"],
    "oops": ["[    2.0] Unable to handle kernel NULL pointer dereference at virtual address 0000000000000010",
             "[    2.0] Internal error: Oops: 0000000096000004 [#1]  SMP",
             "[    2.0] Oops: general protection fault, probably for non-canonical address"],
    "panic": ["[    2.0] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100"],
    "lockdep": ["[    2.0] INFO: possible recursive locking detected",
                "[    2.0] inconsistent lock state",
                "[    2.0] INFO: trying to register non-static key.",
                "[    2.0] turning off the locking correctness validator."],
    "rcu": ["[   30.0] rcu: INFO: rcu_preempt self-detected stall on CPU",
            "[   30.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
            "[   30.0] rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }",
            "[   30.0] rcu: rcu_preempt kthread starved for 5250 jiffies! g-1 f0x0",
            "[    2.0] suspicious RCU usage"],
    "hung task": ["[   60.0] INFO: task fio:312 blocked for more than 30 seconds."],
    "lockup": ["[   60.0] watchdog: CPU1: Watchdog detected hard LOCKUP on cpu 1"],
    "sanitizer": ["[    2.0] UBSAN: shift-out-of-bounds in drivers/a.c:1:2",
                  "[    2.0] kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)"],
    "interrupt": ["[    2.0] irq 17: nobody cared (try booting with the \"irqpoll\" option)",
                  "[    2.0] Disabling IRQ #17",
                  "[    2.0] Unbalanced enable for IRQ 17"],
    "corruption": ["[    2.0] refcount_t: underflow; use-after-free.",
                   "[    2.0] list_del corruption. prev->next should be ffff0000, but was dead",
                   "[    2.0] EXT4-fs error (device sda): ext4_lookup:1855: inode #2: comm ls"],
    "device model": ["[    2.0] sysfs: cannot create duplicate filename '/devices/platform/10000000.ufs'"],
    "out of memory": ["[    2.0] Out of memory: Killed process 312 (fio) total-vm:1kB"],
}

# From real boots of the kernels under test and a lockdep kernel.
GOOD = """\
[    0.000000] Booting Linux on physical CPU 0x0000000000 [0x414fd0b1]
[    0.000000] Kernel command line: console=ttyAMA0 panic=-1 oops=panic threadirqs
[    0.000000] printk: log buffer data + meta data: 131072 + 458752 = 589824 bytes
[    0.000000] rcu: Preemptible hierarchical RCU implementation.
[    0.000000] rcu: 	RCU restricting CPUs from NR_CPUS=512 to nr_cpu_ids=2.
[    0.000000] rcu: RCU calculated value of scheduler-enlistment delay is 25 jiffies.
[    0.000000] rcu: srcu_init: Setting srcu_struct sizes based on contention.
[    0.000000] 	Trampoline variant of Tasks RCU enabled.
[    0.000000] 	Rude variant of Tasks RCU enabled.
[    0.000000] RCU Tasks: Setting shift to 1 and lim to 1 rcu_task_cb_adjust=1 rcu_task_cpu_ids=2.
[    0.000000] rcu: 	RCU CPU stall warnings timeout set to 21 (rcu_cpu_stall_timeout).
[    0.000000] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar
[    0.000000] ... MAX_LOCKDEP_SUBCLASSES:  8
[    0.000000] ... MAX_LOCKDEP_CHAINS:      65536
[    0.000000]  memory used by lock dependency info: 6429 kB
[    0.000000] kasan: KernelAddressSanitizer initialized (generic)
[    0.010000] kfence: initialized - using 2097152 bytes for 255 objects at 0x(____ptrval____)-0x(____ptrval____)
[    0.100000] hw-breakpoint: found 6 breakpoint and 4 watchpoint registers.
[    0.200000] workqueue: round-robin CPU selection forced, expect performance impact
[    0.200000] workqueue: ata_sff_pio_task hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND
[    0.300000] audit: initializing netlink subsys (disabled)
[    1.000000] integrity: Problem loading X.509 certificate -65
[    1.000000] clk: Disabling unused clocks
[    1.000000] Warning: unable to open an initial console.
[    2.000000] ufs_unisoc: loading out-of-tree module taints kernel.
[    2.000000] ufs_unisoc: module verification failed: signature and/or required key missing - tainting kernel
[    2.000000] ufshcd-pci 0000:00:01.0: ufshcd_populate_vreg: Unable to find vcc-supply regulator, assuming enabled
[    2.000000] ufshcd 10000000.ufs: bad irq_mode 'sometimes': not one of hardirq, threaded, adaptive
[    2.000000] OF: overlay: WARNING memory leak will occur if overlay removed, property: /soc/status
[    2.000000] scsi 0:0:0:49488: Well-known LUN    QEMU     QEMU HARDDISK    2.5+ PQ: 0 ANSI: 6
[    2.000000] sd 0:0:0:0: [sda] Write cache: enabled, read cache: enabled, doesn't support DPO or FUA
[    3.000000] sched: DL replenish lagged too much
[    3.000000] EXT4-fs (sda): mounted filesystem 5f7c with ordered data mode. Quota mode: none.
[    4.000000] hung_task_timeout_secs is now 30
[    5.000000] reboot: Power down
insmod: can't insert 'ufs_unisoc.ko': invalid parameter
""".splitlines()


class ConsoleMatcher(unittest.TestCase):
    def test_every_kind_has_examples(self):
        self.assertEqual(set(BAD), set(PROBLEMS))

    def test_bad_lines_hit(self):
        for kind, lines in BAD.items():
            for line in lines:
                with self.subTest(line=line):
                    self.assertIsNotNone(Matcher().kind(line))

    def test_each_kind_is_needed(self):
        # A kind whose examples all hit another pattern first is dead weight.
        for kind, lines in BAD.items():
            with self.subTest(kind=kind):
                self.assertIn(kind, {Matcher().kind(line) for line in lines})

    def test_good_lines_pass(self):
        for line in GOOD:
            with self.subTest(line=line):
                self.assertIsNone(Matcher().kind(line))

    def test_races_of_others_are_theirs(self):
        line = "[    9.0] BUG: KCSAN: data-race in "
        self.assertIsNone(Matcher().kind(line + "mod_timer / run_timer_softirq"))
        self.assertIsNotNone(Matcher().kind(line + "mod_timer / ufshcd_queuecommand"))
        self.assertIsNotNone(Matcher().kind(line + "_RNvNtCs1_10ufs_unisoc3irq3run+0x1c/0x40"))

    def test_harmless_races_of_the_core_with_itself_are_its_own(self):
        line = "[    9.0] BUG: KCSAN: data-race in ufshcd_queuecommand [ufshcd_core] / ufshcd_"
        self.assertIsNone(Matcher().kind(line + "queuecommand [ufshcd_core]"))
        self.assertIsNotNone(Matcher().kind(line + "queuecommand_more [ufshcd_core]"))
        self.assertIsNotNone(Matcher().kind(line + "poll [ufshcd_core]"))

    def test_first_problem_is_found_in_a_whole_log(self):
        log = GOOD + BAD["warning"] + GOOD + BAD["bug"]
        self.assertEqual(Matcher().first(log), ("warning", BAD["warning"][0]))
        self.assertIsNone(Matcher().first(GOOD))

    def test_allow_and_forbid(self):
        line = "[    2.0] ufshcd_abort: Device abort task at tag 3"
        self.assertIsNone(Matcher().kind(line))
        self.assertEqual(Matcher(forbid=["ufshcd_abort"]).kind(line), "forbidden here")
        provoked = BAD["interrupt"][0]
        self.assertIsNone(Matcher(allow=["irq 17: nobody"]).kind(provoked))
        self.assertIsNotNone(Matcher(allow=["irq 18: nobody"]).kind(provoked))


if __name__ == "__main__":
    unittest.main()
