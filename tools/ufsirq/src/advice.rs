// SPDX-License-Identifier: GPL-2.0

//! Which mode, or which limit, suits what was seen. No I/O here.

use crate::{
    counters::Counter,
    format,
    histogram::Histogram,
    observe::Seen, //
};

/// Hard interrupt sections of this length or more are long: a display or an audio interrupt that
/// comes meanwhile is late by as much. A bound of the driver's histogram.
pub(crate) const LONG_US: u64 = 64;

/// So many of them a second are too many.
const LONG_A_SECOND: f64 = 1.0;

/// One of this length is too many.
const VERY_LONG_US: u64 = 1024;

/// More of one CPU's time than this should not go into a hard interrupt handler.
const LARGE_SHARE: f64 = 0.20;

/// Up to so many requests at a time, on average, most of them complete alone.
const SINGLE: f64 = 1.5;

/// Fewer requests than this say nothing about what the I/O is like.
const FEW_REQUESTS: u64 = 100;

/// If a larger part of the interrupts than this is left to the thread because of limits, these are
/// worth a look.
const TIGHT: f64 = 0.20;

/// No limit is recommended that lets a section take longer than this, in us: half of [`LONG_US`].
const MOST_TIME_US: u64 = 32;

/// The driver's default of `max_cpu_percent`; no more than this is recommended.
const MOST_CPU_PERCENT: u64 = 25;

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing can be said.
    Unknown,
    /// Everything is as it should be.
    Stay,
    /// Change the mode.
    Mode(&'static str),
    /// Change a limit of the adaptive mode.
    Limit {
        /// Its name.
        name: &'static str,
        /// What to set it to.
        value: u64,
    },
}

/// What to do, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    /// What to do.
    pub(crate) action: Action,
    /// Why, a sentence each.
    pub(crate) reasons: Vec<String>,
}

impl Advice {
    /// Returns what to do, for one reason.
    fn new(action: Action, reason: impl Into<String>) -> Self {
        Self {
            action,
            reasons: vec![reason.into()],
        }
    }

    /// Returns why nothing can be said.
    fn unknown(reason: impl Into<String>) -> Self {
        Self::new(Action::Unknown, reason)
    }

    /// Returns why nothing should be changed.
    fn stay(reason: impl Into<String>) -> Self {
        Self::new(Action::Stay, reason)
    }

    /// Returns why the mode should be changed.
    fn mode(mode: &'static str, reason: impl Into<String>) -> Self {
        Self::new(Action::Mode(mode), reason)
    }

    /// Returns why a limit should be changed.
    fn limit(name: &'static str, value: u64, reason: impl Into<String>) -> Self {
        Self::new(Action::Limit { name, value }, reason)
    }

    /// Adds a reason.
    fn also(mut self, reason: impl Into<String>) -> Self {
        self.reasons.push(reason.into());
        self
    }
}

/// Returns what to do about a host that was seen.
pub(crate) fn advise(seen: &Seen) -> Advice {
    if let Some(advice) = cannot_tell(seen) {
        return advice;
    }
    match seen.modes.name() {
        "hardirq" => in_hardirq(seen),
        "threaded" => in_threaded(seen),
        "adaptive" => in_adaptive(seen),
        other => Advice::unknown(format!("ufsirq does not know the mode '{other}'.")),
    }
}

/// Returns why nothing can be recommended, if that is so.
fn cannot_tell(seen: &Seen) -> Option<Advice> {
    if seen.modes.left_to_the_core() {
        return Some(Advice::unknown(
            "The host uses completion queues (MCQ): the UFS core completes its transfers, and \
             there is no mode to choose.",
        ));
    }
    if seen.modes.chosen.is_none() {
        return Some(Advice::unknown(
            "irq_mode does not say which mode is in effect.",
        ));
    }
    if seen.mode_changed {
        return Some(Advice::unknown(
            "The mode was changed while the host was watched; watch again.",
        ));
    }
    let Some(requests) = seen.requests() else {
        return Some(Advice::unknown("The driver does not count requests."));
    };
    if requests == 0 {
        return Some(Advice::unknown(
            "No I/O was seen. Run what matters to you, an app start or a benchmark, while this \
             watches.",
        ));
    }
    (requests < FEW_REQUESTS).then(|| {
        Advice::unknown(format!(
            "Only {} completed, which says nothing about what the I/O is like; at least \
             {FEW_REQUESTS} are needed. Watch for longer, or under load.",
            format::plural(requests, "request")
        ))
    })
}

