# SPDX-License-Identifier: GPL-2.0
"""The arithmetic of the bench: medians of rounds, and ratios that may be refused."""

import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Figure:
    """One number from several rounds."""

    rounds: tuple

    @property
    def median(self):
        return statistics.median(self.rounds)

    @property
    def spread(self):
        """From the least to the greatest round, as a part of the median."""
        if not self.median:
            return 0 if max(self.rounds) == min(self.rounds) else float("inf")
        return (max(self.rounds) - min(self.rounds)) / abs(self.median)


def figure(rounds):
    if not rounds:
        raise ValueError("no rounds")
    return Figure(tuple(rounds))


@dataclasses.dataclass(frozen=True)
class Ratio:
    """How one figure compares to another one, taken in the same rounds."""

    value: float
    spread: float    # of both

    @property
    def told_apart(self):
        """Whether the difference is greater than the spread."""
        return abs(self.value - 1) > self.spread

    def __str__(self):
        if self.told_apart:
            return f"{self.value:.3f}"
        return f"none (within the spread of {100 * self.spread:.1f} %)"

    def meets(self, limit):
        """Whether the ratio is at most the limit, with the benefit of the spread to neither:
        "yes", "no", or "within the spread"."""
        if self.value <= limit:
            return "yes"
        return "within the spread" if self.value - self.spread <= limit else "no"


def ratio(figure_a, figure_b):
    """Refuses where there is nothing to divide by."""
    if not figure_b.median:
        raise ValueError("the other figure is 0")
    return Ratio(figure_a.median / figure_b.median, max(figure_a.spread, figure_b.spread))


def with_accesses(p50_us, reads, cost_us):
    """A latency where a register read takes that long, instead of an instruction."""
    return p50_us + reads * cost_us


def percentile(counts, percent):
    """Of {value: number}: the value that so many percent do not exceed."""
    target, so_far = sum(counts.values()) * percent / 100, 0
    for value, number in sorted(counts.items()):
        so_far += number
        if so_far >= target:
            return value
    raise ValueError("nothing was counted")


def iops(p50_us):
    """Derived: what one job at a time would get if nothing but the CPU took time."""
    return 1e6 / p50_us
