// SPDX-License-Identifier: GPL-2.0

//! The files `hardirq_us` and `wakeup_us`: a bucket a line, `low high count`, `inf` for no upper
//! end.

use std::fmt;

/// A bucket: how many took from `low` to less than `high` us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// The shortest that counts here, in us.
    pub(crate) low: u64,
    /// The shortest that is too long, in us; `None` if nothing is.
    pub(crate) high: Option<u64>,
    /// How many there were.
    pub(crate) count: u64,
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (0, Some(high)) => write!(f, "less than {high} us"),
            (low, Some(high)) => write!(f, "{low}-{high} us"),
            (low, None) => write!(f, "{low} us or more"),
        }
    }
}

/// A histogram, at a moment or over a time; the shortest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Histogram {
    /// The buckets, each with another `low`.
    pub(crate) buckets: Vec<Bucket>,
    /// Lines that are not a bucket.
    pub(crate) senseless_lines: usize,
}

impl Histogram {
    /// Takes the file apart.
    pub(crate) fn parse(text: &str) -> Self {
        let mut histogram = Self::default();

        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            match parse_bucket(line) {
                Some(bucket) => histogram.buckets.push(bucket),
                None => histogram.senseless_lines += 1,
            }
        }
        histogram.buckets.sort_by_key(|b| b.low);
        let lines = histogram.buckets.len();
        histogram.buckets.dedup_by_key(|b| b.low);
        histogram.senseless_lines += lines - histogram.buckets.len();
        histogram
    }

    /// Returns how many there were in all.
    pub(crate) fn total(&self) -> u64 {
        sum(self.buckets.iter())
    }

    /// Returns how many took that long or longer: the buckets that begin there or later.
    pub(crate) fn at_least(&self, us: u64) -> u64 {
        sum(self.buckets.iter().filter(|b| b.low >= us))
    }

    /// Returns the bucket with the one that `percent` of all are not longer than; `None` if there
    /// were none.
    pub(crate) fn quantile(&self, percent: u64) -> Option<&Bucket> {
        let total = u128::from(self.total());
        // Rounded up, and the first at least.
        let rank = (total * u128::from(percent)).div_ceil(100).max(1);
        let mut passed = 0u128;

        self.buckets.iter().find(|b| {
            passed += u128::from(b.count);
            b.count > 0 && passed >= rank
        })
    }

    /// Returns the bucket with the longest.
    pub(crate) fn longest(&self) -> Option<&Bucket> {
        self.buckets.iter().rev().find(|b| b.count > 0)
    }

    /// Returns whether a count is smaller than it was: they began at zero again since.
    pub(crate) fn restarted_since(&self, earlier: &Self) -> bool {
        self.buckets.iter().any(|b| b.count < earlier.count_of(b))
    }

    /// Returns what was counted since `earlier`; all of it where the counts began at zero again.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let mut histogram = self.clone();

        if !self.restarted_since(earlier) {
            for bucket in &mut histogram.buckets {
                bucket.count = bucket.count.saturating_sub(earlier.count_of(bucket));
            }
        }
        histogram
    }

    /// Returns the count of the same bucket here.
    fn count_of(&self, bucket: &Bucket) -> u64 {
        self.buckets
            .iter()
            .find(|b| b.low == bucket.low && b.high == bucket.high)
            .map_or(0, |b| b.count)
    }
}

/// Returns how many there were in some buckets.
fn sum<'a>(buckets: impl Iterator<Item = &'a Bucket>) -> u64 {
    buckets.fold(0, |n, b| n.saturating_add(b.count))
}

/// Returns the bucket of a line; `None` if it is none.
fn parse_bucket(line: &str) -> Option<Bucket> {
    let mut words = line.split_whitespace();
    let low = words.next()?.parse().ok()?;
    let high = match words.next()? {
        "inf" => None,
        number => Some(number.parse().ok().filter(|&high: &u64| high > low)?),
    };
    let count = words.next()?.parse().ok()?;
    words
        .next()
        .is_none()
        .then_some(Bucket { low, high, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0 1 5\n1 2 80\n2 4 10\n4 8 0\n8 inf 5\n";

    #[test]
    fn buckets_are_counted() {
        let h = Histogram::parse(TEXT);
        assert_eq!((h.total(), h.senseless_lines), (100, 0));
        assert_eq!((h.at_least(2), h.at_least(3), h.at_least(8)), (15, 5, 5));
        assert_eq!(h.at_least(9), 0);
        assert_eq!(h.quantile(50).unwrap().to_string(), "1-2 us");
        assert_eq!(h.quantile(0).unwrap().to_string(), "less than 1 us");
        assert_eq!(h.quantile(95).unwrap().to_string(), "2-4 us");
        assert_eq!(h.quantile(96).unwrap().to_string(), "8 us or more");
        assert_eq!(h.longest().unwrap().low, 8);
    }

    #[test]
    fn nothing_has_no_median() {
        for text in ["", "0 1 0\n", "garbage"] {
            let h = Histogram::parse(text);
            assert_eq!((h.quantile(50), h.longest(), h.total()), (None, None, 0));
        }
    }

    #[test]
    fn lines_that_are_no_bucket_are_left_out() {
        for line in [
            "1",
            "1 2",
            "1 2 -3",
            "2 1 3",
            "1 1 3",
            "inf inf 1",
            "1 2 3 4",
        ] {
            let h = Histogram::parse(&format!("{line}\n64 inf 1\n"));
            assert_eq!((h.total(), h.senseless_lines), (1, 1), "{line}");
        }
        // Out of order, and one of them twice.
        let h = Histogram::parse("4 8 1\n1 2 3\n4 8 9\n");
        assert_eq!((h.total(), h.senseless_lines), (4, 1));
        assert_eq!(h.longest().unwrap().low, 4);
    }

    #[test]
    fn the_largest_numbers_do_no_harm() {
        let h = Histogram::parse(&format!("0 1 {0}\n1 inf {0}\n", u64::MAX));
        assert_eq!((h.total(), h.at_least(1)), (u64::MAX, u64::MAX));
        assert!(h.quantile(100).is_some());
        assert_eq!(h.since(&h).total(), 0);
    }

    #[test]
    fn the_difference_is_what_happened_since() {
        let earlier = Histogram::parse("0 1 5\n1 2 70\n");
        let since = Histogram::parse(TEXT).since(&earlier);
        assert_eq!((since.total(), since.at_least(2)), (25, 15));
        let restarted = Histogram::parse("0 1 1\n1 2 90\n");
        assert!(restarted.restarted_since(&earlier));
        assert_eq!(restarted.since(&earlier), restarted);
    }
}
