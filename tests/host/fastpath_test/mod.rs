// SPDX-License-Identifier: GPL-2.0

//! Proves what the adaptive mode promises, by millions of random and malicious steps.
//!
//! - No input panics, overflows or divides by zero, whatever the clock does.
//! - Nothing beyond the limits is ever finished in the hard interrupt handler, but a lone request may
//!   take as long as it takes.
//! - In no 10 ms does the handler take more of the CPU than allowed, but for what the last section has
//!   taken longer than predicted or than may be spent at once; and what is allowed can be had.
//! - After a stall, a suspend or a clock that jumps, all is well within a second.
//! - Estimates find the true costs of each CPU, or a little more. When these grow, one section is too
//!   long and not several; when they were disturbed once, lone requests correct them.
//! - Estimates that are far too high do not lock the fast path out, and correcting them never makes a
//!   section longer than the limit by more than a request.
//! - However much of what is outstanding is done when the handler polls: what was predicted for the
//!   section is within the limits.
//!
//! The random numbers are the same in every run.

use crate::{
    fastpath::{
        cost::Cost,
        share::{
            Bucket,
            WINDOW_NS, //
        },
        Choice::{
            self,
            Defer,
            Inline, //
        },
        FastPath,
        Reason,
        Work, //
    },
    limit::{
        Limit,
        Limits, //
    }, //
};

mod choice;
mod cost;
mod outstanding;
mod recovery;
mod sections;
mod share;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const HOUR: u64 = 3600 * SECOND;

/// What a host has at first.
const DEFAULT: Limits = Limits {
    max_bytes: Limit::Bytes.default(),
    max_time_us: Limit::TimeUs.default(),
    max_cpu_percent: Limit::CpuPercent.default(),
};

/// No limit but that of the bucket.
const ONLY_SHARE: Limits = Limits {
    max_bytes: u32::MAX,
    max_time_us: u32::MAX,
    max_cpu_percent: 25,
};

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Less than `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.any() % end
    }

    fn below_u32(&mut self, end: u32) -> u32 {
        self.below(end.into()) as u32
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Any magnitude is as likely as any other, and the ends of the range are often met.
    fn wild(&mut self) -> u64 {
        match self.below(8) {
            0 => self.below(3),
            1 => u64::MAX - self.below(3),
            2 => (1 << self.below(64)) - self.below(2),
            _ => self.any() >> self.below(64),
        }
    }

    fn wild_u32(&mut self) -> u32 {
        let wild = self.wild();
        if self.one_in(2) {
            wild as u32
        } else {
            u32::try_from(wild).unwrap_or(u32::MAX)
        }
    }

    fn wild_work(&mut self) -> Work {
        Work {
            requests: self.wild_u32(),
            bytes: self.wild_u32(),
        }
    }

    /// What a doorbell of 32 can give.
    fn work(&mut self) -> Work {
        let requests = 1 + self.below_u32(32);
        Work {
            requests,
            bytes: requests * 512 * self.below_u32(256),
        }
    }

    fn limits(&mut self) -> Limits {
        Limits {
            max_bytes: self.wild_u32(),
            max_time_us: self.wild_u32(),
            max_cpu_percent: match self.below(3) {
                0 => self.wild_u32(),
                _ => self.below_u32(101),
            },
        }
    }
}

/// What a core really takes.
#[derive(Clone, Copy)]
struct Core {
    per_request: u64,
    per_kib: u64,
}

const LITTLE: Core = Core {
    per_request: 6_000,
    per_kib: 90,
};
const BIG: Core = Core {
    per_request: 1_100,
    per_kib: 12,
};

impl Core {
    fn cost(&self, work: Work) -> u64 {
        u64::from(work.requests) * self.per_request + u64::from(work.bytes >> 10) * self.per_kib
    }
}

const fn reads(requests: u32, kib: u32) -> Work {
    Work {
        requests,
        bytes: requests * (kib << 10),
    }
}

/// What may be spent at once, in ns.
fn at_once(limits: &Limits) -> u64 {
    match limits.max_cpu_percent {
        0..100 => Bucket::capacity(limits.max_cpu_percent),
        _ => u64::MAX,
    }
}

/// How long several requests may take, in ns. A share of 0 forbids all anyway.
fn longest(limits: &Limits) -> u64 {
    let allowed = u64::from(limits.max_time_us) * US;

    match limits.max_cpu_percent {
        0 => allowed,
        _ => allowed.min(at_once(limits)),
    }
}

/// What a choice must never break; `cost` is what the CPU's estimates were.
fn check_choice(choice: Choice, cost: Cost, work: Work, limits: &Limits) {
    let known = cost != Cost::GUESS;
    let in_time = work.requests <= 1 || known && cost.predict(work) <= longest(limits);

    match choice {
        Inline => {
            assert!(work.bytes <= limits.max_bytes, "{work:?} {limits:?}");
            assert!(in_time, "{work:?} {cost:?} {limits:?}");
            assert!(limits.max_cpu_percent != 0);
        }
        // Time and share would have allowed it.
        Defer(Reason::Bytes) => {
            assert!(work.bytes > limits.max_bytes && in_time);
            assert!(limits.max_cpu_percent != 0);
        }
        Defer(Reason::Time) => assert!(!in_time, "{work:?} {cost:?} {limits:?}"),
        Defer(Reason::Share) => assert!(in_time && limits.max_cpu_percent < 100),
    }
}

/// Has a CPU finish requests as they come, all of them inline.
fn teach(fast: &mut FastPath, rng: &mut Rng, cpu: u32, core: Core, rounds: u32) {
    for _ in 0..rounds {
        let work = match rng.below(4) {
            0 => reads(1 + rng.below_u32(8), 4),
            1 => reads(1, 32 << rng.below(5)),
            _ => reads(1, 4),
        };
        // Give or take 10 %.
        let spent = core.cost(work) * (900 + rng.below(201)) / 1000;
        fast.end(cpu, work, spent);
    }
}

/// An interrupt, at a time when the bucket is full.
fn interrupt(
    fast: &mut FastPath,
    now: &mut u64,
    limits: &Limits,
    work: Work,
    core: Core,
) -> Choice {
    *now += 10 * WINDOW_NS;
    fast.begin(*now, limits);
    let choice = fast.weigh(0, work, limits);
    match choice {
        Inline => fast.end(0, work, core.cost(work)),
        Defer(_) => fast.end(0, Work::default(), US),
    }
    choice
}
