// SPDX-License-Identifier: GPL-2.0

//! What is counted for a host.
//!
//! The primary handler and the thread have counters of their own, on different cache lines, which
//! nobody else writes: counting costs a load and a store. Starting from zero is up to the reader
//! ([`Snapshot`]).

use super::{
    fastpath::cost::Cost,
    histogram::{
        self,
        BUCKETS, //
    }, //
};
use crate::abi::word::{
    Counter,
    Word, //
};

/// Makes an enumeration of counters with their names.
macro_rules! counters {
    (
        $(#[$attr:meta])*
        $vis:vis enum $name:ident { $($(#[$doc:meta])* $item:ident = $text:literal,)+ }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Copy)]
        $vis enum $name {
            $($(#[$doc])* $item,)+
        }

        impl $name {
            /// Every name, in the order of the counters.
            $vis const NAMES: [&'static str; [$($text),+].len()] = [$($text),+];
        }
    };
}

counters! {
    /// What the primary handler counts.
    pub(crate) enum Primary {
        /// Interrupts of the wire.
        Interrupts = "interrupts",
        /// Interrupts that completed transfers in the handler.
        InlineRuns = "inline_runs",
        /// Requests completed there.
        InlineRequests = "inline_requests",
        /// Interrupts left to the thread since there was too much data.
        DeferredBytes = "deferred_bytes",
        /// The same since it would have taken too long.
        DeferredTime = "deferred_time",
        /// The same since hard interrupts have had their share of the CPU's time.
        DeferredShare = "deferred_share",
        /// Interrupts left to the thread since that was at work.
        DeferredBusy = "deferred_busy",
        /// Interrupts left to the thread since the mode says so.
        DeferredMode = "deferred_mode",
        /// Interrupts handed to the core.
        Forwarded = "forwarded",
        /// Of these, those of the link.
        ForwardedUic = "forwarded_uic",
        /// And those with an error.
        ForwardedErrors = "forwarded_errors",
        /// Interrupts without any status.
        Spurious = "spurious",
        /// Time spent in the handler, in ns.
        HardirqNs = "hardirq_ns",
    }
}

counters! {
    /// What the thread counts.
    pub(crate) enum Thread {
        /// How often it was woken.
        Runs = "thread_runs",
        /// How often it looked for completed transfers.
        Looks = "thread_looks",
        /// Requests completed there.
        Requests = "thread_requests",
    }
}

/// Counters that one context writes.
#[repr(align(64))]
struct Group<const N: usize> {
    counters: [Counter; N],
    histogram: [Counter; BUCKETS],
}

impl<const N: usize> Group<N> {
    const fn new() -> Self {
        Self {
            counters: [const { Counter::new() }; N],
            histogram: [const { Counter::new() }; BUCKETS],
        }
    }
}

/// The counters of a host.
pub(crate) struct Stats {
    primary: Group<{ Primary::NAMES.len() }>,
    thread: Group<{ Thread::NAMES.len() }>,
    /// When the thread was woken last, in ns; 0 if it has begun since.
    woken: Counter,
    mode_switches: Word,
    ns_per_request: Word,
    ns_per_kib: Word,
}

impl Stats {
    /// Nothing was counted yet.
    pub(crate) const fn new() -> Self {
        Self {
            primary: Group::new(),
            thread: Group::new(),
            woken: Counter::new(),
            mode_switches: Word::new(0),
            ns_per_request: Word::new(0),
            ns_per_kib: Word::new(0),
        }
    }

    /// Counts what the primary handler has done.
    ///
    /// Context: the primary handler.
    #[inline]
    pub(crate) fn count(&self, what: Primary, n: u32) {
        self.primary.counters[what as usize].add(n.into());
    }

    /// Counts a section of the primary handler, of `ns`.
    ///
    /// Context: the primary handler.
    #[inline]
    pub(crate) fn count_section(&self, ns: u64) {
        self.primary.counters[Primary::HardirqNs as usize].add(ns);
        self.primary.histogram[histogram::bucket(ns)].add(1);
    }

    /// Shows what is known about costs.
    ///
    /// Context: the primary handler.
    #[inline]
    pub(crate) fn show_cost(&self, cost: &Cost) {
        self.ns_per_request.store(cost.ns_per_request());
        self.ns_per_kib.store(cost.ns_per_kib());
    }

    /// Says that the thread is being woken, at `now` in ns.
    ///
    /// Context: the primary handler.
    pub(crate) fn waking(&self, now: u64) {
        self.woken.set(now);
    }

    /// Counts that the thread has begun, at `now` in ns.
    ///
    /// Context: the thread.
    pub(crate) fn count_run(&self, now: u64) {
        let woken = self.woken.get();

        self.thread.counters[Thread::Runs as usize].add(1);
        if woken != 0 {
            self.woken.set(0);
            self.thread.histogram[histogram::bucket(now.saturating_sub(woken))].add(1);
        }
    }

    /// Counts a look for completed transfers, and how many there were.
    ///
    /// Context: the thread.
    pub(crate) fn count_look(&self, requests: u32) {
        self.thread.counters[Thread::Looks as usize].add(1);
        self.thread.counters[Thread::Requests as usize].add(requests.into());
    }

    /// Counts that the mode was switched.
    ///
    /// Context: any.
    pub(crate) fn count_mode_switch(&self) {
        self.mode_switches.update(|n| n.wrapping_add(1));
    }

    /// Returns the cost estimates as names and values, in ns.
    pub(crate) fn costs(&self) -> [(&'static str, u32); 2] {
        [
            ("ns_per_request", self.ns_per_request.load()),
            ("ns_per_kib", self.ns_per_kib.load()),
        ]
    }
}

/// All counters at one moment.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    primary: [u64; Primary::NAMES.len()],
    thread: [u64; Thread::NAMES.len()],
    mode_switches: u32,
    /// How long sections of the primary handler were.
    pub(crate) sections: [u64; BUCKETS],
    /// How long it took until the thread began.
    pub(crate) wakeups: [u64; BUCKETS],
}

impl Snapshot {
    /// Reads all counters. They go on meanwhile.
    pub(crate) fn of(stats: &Stats) -> Self {
        let get = |counters: &[Counter; BUCKETS]| counters.each_ref().map(Counter::get);

        Self {
            primary: stats.primary.counters.each_ref().map(Counter::get),
            thread: stats.thread.counters.each_ref().map(Counter::get),
            mode_switches: stats.mode_switches.load(),
            sections: get(&stats.primary.histogram),
            wakeups: get(&stats.thread.histogram),
        }
    }

    /// Returns what was counted since `start`.
    pub(crate) fn since(mut self, start: &Self) -> Self {
        fn subtract<const N: usize>(from: &mut [u64; N], what: &[u64; N]) {
            for (a, b) in from.iter_mut().zip(what) {
                *a = a.wrapping_sub(*b);
            }
        }
        subtract(&mut self.primary, &start.primary);
        subtract(&mut self.thread, &start.thread);
        subtract(&mut self.sections, &start.sections);
        subtract(&mut self.wakeups, &start.wakeups);
        self.mode_switches = self.mode_switches.wrapping_sub(start.mode_switches);
        self
    }

    /// Returns every counter with its name.
    pub(crate) fn counters(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let pairs = |names: &'static [&'static str], values| names.iter().copied().zip(values);

        pairs(&Primary::NAMES, self.primary.iter().copied())
            .chain(pairs(&Thread::NAMES, self.thread.iter().copied()))
            .chain([("mode_switches", self.mode_switches.into())])
    }
}
