// SPDX-License-Identifier: GPL-2.0

//! `ufsirq suggest`: watches hosts and recommends.

use std::{
    io::{
        self,
        Write, //
    },
    thread,
    time::Duration, //
};

use crate::{
    advice::{
        advise,
        Action,
        LONG_US, //
    },
    counters::Counter,
    error::{
        all_of,
        Error,
        Result, //
    },
    format,
    host::Host,
    observe::{
        Seen,
        Snapshot, //
    },
    out::Out,
    roots::Roots, //
};

/// How long lines may be, without the titles before them.
const WIDTH: usize = 76;

/// Watches each host that is meant for `time`, all at once, and prints what to do.
pub(crate) fn run<W: Write>(
    out: &mut Out<W>,
    roots: &Roots,
    host: &str,
    time: Duration,
) -> Result<()> {
    let mut watched = Vec::new();
    for host in Host::pick(roots, host)? {
        let snapshot = Snapshot::take(&host, roots)
            .map_err(|reason| Error::failed(format!("{}: {}", host.name, reason.text(roots))))?;
        watched.push((host, snapshot));
    }
    // Not on standard output, which is for the result. Nobody is left to be told if it fails.
    let _ = writeln!(
        io::stderr(),
        "watching {} for {} s: let the I/O run that matters to you",
        format::plural(watched.len().try_into().unwrap_or(u64::MAX), "host"),
        time.as_secs_f64()
    );
    thread::sleep(time);

    let mut problems = Vec::new();
    for (n, (host, before)) in watched.iter().enumerate() {
        match Snapshot::take(host, roots) {
            Ok(after) => {
                if n > 0 {
                    out.line("")?;
                }
                show(out, &host.name, &Seen::between(before, &after))?;
            }
            Err(reason) => problems.push(format!("{}: {}", host.name, reason.text(roots))),
        }
    }
    out.flush()?;
    all_of(&problems)
}

/// Prints the figures, what they mean, and the command to give.
fn show<W: Write>(out: &mut Out<W>, name: &str, seen: &Seen) -> Result<()> {
    out.line(format_args!(
        "{name}: {:.1} s in mode {}",
        seen.seconds,
        seen.modes.name()
    ))?;
    for (title, text) in figures(seen) {
        entry(out, title, [text])?;
    }
    let advice = advise(seen);
    let (verdict, command) = match &advice.action {
        Action::Unknown => ("none".to_owned(), None),
        Action::Stay => (format!("stay with {}", seen.modes.name()), None),
        Action::Mode(mode) => (
            (*mode).to_owned(),
            Some(format!("ufsirq mode {name} {mode}")),
        ),
        Action::Limit { name: limit, value } => (
            format!("stay with {}, with another {limit}", seen.modes.name()),
            Some(format!("ufsirq limit {name} {limit} {value}")),
        ),
    };
    entry(out, "recommendation", [verdict])?;
    entry(out, "why", advice.reasons)?;
    match command {
        Some(command) => entry(out, "to do so", [command]),
        None => Ok(()),
    }
}

/// Prints texts, each on lines of its own, with a title before the first.
fn entry<W: Write>(
    out: &mut Out<W>,
    title: &str,
    texts: impl IntoIterator<Item = String>,
) -> Result<()> {
    let mut title = title;
    for line in texts.into_iter().flat_map(|t| format::wrap(&t, WIDTH)) {
        out.line(format_args!("  {title:<18} {line}"))?;
        title = "";
    }
    Ok(())
}

/// Returns what the recommendation stands on.
fn figures(seen: &Seen) -> Vec<(&'static str, String)> {
    let counters = &seen.counters;
    let rate = |n| format::or_dash(format::rate(n, seen.seconds).map(|r| format!("{r:.0}")));
    let requests = format::or_dash(seen.requests());
    let mut figures = vec![(
        "I/O",
        format!(
            "{requests} requests ({} a second), {} of them in hard IRQ, {} at a time",
            rate(seen.requests().unwrap_or(0)),
            format::or_dash(seen.inline_part().map(format::percent)),
            format::or_dash(seen.requests_per_run().map(|n| format!("{n:.2}"))),
        ),
    )];

    let mut sections = format!(
        "{} of one CPU",
        format::or_dash(seen.hardirq_share().map(format::percent))
    );
    if let Some(h) = &seen.sections {
        if let (Some(median), Some(longest)) = (h.quantile(50), h.longest()) {
            sections += &format!(
                "; {}, median {median}, longest {longest}, {} of {LONG_US} us or more",
                format::plural(h.total(), "section"),
                h.at_least(LONG_US)
            );
        }
    }
    figures.push(("hard IRQ", sections));

    let mut wakeups = format!(
        "{} runs",
        format::or_dash(counters.get(Counter::ThreadRuns))
    );
    if let Some(h) = &seen.wakeups {
        if let (Some(median), Some(p99)) = (h.quantile(50), h.quantile(99)) {
            wakeups += &format!("; wakeup median {median}, 99th percentile {p99}");
        }
    }
    figures.push(("thread", wakeups));

    // 0 before the first measurement.
    if let Some(each @ 1..) = counters.get(Counter::NsPerRequest) {
        let kib = counters.get(Counter::NsPerKib);
        figures.push((
            "estimated cost",
            format!(
                "{} a request, {} a KiB",
                format::time(each),
                format::or_dash(kib.map(format::time))
            ),
        ));
    }
    if seen.restarted {
        figures.push((
            "mind",
            "counters were reset meanwhile; rates are too low".to_owned(),
        ));
    }
    figures
}
