// SPDX-License-Identifier: GPL-2.0

//! The fast path of the adaptive mode: what of the completed transfers is finished in the hard
//! interrupt handler.
//!
//! This file decides, by what it will cost (`cost.rs`) and what was spent lately (`share.rs`).
//!
//! All in constant time, without division by what may be zero, and right for every input: times may
//! stand still or jump, costs may be anything.
//!
//! Plain `core`, so that the host tests run this very file.

pub(crate) mod cost;
pub(crate) mod share;

use super::limit::Limits;
use cost::Cost;
use share::Bucket;

/// Transfers that have completed or may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Number of requests.
    pub(crate) requests: u32,
    /// Their data, in bytes.
    pub(crate) bytes: u32,
}

/// What to do with completed transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Finish them here.
    Inline,
    /// Leave them to the thread.
    Defer(Reason),
}

/// Why transfers are left to the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// More data than allowed.
    Bytes,
    /// It would take too long.
    Time,
    /// Hard interrupts have had their share of the CPU's time.
    Share,
}

/// For how many CPUs costs are kept apart. A phone has 8; further ones share.
const CPUS: usize = 8;

/// What the primary handler of a host knows.
#[derive(Debug)]
pub(crate) struct FastPath {
    bucket: Bucket,
    costs: [Cost; CPUS],
}

impl FastPath {
    /// Nothing has been measured yet.
    pub(crate) const fn new() -> Self {
        Self {
            bucket: Bucket::new(),
            costs: [Cost::GUESS; CPUS],
        }
    }

    /// Begins a hard interrupt section: at `now`, in ns.
    #[inline]
    pub(crate) fn begin(&mut self, now: u64, limits: &Limits) {
        self.bucket.refill(now, limits.max_cpu_percent);
    }

    /// Says what would be decided about `work` on this CPU. Too many bytes are named last: whatever
    /// part of such work has fewer is allowed.
    ///
    /// A lone request is never too long: a section may take one request's completion in any case.
    /// It is also how costs are learned: as long as none is known, several are not finished.
    #[inline]
    pub(crate) fn judge(&self, cpu: u32, work: Work, limits: &Limits) -> Choice {
        let (cost, capacity) = (self.cost(cpu), capacity(limits));
        let ns = cost.predict(work);

        if work.requests > 1 && (ns > longest(limits) || !cost.known) {
            Choice::Defer(Reason::Time)
        } else if limits.max_cpu_percent < 100 && !self.bucket.has(ns.min(capacity)) {
            Choice::Defer(Reason::Share)
        } else if work.bytes > limits.max_bytes {
            Choice::Defer(Reason::Bytes)
        } else {
            Choice::Inline
        }
    }

    /// Decides about `work` on this CPU.
    ///
    /// Where it says no to several because one of that size would take too long already, it also
    /// begins to doubt: down to where one would not. So few single requests correct what is far too
    /// high, and large ones that are not finished here do not go on forbidding small ones. Doubt
    /// alone never lets several of that size through: it might be wrong.
    #[inline]
    pub(crate) fn weigh(&mut self, cpu: u32, work: Work, limits: &Limits) -> Choice {
        let choice = self.judge(cpu, work, limits);

        if choice == Choice::Defer(Reason::Time) && work.bytes <= limits.max_bytes {
            self.doubt(cpu, work, longest(limits));
        }
        choice
    }

    /// Decides by the requests that may complete, a bit for each tag.
    ///
    /// What follows completes whatever is done by then. So time and share are judged by all that is
    /// outstanding, which needs no further register: then a section is not longer than predicted,
    /// however much of it is done. Only if there are more bytes than may be, the doorbell (a bit
    /// for each request that is not done) says of which requests: a small one is not held up by
    /// large ones that are on their way.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        cpu: u32,
        outstanding: u32,
        doorbell: impl FnOnce() -> u32,
        bytes_of: impl Fn(u32) -> u32,
        limits: &Limits,
    ) -> Choice {
        let all = sum(outstanding, &bytes_of);

        if all.requests > 1 && self.judge(cpu, all, limits) == Choice::Defer(Reason::Bytes) {
            let done = sum(outstanding & !doorbell(), &bytes_of);
            return self.weigh(cpu, done, limits);
        }
        self.weigh(cpu, all, limits)
    }

    #[cold]
    fn doubt(&mut self, cpu: u32, work: Work, longest: u64) {
        let cost = &mut self.costs[index(cpu)];
        let one = Work {
            requests: 1,
            bytes: work.bytes / work.requests.max(1),
        };

        // With a limit of 0 there is nothing to be found out, and nobody believes a guess.
        if cost.known && cost.predict(one) > longest && longest != 0 {
            cost.doubt(one);
        }
    }

    /// Ends a section of `spent` ns in which `work` was finished, which is none if it was left to
    /// the thread.
    #[inline]
    pub(crate) fn end(&mut self, cpu: u32, work: Work, spent: u64) {
        self.bucket.charge(spent);
        self.costs[index(cpu)].learn(work, spent);
    }

    /// Returns what is known about a CPU.
    pub(crate) fn cost(&self, cpu: u32) -> &Cost {
        &self.costs[index(cpu)]
    }
}

impl Default for FastPath {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the most that the bucket can ever hold, in ns.
fn capacity(limits: &Limits) -> u64 {
    match limits.max_cpu_percent {
        0..100 => Bucket::capacity(limits.max_cpu_percent),
        _ => u64::MAX,
    }
}

/// Returns how long a section of several requests may be at most, in ns: what the bucket can never
/// hold would wait for it in vain.
fn longest(limits: &Limits) -> u64 {
    let allowed = u64::from(limits.max_time_us) * 1000;

    match limits.max_cpu_percent {
        0 => allowed,
        _ => allowed.min(capacity(limits)),
    }
}

const fn index(cpu: u32) -> usize {
    // CAST: To a type that is as wide.
    cpu as usize % CPUS
}

/// Returns the sum of `work` over the requests whose bits are set. `bytes_of` says how many bytes
/// one has.
#[inline]
pub(crate) fn sum(requests: u32, bytes_of: impl Fn(u32) -> u32) -> Work {
    let (mut left, mut bytes) = (requests, 0u32);

    while left != 0 {
        bytes = bytes.saturating_add(bytes_of(left.trailing_zeros()));
        left &= left - 1;
    }
    Work {
        requests: count(requests),
        bytes,
    }
}

/// Returns how many bits are set. Quick where it is one: CPUs count bits in registers that the
/// kernel does not use.
#[inline]
pub(crate) const fn count(requests: u32) -> u32 {
    if requests.is_power_of_two() {
        1
    } else {
        requests.count_ones()
    }
}