/// Returns what to do about a host in mode hardirq.
fn in_hardirq(seen: &Seen) -> Advice {
    let Some(trouble) = trouble(seen) else {
        let advice = Advice::stay(format!(
            "Completing in hard IRQ has the lowest latency, and here it costs nobody: {}.",
            sections_text(seen)
        ));
        return if seen.modes.has("adaptive") {
            advice.also(
                "If bursts may come that were not seen now, adaptive does the same for single \
                 requests and leaves bursts to the thread.",
            )
        } else {
            advice
        };
    };
    let threaded = Advice::mode("threaded", trouble.clone()).also(
        "threaded keeps hard-IRQ sections short; requests that complete alone then wait for the \
         thread's wakeup.",
    );
    if !seen.modes.has("adaptive") {
        return threaded;
    }
    match too_long_alone(seen) {
        Some(reason) => threaded.also(reason),
        None => Advice::mode("adaptive", trouble).also(
            "adaptive keeps what is short in hard IRQ and leaves to the thread what is long, \
             within its limits.",
        ),
    }
}

/// Returns why adaptive would leave nearly all to the thread, if it would: a request alone takes
/// longer in hard IRQ than it allows.
fn too_long_alone(seen: &Seen) -> Option<String> {
    let requests = seen.counters.get(Counter::InlineRequests)?;
    let each = seen
        .counters
        .get(Counter::HardirqNs)?
        .checked_div(requests)?;
    let allowed = seen.limit("max_time_us").unwrap_or(LONG_US);

    (each / 1000 >= allowed).then(|| {
        format!(
            "A request takes {} on average, so that adaptive, which allows {allowed} us, would \
             leave nearly all to the thread.",
            format::time(each)
        )
    })
}

/// Returns what to do about a host in mode threaded.
fn in_threaded(seen: &Seen) -> Advice {
    let count = |c| seen.counters.count(c);
    if count(Counter::ThreadRequests) == 0 && count(Counter::InlineRequests) > 0 {
        return Advice::unknown(
            "Interrupts are force-threaded here (PREEMPT_RT kernel, or threadirqs on the command \
             line): transfers complete in the interrupt's own thread, without a second wakeup, \
             and there is no other mode to choose.",
        );
    }
    let Some(per_run) = seen.requests_per_run() else {
        return Advice::unknown("The driver does not count runs of the thread.");
    };
    let cost = match median(&seen.wakeups) {
        Some(time) => format!("the wakeup of the thread takes {time} (median)"),
        None => "the wakeup of the thread takes time that the driver does not tell".to_owned(),
    };
    if per_run > SINGLE {
        return Advice::stay(format!(
            "Each run of the thread completes {per_run:.1} requests, which share a wakeup; {cost}."
        ));
    }
    let rate = format::rate(count(Counter::ThreadRuns), seen.seconds).unwrap_or(0.0);
    let reason = format!(
        "Most requests complete alone ({per_run:.2} for each run of the thread), and each waits \
         for it: {cost}, {rate:.0} times a second."
    );
    if seen.modes.has("adaptive") {
        Advice::mode("adaptive", reason).also(
            "adaptive completes single requests in hard IRQ, and leaves bursts to the thread.",
        )
    } else {
        Advice::mode("hardirq", reason)
            .also("hardirq saves the wakeup; watch again then, for long hard-IRQ sections.")
    }
}

/// Returns what to do about a host in mode adaptive.
fn in_adaptive(seen: &Seen) -> Advice {
    if let Some(long) = long_sections(seen) {
        return match seen.limit("max_time_us") {
            Some(limit) if limit > MOST_TIME_US => Advice::limit(
                "max_time_us",
                MOST_TIME_US,
                format!("max_time_us is {limit}, and {long}."),
            ),
            Some(limit) => Advice::mode(
                "threaded",
                format!(
                    "Although max_time_us is {limit}, {long}: what requests cost varies too \
                     much here to be predicted."
                ),
            )
            .also("Stay with adaptive if nothing else on these CPUs is in a hurry."),
            None => Advice::mode(
                "threaded",
                format!("Although the mode is adaptive, {long}."),
            ),
        };
    }
    let fine = Advice::stay(format!("Limits are kept: {}.", sections_text(seen)));
    match seen.inline_part() {
        Some(part) if !limits_are_tight(seen) => fine.also(format!(
            "{} of the requests completed in hard IRQ, without a wakeup.",
            format::percent(part)
        )),
        _ => looser_limit(seen).unwrap_or(fine),
    }
}

/// The reasons for leaving an interrupt to the thread that a limit can change.
const LIMITED: [Counter; 3] = [
    Counter::DeferredBytes,
    Counter::DeferredTime,
    Counter::DeferredShare,
];

/// Returns whether limits keep requests from hard IRQ that complete alone.
fn limits_are_tight(seen: &Seen) -> bool {
    let limited = seen.counters.sum(&LIMITED).unwrap_or(0);
    let interrupts = seen.counters.count(Counter::Interrupts);
    let per_run = format::ratio(
        seen.counters.count(Counter::ThreadRequests),
        seen.counters.count(Counter::ThreadRuns),
    );

    format::ratio(limited, interrupts).is_some_and(|part| part >= TIGHT)
        && per_run.is_some_and(|n| n <= SINGLE)
}

