// SPDX-License-Identifier: GPL-2.0

//! `ufsirq list`: every host with all that its files say.

use std::io::Write;

use crate::{
    counters::{
        Counter,
        Counters, //
    },
    error::{
        Error,
        Result, //
    },
    file,
    format,
    host::{
        Host,
        Limit,
        LIMITS, //
    },
    out::Out,
    roots::Roots, //
};

/// Prints a block for each host that is meant.
pub(crate) fn run<W: Write>(out: &mut Out<W>, roots: &Roots, host: &str) -> Result<()> {
    let hosts = Host::pick(roots, host)?;
    // Said once, not for each host.
    let mut notes = Vec::new();

    for (n, host) in hosts.iter().enumerate() {
        if n > 0 {
            out.line("")?;
        }
        show(out, roots, host, &mut notes)?;
    }
    if !notes.is_empty() {
        out.line("")?;
    }
    for note in notes {
        out.line(note)?;
    }
    Ok(())
}

/// Prints the block of a host; what is to be told about all of them goes to `notes`.
fn show<W: Write>(
    out: &mut Out<W>,
    roots: &Roots,
    host: &Host,
    notes: &mut Vec<String>,
) -> Result<()> {
    out.line(&host.name)?;
    let modes = match host.modes() {
        Ok(modes) => modes,
        Err(error) if file::is_gone(&error) => return out.line("  is being bound or unbound"),
        Err(error) => {
            return Err(Error::failed(format!(
                "{}: irq_mode cannot be read: {error}",
                host.name
            )))
        }
    };
    let explained = match modes.name() {
        "core" => "core (completion queues, MCQ: the UFS core completes transfers)".to_owned(),
        name => format!("{name} (of {})", modes.all.join(", ")),
    };
    entry(out, "irq_mode", explained)?;
    entry(out, "irq_context", format::or_dash(host.context()))?;
    for limit in limits_or_dashes(host.limits()) {
        entry(out, &limit.name, format::or_dash(limit.value))?;
    }
    let counters = host.counters(roots).unwrap_or_else(|reason| {
        let note = reason.text(roots);
        if !notes.contains(&note) {
            notes.push(note);
        }
        Counters::default()
    });
    if counters.senseless_lines > 0 {
        let lines = format::plural(
            counters.senseless_lines.try_into().unwrap_or(u64::MAX),
            "line",
        );
        notes.push(format!(
            "{}: {lines} of stats made no sense and were left out",
            host.name
        ));
    }
    for (name, value) in figures(&counters) {
        entry(out, name, value)?;
    }
    Ok(())
}

/// Prints a line of a block.
fn entry<W: Write>(out: &mut Out<W>, name: &str, value: String) -> Result<()> {
    out.line(format_args!("  {name:<20} {value}"))
}

/// Returns the limits, or the known ones without values.
fn limits_or_dashes(limits: Vec<Limit>) -> Vec<Limit> {
    if !limits.is_empty() {
        return limits;
    }
    LIMITS
        .map(|name| Limit {
            name: name.to_owned(),
            value: None,
        })
        .to_vec()
}

/// Returns the names and texts of what was counted since the module was loaded, or since a reset.
fn figures(counters: &Counters) -> Vec<(&'static str, String)> {
    use Counter::*;

    let number = |c| format::or_dash(counters.get(c));
    let each = |requests, runs| match (counters.get(requests), counters.get(runs)) {
        (Some(requests), Some(runs)) => format::ratio(requests, runs)
            .map_or_else(String::new, |n| format!(", {n:.2} at a time")),
        _ => String::new(),
    };
    let completed = |requests, runs, what| {
        format!(
            "{} requests in {} {what}{}",
            number(requests),
            number(runs),
            each(requests, runs)
        )
    };
    let time = |c| format::or_dash(counters.get(c).map(format::time));
    let section = match (counters.get(HardirqNs), counters.get(Interrupts)) {
        (Some(ns), Some(n @ 1..)) => format!(", {} an interrupt", format::time(ns / n)),
        _ => String::new(),
    };

    let cost = match counters.get(NsPerRequest) {
        Some(0) => "not measured yet".to_owned(),
        _ => format!("{} a request, {} a KiB", time(NsPerRequest), time(NsPerKib)),
    };

    vec![
        ("interrupts", number(Interrupts)),
        (
            "in the handler",
            completed(InlineRequests, InlineRuns, "interrupts"),
        ),
        (
            "in the thread",
            completed(ThreadRequests, ThreadRuns, "runs"),
        ),
        (
            "left to the thread",
            format!(
                "bytes {}, time {}, share {}, busy {}, mode {}",
                number(DeferredBytes),
                number(DeferredTime),
                number(DeferredShare),
                number(DeferredBusy),
                number(DeferredMode)
            ),
        ),
        ("handed to the core", number(Forwarded)),
        ("for nothing", number(Spurious)),
        ("mode switches", number(ModeSwitches)),
        (
            "time in the handler",
            format!("{}{section}", time(HardirqNs)),
        ),
        ("estimated cost", cost),
    ]
}
