// SPDX-License-Identifier: GPL-2.0

//! What finishing requests costs, as an estimate that learns.
//!
//! Plain `core`, so that the host tests run this very file.

use super::Work;

/// What finishing requests costs on a CPU, learned from what it has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// For a request, in ns.
    per_request: u32,
    /// For a KiB, in 1/16 ns.
    per_kib: u32,
    /// Whether any was measured.
    pub(super) known: bool,
}

/// Above this many bytes per request the size is what the cost depends on.
const SMALL: u32 = 8 << 10;

/// A measurement below the estimate counts for 1/8.
const WEIGHT: u32 = 3;

impl Cost {
    const MIN_PER_REQUEST: u32 = 100;
    const MAX_PER_REQUEST: u32 = 1_000_000;
    const MAX_PER_KIB: u32 = 16 * 10_000;

    /// A guess for a slow core, good until the first requests have been measured.
    pub(crate) const GUESS: Self = Self {
        per_request: 8_000,
        per_kib: 16 * 50,
        known: false,
    };

    /// Returns what `work` will cost, in ns.
    pub(crate) const fn predict(&self, work: Work) -> u64 {
        // CAST: To a wider type; the products fit.
        work.requests as u64 * self.per_request as u64
            + (work.bytes >> 10) as u64 * self.per_kib as u64 / 16
    }

    /// Learns that `work` has cost `spent` ns.
    ///
    /// Up at once, down by an eighth of the way: when the CPU's clock slows down only the first
    /// section is longer than it should be, and of requests of other sizes maybe two more. What was
    /// disturbed once makes the next few careful: single requests are finished nevertheless, and
    /// correct it.
    pub(crate) fn learn(&mut self, work: Work, spent: u64) {
        if work.requests == 0 {
            return;
        }
        let requests = self.predict(Work { bytes: 0, ..work });
        let data = self.predict(work) - requests;

        if self.shows_requests(work, requests, data, spent) {
            let each = spent.saturating_sub(data) / u64::from(work.requests);
            self.set_per_request(approach(self.per_request, each));
        } else {
            let rest = spent.saturating_sub(requests);
            let each = rest.saturating_mul(16) / u64::from(work.bytes >> 10);
            self.set_per_kib(approach(self.per_kib, each));
        }
        self.known = true;
    }

    /// Returns whether the cost of `work` says what requests cost, and not what their data does.
    /// Only one of the two is learned at a time.
    ///
    /// Small requests show the one, large ones the other. But the first ones of all show what
    /// requests cost, whatever their size: too much is better than too little. And what is far too
    /// high is corrected by either kind, or the part that is right would be lowered instead.
    fn shows_requests(&self, work: Work, requests: u64, data: u64, spent: u64) -> bool {
        if !self.known {
            true
        } else if work.bytes <= work.requests.saturating_mul(SMALL) {
            // Where the other is more, there are KiBs.
            data <= requests || spent >= requests + data
        } else {
            spent < requests
        }
    }

    fn set_per_request(&mut self, value: u32) {
        self.per_request = value.clamp(Self::MIN_PER_REQUEST, Self::MAX_PER_REQUEST);
    }

    fn set_per_kib(&mut self, value: u32) {
        self.per_kib = value.min(Self::MAX_PER_KIB);
    }

    /// Forgets a little of what makes `work` expensive, so that an estimate that forbids the fast
    /// path is put to the test again.
    pub(super) fn doubt(&mut self, work: Work) {
        let requests = self.predict(Work { bytes: 0, ..work });

        if requests >= self.predict(work) - requests {
            self.set_per_request(self.per_request - self.per_request / 64);
        } else {
            self.per_kib -= self.per_kib / 64;
        }
    }

    /// Returns the estimate for a request, in ns.
    pub(crate) const fn ns_per_request(&self) -> u32 {
        self.per_request
    }

    /// Returns the estimate for a KiB, in ns.
    pub(crate) const fn ns_per_kib(&self) -> u32 {
        self.per_kib / 16
    }
}

/// Returns `new` if it is more than `old`, else what is 1/8 of the way there.
fn approach(old: u32, new: u64) -> u32 {
    match u32::try_from(new) {
        Ok(new) if new < old => old - ((old - new) >> WEIGHT),
        Ok(new) => new,
        Err(_) => u32::MAX,
    }
}
