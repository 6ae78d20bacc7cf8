// SPDX-License-Identifier: GPL-2.0

//! `ufsirq mode`, `limit` and `reset`: what changes a host.

use std::io::{
    self,
    Write, //
};

use crate::{
    error::{
        all_of,
        Result, //
    },
    file,
    format,
    host::Host,
    mode::Modes,
    out::Out,
    roots::Roots, //
};

/// Does the same to each host. One that refuses does not keep the others from it.
fn each<W: Write>(
    out: &mut Out<W>,
    hosts: &[Host],
    change: impl Fn(&Host) -> std::result::Result<String, String>,
) -> Result<()> {
    let mut problems = Vec::new();

    for host in hosts {
        match change(host) {
            Ok(done) => out.line(format_args!("{}: {done}", host.name))?,
            Err(problem) => problems.push(format!("{}: {problem}", host.name)),
        }
    }
    out.flush()?;
    all_of(&problems)
}

/// Sets the mode.
pub(crate) fn mode<W: Write>(
    out: &mut Out<W>,
    roots: &Roots,
    host: &str,
    mode: &str,
) -> Result<()> {
    let hosts = Host::pick(roots, host)?;
    each(out, &hosts, |host| {
        let modes = host
            .modes()
            .map_err(|e| why_no_mode(&Modes::default(), mode, &e))?;
        if modes.left_to_the_core() {
            return Err(LEFT_TO_THE_CORE.to_owned());
        }
        if !modes.has(mode) {
            return Err(no_such_mode(&modes, mode));
        }
        if modes.is(mode) {
            return Ok(format!("mode is {mode} already"));
        }
        host.set_mode(mode)
            .map_err(|e| why_no_mode(&modes, mode, &e))?;
        Ok(format!(
            "mode was {}, is {mode} from the next interrupt on",
            modes.name()
        ))
    })
}

/// What is told of a host that has no modes.
const LEFT_TO_THE_CORE: &str = "uses completion queues (MCQ): the UFS core completes its \
                                transfers, there is no mode to set";

/// Returns what is told of a mode that a host cannot have.
fn no_such_mode(modes: &Modes, mode: &str) -> String {
    let mode = mode.escape_debug();
    format!(
        "'{mode}' is no mode of it; valid are: {}",
        modes.all.join(", ")
    )
}

/// Returns why a mode could not be set.
fn why_no_mode(modes: &Modes, mode: &str, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(file::EINVAL) => no_such_mode(modes, mode),
        Some(file::EOPNOTSUPP) => format!(
            "cannot have {mode}: interrupts are force-threaded here (PREEMPT_RT kernel, or \
             threadirqs on the command line), so that none is handled in hard IRQ; mode stays {}",
            modes.name()
        ),
        _ => why_not("mode", error),
    }
}

/// Returns why a file could not be read or written.
fn why_not(what: &str, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(file::EACCES | file::EPERM) => {
            format!("{what} cannot be set: only root may; run as root")
        }
        _ if file::is_gone(error) => "was unbound meanwhile".to_owned(),
        _ => format!("{what} cannot be set: {error}"),
    }
}

/// Sets a limit of the adaptive mode.
pub(crate) fn limit<W: Write>(
    out: &mut Out<W>,
    roots: &Roots,
    host: &str,
    name: &str,
    value: u64,
) -> Result<()> {
    let hosts = Host::pick(roots, host)?;
    each(out, &hosts, |host| {
        let limits = host.limits();
        if limits.is_empty() {
            return Err(
                "has no limits (no irq_fastpath): this ufs_unisoc is older than ufsirq, or \
                        the UFS core completes its transfers"
                    .to_owned(),
            );
        }
        let Some(limit) = limits.iter().find(|l| l.name == name) else {
            let names: Vec<_> = limits.iter().map(|l| l.name.as_str()).collect();
            let name = name.escape_debug();
            return Err(format!(
                "'{name}' is no limit of it; valid are: {}",
                names.join(", ")
            ));
        };
        if limit.value == Some(value) {
            return Ok(format!("{name} is {value} already"));
        }
        host.set_limit(name, value)
            .map_err(|e| why_no_limit(name, value, &e))?;
        Ok(format!(
            "{name} was {}, is {value}",
            format::or_dash(limit.value)
        ))
    })
}

/// Returns why a limit could not be set.
fn why_no_limit(name: &str, value: u64, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(file::EINVAL | file::ERANGE) => {
            format!("{name} cannot be {value}: the driver does not take such a number")
        }
        _ => why_not(name, error),
    }
}

/// Lets the counters begin at zero.
pub(crate) fn reset<W: Write>(out: &mut Out<W>, roots: &Roots, host: &str) -> Result<()> {
    let hosts = Host::pick(roots, host)?;
    each(out, &hosts, |host| match host.reset(roots) {
        Ok(()) => Ok("counters begin at zero".to_owned()),
        Err(reason) => Err(reason.text(roots)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(number: i32) -> io::Error {
        io::Error::from_raw_os_error(number)
    }

    #[test]
    fn every_error_of_the_kernel_says_what_it_means() {
        let modes = Modes::parse("hardirq [threaded]");
        for (number, says) in [
            (22, "valid are: hardirq, threaded"),
            (95, "force-threaded"),
            (13, "only root may"),
            (1, "only root may"),
            (2, "unbound meanwhile"),
            (19, "unbound meanwhile"),
            (28, "No space left"),
        ] {
            let text = why_no_mode(&modes, "hardirq", &error(number));
            assert!(text.contains(says), "{number}: {text}");
        }
        for (number, says) in [
            (22, "does not take such a number"),
            (34, "does not take such a number"),
            (13, "only root may"),
            (2, "unbound meanwhile"),
            (95, "max_bytes cannot be set"),
        ] {
            let text = why_no_limit("max_bytes", 7, &error(number));
            assert!(text.contains(says), "{number}: {text}");
        }
    }
}
