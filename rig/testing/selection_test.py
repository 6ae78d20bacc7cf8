# SPDX-License-Identifier: GPL-2.0
"""Which tests run on which kernel."""

import unittest

from machine.vm import Machine
from testing.selection import DEBUG_SLOWER, makes_sense, seconds_for, wanted

PLAIN, RT, DEBUG = "7.3.4+deb13-arm64", "7.3.4+deb13-rt-arm64", "7.3.4-debug"
KCSAN = "7.3.4-kcsan"


class Sense(unittest.TestCase):
    def on(self, machine, cores=()):
        return [abi for abi in (PLAIN, RT, DEBUG, KCSAN) if makes_sense(machine, abi, cores)]

    def test_most_run_on_all_but_rt(self):
        self.assertEqual(self.on(Machine()), [PLAIN, DEBUG, KCSAN])

    def test_some_on_rt_too(self):
        self.assertEqual(self.on(Machine(rt=True)), [PLAIN, RT, DEBUG, KCSAN])

    def test_those_of_the_debug_kernel_only_there(self):
        self.assertEqual(self.on(Machine(debug=True)), [DEBUG])
        self.assertEqual(self.on(Machine(debug=True, rt=True)), [DEBUG])

    def test_that_of_the_race_detector_only_there(self):
        self.assertEqual(self.on(Machine(kcsan=True)), [KCSAN])

    def test_those_on_the_guests_own_clock_not_where_checks_take_its_time(self):
        self.assertEqual(self.on(Machine(icount=True)), [PLAIN])

    def test_another_core_must_have_been_built(self):
        self.assertEqual(self.on(Machine(core="threaded")), [])
        self.assertEqual(self.on(Machine(core="threaded"), ["threaded"]), [PLAIN, DEBUG, KCSAN])


class Wanted(unittest.TestCase):
    def test_all_if_nothing_is_said(self):
        self.assertTrue(wanted(Machine(), PLAIN))
        self.assertTrue(wanted(Machine(), DEBUG))

    def test_short_ones(self):
        self.assertFalse(wanted(Machine(), PLAIN, short=True))
        self.assertTrue(wanted(Machine(short=True), PLAIN, short=True))
        self.assertTrue(wanted(Machine(short=True), RT, short=True))

    def test_others_are_short_on_the_debug_kernel(self):
        self.assertFalse(wanted(Machine(short=True), DEBUG, short=True))
        self.assertTrue(wanted(Machine(short_debug=True), DEBUG, short=True))
        self.assertFalse(wanted(Machine(short_debug=True), PLAIN, short=True))

    def test_slow_ones_are_left_out_of_a_brief_run(self):
        self.assertTrue(wanted(Machine(slow=True), PLAIN))
        self.assertFalse(wanted(Machine(slow=True), PLAIN, brief=True))
        self.assertFalse(wanted(Machine(slow=True, short=True), RT, short=True, brief=True))
        self.assertTrue(wanted(Machine(), PLAIN, brief=True))

    def test_those_with_a_long_form(self):
        self.assertFalse(wanted(Machine(short=True), PLAIN, long=True))
        self.assertTrue(wanted(Machine(long_timeout=5), DEBUG, long=True))


class Time(unittest.TestCase):
    def test_debug_kernels_get_more(self):
        machine = Machine(timeout=100, long_timeout=1000)
        self.assertEqual(seconds_for(machine, PLAIN), 100)
        self.assertEqual(seconds_for(machine, RT, long=True), 1000)
        for abi in (DEBUG, KCSAN):
            self.assertEqual(seconds_for(machine, abi), 100 * DEBUG_SLOWER)

    def test_one_that_is_meant_to_be_cut_off_does_not(self):
        machine = Machine(timeout=15, expect="^still running after 15 s")
        self.assertEqual(seconds_for(machine, DEBUG), 15)


if __name__ == "__main__":
    unittest.main()
