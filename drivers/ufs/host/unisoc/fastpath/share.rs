// SPDX-License-Identifier: GPL-2.0

//! The handler's share of the CPU's time: a token bucket.
//!
//! Plain `core`, so that the host tests run this very file.

/// The time over which the share of the CPU's time is kept, in ns.
pub(crate) const WINDOW_NS: u64 = 10_000_000;

/// The part of the share that may be spent at once; the rest comes evenly over [`WINDOW_NS`]. So in
/// any window the sum of both is spent at most, and what the last section in it has taken longer
/// than predicted, or than may be spent at once.
const BURST_PART: u64 = 3;

/// So many that a percent of the share of 1 ns is a whole number of them: none is lost however
/// often they are added.
const TOKENS_PER_NS: u64 = 100 * BURST_PART;

/// The time that the handler may spend, as tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    /// Below zero after a section that was longer than predicted.
    tokens: i64,
    /// Up to when tokens were added.
    last: u64,
}

impl Bucket {
    /// An empty bucket.
    pub(crate) const fn new() -> Self {
        Self { tokens: 0, last: 0 }
    }

    /// Returns what may be spent at most at once under a limit, in ns.
    pub(crate) const fn capacity(percent: u32) -> u64 {
        WINDOW_NS * clamp_percent(percent) / TOKENS_PER_NS
    }

    /// Adds what has become free until `now`, in ns of a clock that may jump.
    ///
    /// Debts are at most what [`WINDOW_NS`] brings. So after a stall, however long, there are
    /// tokens again when that has passed, and the bucket is full after half of it more.
    pub(crate) fn refill(&mut self, now: u64, percent: u32) {
        let rate = clamp_percent(percent) * (BURST_PART - 1);
        // CAST: Both are at most 200 * WINDOW_NS.
        let (full, debt) = (
            (WINDOW_NS * clamp_percent(percent)) as i64,
            (WINDOW_NS * rate) as i64,
        );
        // A clock that went back gives nothing; one that went far ahead fills the bucket.
        let passed = now.saturating_sub(self.last);
        let passed = if passed < 2 * WINDOW_NS {
            passed
        } else {
            2 * WINDOW_NS
        };

        // CAST: At most 400 * WINDOW_NS.
        self.tokens = (self.tokens.max(-debt) + (passed * rate) as i64).min(full);
        // The clock of another CPU may be a little behind: what it makes good then has been given.
        if now > self.last || self.last - now > WINDOW_NS {
            self.last = now;
        }
    }

    /// Takes what a section has really cost, in ns.
    pub(crate) fn charge(&mut self, spent: u64) {
        // CAST: At most WINDOW_NS, which makes the greatest debt of a full bucket.
        let tokens = (spent.min(WINDOW_NS) * TOKENS_PER_NS) as i64;

        self.tokens = self.tokens.saturating_sub(tokens);
    }

    /// Returns whether `cost`, in ns, is there to be spent.
    pub(crate) fn has(&self, cost: u64) -> bool {
        // CAST: Not negative where it is cast.
        self.tokens > 0 && self.tokens as u64 >= cost.saturating_mul(TOKENS_PER_NS)
    }
}

const fn clamp_percent(percent: u32) -> u64 {
    // CAST: To a wider type.
    if percent < 100 {
        percent as u64
    } else {
        100
    }
}
