// SPDX-License-Identifier: GPL-2.0

//! What a host did between two moments.

use std::time::Instant;

use crate::{
    counters::{
        Counter,
        Counters, //
    },
    format,
    histogram::Histogram,
    host::{
        Host,
        Limit,
        NoCounters,
        SECTIONS,
        WAKEUPS, //
    },
    mode::Modes,
    roots::Roots, //
};

/// All that a host's files said at a moment.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The moment.
    at: Instant,
    /// What `irq_mode` said.
    modes: Modes,
    /// The limits.
    limits: Vec<Limit>,
    /// The counters.
    counters: Counters,
    /// The length of hard interrupt sections.
    sections: Option<Histogram>,
    /// The time from the hard interrupt to the start of the thread.
    wakeups: Option<Histogram>,
}

impl Snapshot {
    /// Reads a host's files.
    pub(crate) fn take(host: &Host, roots: &Roots) -> Result<Self, NoCounters> {
        let counters = host.counters(roots)?;
        Ok(Self {
            at: Instant::now(),
            counters,
            sections: host.histogram(SECTIONS),
            wakeups: host.histogram(WAKEUPS),
            modes: host.modes().map_err(|_| NoCounters::Gone)?,
            limits: host.limits(),
        })
    }
}

/// What a host did between two moments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The time between them.
    pub(crate) seconds: f64,
    /// The mode at the end.
    pub(crate) modes: Modes,
    /// The mode was another one at times.
    pub(crate) mode_changed: bool,
    /// The counters began at zero again: what was counted is less than what happened.
    pub(crate) restarted: bool,
    /// The limits at the end.
    pub(crate) limits: Vec<Limit>,
    /// What was counted.
    pub(crate) counters: Counters,
    /// The length of hard interrupt sections, if the driver tells.
    pub(crate) sections: Option<Histogram>,
    /// The time from the hard interrupt to the start of the thread, if the driver tells.
    pub(crate) wakeups: Option<Histogram>,
}

impl Seen {
    /// Returns what happened from `earlier` to `later`.
    pub(crate) fn between(earlier: &Snapshot, later: &Snapshot) -> Self {
        let counters = later.counters.since(&earlier.counters);
        Self {
            seconds: later.at.duration_since(earlier.at).as_secs_f64(),
            modes: later.modes.clone(),
            mode_changed: later.modes.chosen != earlier.modes.chosen
                || counters.count(Counter::ModeSwitches) > 0,
            restarted: later.counters.restarted_since(&earlier.counters),
            limits: later.limits.clone(),
            sections: since(&later.sections, &earlier.sections),
            wakeups: since(&later.wakeups, &earlier.wakeups),
            counters,
        }
    }

    /// Returns how many requests completed in all; `None` if the driver does not tell.
    pub(crate) fn requests(&self) -> Option<u64> {
        self.counters
            .sum(&[Counter::InlineRequests, Counter::ThreadRequests])
    }

    /// Returns how many times requests were completed: one interrupt, or one run of the thread.
    pub(crate) fn runs(&self) -> Option<u64> {
        self.counters
            .sum(&[Counter::InlineRuns, Counter::ThreadRuns])
    }

    /// Returns how many requests completed at a time, on average.
    pub(crate) fn requests_per_run(&self) -> Option<f64> {
        format::ratio(self.requests()?, self.runs()?)
    }

    /// Returns the part of the requests that completed in the hard handler.
    pub(crate) fn inline_part(&self) -> Option<f64> {
        format::ratio(
            self.counters.get(Counter::InlineRequests)?,
            self.requests()?,
        )
    }

    /// Returns the part of one CPU's time that went into the hard handler.
    pub(crate) fn hardirq_share(&self) -> Option<f64> {
        format::rate(self.counters.get(Counter::HardirqNs)?, self.seconds * 1e9)
    }

    /// Returns the value of a limit.
    pub(crate) fn limit(&self, name: &str) -> Option<u64> {
        self.limits.iter().find(|l| l.name == name)?.value
    }
}

/// Returns what a histogram counted from `earlier` to `later`.
fn since(later: &Option<Histogram>, earlier: &Option<Histogram>) -> Option<Histogram> {
    let earlier = earlier.clone().unwrap_or_default();
    later.as_ref().map(|h| h.since(&earlier))
}
