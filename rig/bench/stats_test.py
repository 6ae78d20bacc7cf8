# SPDX-License-Identifier: GPL-2.0
"""The bench's statistics."""

import unittest

from bench.stats import figure, iops, percentile, ratio, with_accesses


class Figures(unittest.TestCase):
    def test_median_and_spread(self):
        one = figure([10, 12, 11])
        self.assertEqual(one.median, 11)
        self.assertAlmostEqual(one.spread, 2 / 11)
        self.assertEqual(figure([5]).spread, 0)

    def test_an_outlier_moves_the_spread_and_not_the_median(self):
        self.assertEqual(figure([10, 10, 10, 10, 30]).median, 10)
        self.assertEqual(figure([10, 10, 10, 10, 30]).spread, 2)

    def test_zeroes(self):
        self.assertEqual(figure([0, 0]).spread, 0)
        self.assertEqual(figure([0, 0, 1]).spread, float("inf"))

    def test_nothing_is_no_figure(self):
        with self.assertRaises(ValueError):
            figure([])


class Ratios(unittest.TestCase):
    def test_a_difference_beyond_the_spread(self):
        one = ratio(figure([20, 20.2]), figure([10, 10]))
        self.assertTrue(one.told_apart)
        self.assertEqual(str(one), "2.010")

    def test_is_refused_within_the_spread(self):
        one = ratio(figure([10, 12]), figure([10, 10.1]))
        self.assertFalse(one.told_apart)
        self.assertIn("within the spread", str(one))

    def test_the_greater_spread_counts(self):
        for a, b in ([10, 12], [10, 10]), ([10, 10], [10, 12]):
            self.assertAlmostEqual(ratio(figure(a), figure(b)).spread, 2 / 11)

    def test_nothing_to_divide_by(self):
        with self.assertRaises(ValueError):
            ratio(figure([1]), figure([0]))

    def test_goals(self):
        exact, loose = ratio(figure([100]), figure([100])), ratio(figure([102, 104]), figure([100]))
        self.assertEqual(exact.meets(1.0), "yes")
        self.assertEqual(loose.meets(1.02), "within the spread")
        self.assertEqual(loose.meets(1.0), "no")


class Derived(unittest.TestCase):
    def test_percentiles(self):
        counts = {4: 1, 1: 98, 3: 1}
        self.assertEqual([percentile(counts, p) for p in (50, 98, 99, 100)], [1, 1, 3, 4])
        with self.assertRaises(ValueError):
            percentile({}, 50)

    def test_the_price_of_accesses(self):
        self.assertEqual(with_accesses(50, 4, 0.5), 52)

    def test_iops(self):
        self.assertEqual(iops(50), 20000)


if __name__ == "__main__":
    unittest.main()
