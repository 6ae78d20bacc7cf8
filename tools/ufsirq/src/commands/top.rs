// SPDX-License-Identifier: GPL-2.0

//! `ufsirq top`: rates, as they happen.

use std::{
    collections::BTreeMap,
    io::Write,
    thread,
    time::{
        Duration,
        Instant, //
    },
};

use crate::{
    counters::Counter,
    error::{
        Error,
        Result, //
    },
    format,
    host::{
        Host,
        NoCounters, //
    },
    observe::{
        Seen,
        Snapshot, //
    },
    out::Out,
    roots::Roots, //
};

/// Moves the cursor to the top of a terminal and clears what is below.
const CLEAR: &str = "\x1b[H\x1b[J";

/// The reasons for leaving an interrupt to the thread, as they are shown.
const DEFERRED: [(Counter, &str); 5] = [
    (Counter::DeferredBytes, "bytes"),
    (Counter::DeferredTime, "time"),
    (Counter::DeferredShare, "share"),
    (Counter::DeferredBusy, "busy"),
    (Counter::DeferredMode, "mode"),
];

/// Prints a line for each host and interval: on a `terminal` over the last ones, else below them.
pub(crate) fn run<W: Write>(
    out: &mut Out<W>,
    roots: &Roots,
    every: Duration,
    count: Option<u64>,
    terminal: bool,
) -> Result<()> {
    let start = Instant::now();
    let mut before = BTreeMap::new();
    for host in Host::some(roots)? {
        match Snapshot::take(&host, roots) {
            Ok(snapshot) => {
                before.insert(host.name, snapshot);
            }
            Err(NoCounters::Gone | NoCounters::NotNow) => {}
            Err(reason) => return Err(Error::failed(reason.text(roots))),
        }
    }
    if !terminal {
        out.line(header())?;
        out.flush()?;
    }
    let mut blocks = 0u64;
    while count.is_none_or(|n| blocks < n) {
        blocks = blocks.saturating_add(1);
        // From the start, so that intervals do not grow by what it takes to read and print.
        let due = every.saturating_mul(u32::try_from(blocks).unwrap_or(u32::MAX));
        thread::sleep(due.saturating_sub(start.elapsed()));
        let (now, lines) = block(roots, &before, start)?;
        before = now;
        if terminal {
            out.raw(CLEAR)?;
            out.line(header())?;
        }
        for line in lines {
            out.line(line)?;
        }
        if terminal {
            out.line("\nCtrl-C ends.")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Returns what all hosts say now, and the lines of the interval that ends now.
fn block(
    roots: &Roots,
    before: &BTreeMap<String, Snapshot>,
    start: Instant,
) -> Result<(BTreeMap<String, Snapshot>, Vec<String>)> {
    let (mut now, mut lines) = (BTreeMap::new(), Vec::new());
    let time = format!("{:8.1}", start.elapsed().as_secs_f64());

    for host in Host::all(roots)? {
        let name = host.name.clone();
        match (Snapshot::take(&host, roots), before.get(&name)) {
            (Ok(snapshot), earlier) => {
                lines.push(match earlier {
                    Some(earlier) => line(&time, &name, &Seen::between(earlier, &snapshot)),
                    None => format!("{time} {name:<16} is new"),
                });
                now.insert(name, snapshot);
            }
            // As if it had not been in the directory any more.
            (Err(NoCounters::Gone | NoCounters::NotNow), _) => {}
            (Err(reason), _) => return Err(Error::failed(reason.text(roots))),
        }
    }
    for name in before.keys().filter(|n| !now.contains_key(*n)) {
        lines.push(format!("{time} {name:<16} was unbound"));
    }
    if lines.is_empty() {
        lines.push(format!("{time} no host is bound"));
    }
    Ok((now, lines))
}

/// Returns the titles of the columns that [`line`] fills.
fn header() -> String {
    format!(
        "{:>8} {:<16} {:<9} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9}  left to the thread/s",
        "seconds",
        "host",
        "mode",
        "irq/s",
        "req/s",
        "req/run",
        "inline%",
        "us/irq",
        "cpu%",
        "thread/s"
    )
}

/// Returns the line of a host.
fn line(time: &str, name: &str, seen: &Seen) -> String {
    let rate = |c| {
        seen.counters
            .get(c)
            .and_then(|n| format::rate(n, seen.seconds))
    };
    let whole = |value: Option<f64>| format::or_dash(value.map(|v| format!("{v:.0}")));
    let tenths = |value: Option<f64>| format::or_dash(value.map(|v| format!("{v:.1}")));
    let requests = seen.requests().and_then(|n| format::rate(n, seen.seconds));
    let section = match (
        seen.counters.get(Counter::HardirqNs),
        seen.counters.get(Counter::Interrupts),
    ) {
        (Some(ns), Some(n)) => format::ratio(ns, n).map(|ns| ns / 1000.0),
        _ => None,
    };
    let mut deferred: Vec<_> = DEFERRED
        .iter()
        .filter_map(|&(c, word)| Some((word, rate(c)?)))
        .filter(|&(_, rate)| rate > 0.0)
        .map(|(word, rate)| format!("{word} {rate:.0}"))
        .collect();
    if seen.restarted {
        deferred.push("(counters were reset)".to_owned());
    }

    format!(
        "{time} {name:<16} {:<9} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9}  {}",
        seen.modes.name(),
        whole(rate(Counter::Interrupts)),
        whole(requests),
        tenths(seen.requests_per_run()),
        tenths(seen.inline_part().map(|p| p * 100.0)),
        tenths(section),
        tenths(seen.hardirq_share().map(|s| s * 100.0)),
        whole(rate(Counter::ThreadRuns)),
        deferred.join(" ")
    )
    .trim_end()
    .to_owned()
}
