// SPDX-License-Identifier: GPL-2.0

//! The fast path of the adaptive mode: what of the completed transfers is finished in the hard
//! interrupt handler.
//!
//! All in constant time, without division by what may be zero, and right for every input: times may
//! stand still or jump, costs may be anything.
//!
//! Plain `core`, so that the host tests run this very file.

use super::limit::Limits;

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

/// What finishing requests costs on a CPU, learned from what it has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// For a request, in ns.
    per_request: u32,
    /// For a KiB, in 1/16 ns.
    per_kib: u32,
    /// Whether any was measured.
    known: bool,
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
    fn doubt(&mut self, work: Work) {
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
