// SPDX-License-Identifier: GPL-2.0

//! Histograms of short times, with a bucket for each power of two.
//!
//! Plain `core`, so that the host tests run this very file.

/// How many buckets there are: the last one has everything from 16 ms on.
pub(crate) const BUCKETS: usize = 16;

/// Returns the bucket of a time in ns: 0 is less than 1 us, 1 less than 2 us, 2 less than 4 us...
#[inline]
pub(crate) const fn bucket(ns: u64) -> usize {
    let us = ns / 1000;
    // CAST: At most 64.
    let bits = (u64::BITS - us.leading_zeros()) as usize;

    if bits < BUCKETS {
        bits
    } else {
        BUCKETS - 1
    }
}

/// Returns the first time of a bucket, in us, and the first that is too long; `None` if none is.
pub(crate) const fn range(bucket: usize) -> (u64, Option<u64>) {
    let low = match bucket {
        0 => 0,
        n => 1 << (n - 1),
    };

    if bucket < BUCKETS - 1 {
        (low, Some(1 << bucket))
    } else {
        (low, None)
    }
}
