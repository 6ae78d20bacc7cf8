// SPDX-License-Identifier: GPL-2.0

use crate::histogram::{
    bucket,
    range,
    BUCKETS, //
};

#[test]
fn every_time_is_in_the_range_of_its_bucket() {
    let edges = (0..64).flat_map(|n| {
        let us = 1u64 << n;
        [us.wrapping_mul(1000).wrapping_sub(1), us.wrapping_mul(1000)]
    });
    for ns in edges.chain([0, 1, 999, 1000, 1001, 1999, 2000, u64::MAX]) {
        let (low, high) = range(bucket(ns));
        assert!(ns / 1000 >= low, "{ns} ns is below {low} us");
        assert!(high.is_none_or(|high| ns / 1000 < high), "{ns} ns");
    }
}

#[test]
fn buckets_follow_each_other_without_gap_and_the_last_has_no_end() {
    assert_eq!(range(0).0, 0);
    for n in 1..BUCKETS {
        assert_eq!(range(n - 1).1, Some(range(n).0));
    }
    assert_eq!(range(BUCKETS - 1), (16384, None));
}
