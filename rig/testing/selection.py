# SPDX-License-Identifier: GPL-2.0
"""Which tests make sense on which kernel, and which of them there is time for."""

# What the debug kernel checks takes its time.
DEBUG_SLOWER = 4


def is_debug(abi):
    return abi.endswith("-debug")


def is_slow(abi):
    return is_debug(abi) or abi.endswith("-kcsan")


def makes_sense(machine, abi, cores):
    """Whether a test that asks for this machine can say something on a kernel.

    `cores` are the UFS cores that were built for it.
    """
    if machine.core and machine.core not in cores:
        return False
    if machine.kcsan:
        return abi.endswith("-kcsan")
    # What these allow in time is counted in instructions, and checks are made of these.
    if machine.icount and is_slow(abi):
        return False
    if machine.debug:
        return is_debug(abi)
    if "-rt-" in abi:
        return machine.rt
    return True


def wanted(machine, abi, short=False, long=False, brief=False):
    """Whether a test is one of those that were asked for."""
    if short and not (machine.short_debug if is_debug(abi) else machine.short):
        return False
    if brief and machine.slow:
        return False
    return not long or machine.long_timeout > 0


def seconds_for(machine, abi, long=False):
    """How long a boot of this machine may take on a kernel."""
    seconds = machine.long_timeout if long else machine.timeout
    # One that is meant to fail may be meant to fail at just that time.
    slower = DEBUG_SLOWER if is_slow(abi) and not machine.expect else 1
    return seconds * slower