/// Returns the limit to loosen where limits are tight, if one may be.
fn looser_limit(seen: &Seen) -> Option<Advice> {
    let most = LIMITED
        .into_iter()
        .max_by_key(|&c| seen.counters.count(c))?;
    let interrupts = seen.counters.count(Counter::Interrupts);
    let part = format::percent(format::ratio(seen.counters.count(most), interrupts)?);
    let (name, value) = match most {
        Counter::DeferredBytes => ("max_bytes", looser_max_bytes(seen)?),
        Counter::DeferredTime => {
            let limit = seen
                .limit("max_time_us")
                .filter(|&l| l <= MOST_TIME_US / 2)?;
            ("max_time_us", (limit * 2).max(1))
        }
        _ => {
            let limit = seen
                .limit("max_cpu_percent")
                .filter(|&l| l < MOST_CPU_PERCENT)?;
            ("max_cpu_percent", (limit.max(1) * 2).min(MOST_CPU_PERCENT))
        }
    };
    Some(
        Advice::limit(
            name,
            value,
            format!(
                "{part} of the interrupts were left to the thread because of {name}, which is \
                 {}, most of them with one request that then waited for a wakeup of {}.",
                format::or_dash(seen.limit(name)),
                median(&seen.wakeups).unwrap_or_else(|| "unknown length".to_owned())
            ),
        )
        .also(format!("There is room for more: {}.", sections_text(seen))),
    )
}

/// Returns twice `max_bytes`, if a request of that size is cheap enough by the driver's estimate.
fn looser_max_bytes(seen: &Seen) -> Option<u64> {
    let value = seen.limit("max_bytes")?.max(4096).checked_mul(2)?;
    let kib = seen.counters.get(Counter::NsPerKib)?;
    // 0 before the first measurement.
    let request = seen
        .counters
        .get(Counter::NsPerRequest)
        .filter(|&ns| ns > 0)?;
    let cost = (value >> 10).checked_mul(kib)?.checked_add(request)?;
    let allowed = seen.limit("max_time_us")?.min(MOST_TIME_US);

    (cost <= allowed * 1000).then_some(value)
}

/// Returns what is wrong with completing all in hard IRQ, if anything is.
fn trouble(seen: &Seen) -> Option<String> {
    let per_run = seen.requests_per_run().map_or_else(String::new, |n| {
        format!(" An interrupt completes {n:.1} requests on average.")
    });
    if let Some(long) = long_sections(seen) {
        return Some(format!(
            "While requests complete in hard IRQ nothing else runs there, and {long}.{per_run}"
        ));
    }
    let share = seen.hardirq_share().filter(|&s| s >= LARGE_SHARE)?;
    Some(format!(
        "Hard-IRQ sections take {} of one CPU, which nothing else can have.{per_run}",
        format::percent(share)
    ))
}

/// Returns what is wrong with the length of hard interrupt sections, if anything is.
fn long_sections(seen: &Seen) -> Option<String> {
    let sections = seen.sections.as_ref()?;
    let long = sections.at_least(LONG_US);
    let rate = format::rate(long, seen.seconds)?;
    if rate < LONG_A_SECOND && sections.at_least(VERY_LONG_US) == 0 {
        return None;
    }
    Some(format!(
        "{long} of {} took {LONG_US} us or more ({rate:.1} a second, the longest {})",
        format::plural(sections.total(), "hard-IRQ section"),
        sections.longest()?
    ))
}

/// Returns what hard interrupt sections that are no trouble were like.
fn sections_text(seen: &Seen) -> String {
    let share = seen.hardirq_share().map_or_else(String::new, |s| {
        format!("hard-IRQ sections take {} of one CPU", format::percent(s))
    });
    let length = seen.sections.as_ref().and_then(|sections| {
        let longest = sections.longest()?;
        Some(match sections.at_least(LONG_US) {
            0 => format!("none took {LONG_US} us or more, the longest {longest}"),
            long => format!("{long} of {} took {LONG_US} us or more", sections.total()),
        })
    });
    match (share.is_empty(), length) {
        (false, Some(length)) => format!("{share}, {length}"),
        (false, None) => share,
        (true, Some(length)) => format!("of the hard-IRQ sections {length}"),
        (true, None) => "the driver does not tell of any trouble".to_owned(),
    }
}

/// Returns the median of a histogram, for reading.
fn median(histogram: &Option<Histogram>) -> Option<String> {
    Some(histogram.as_ref()?.quantile(50)?.to_string())
}

#[cfg(test)]
mod tests;
