// SPDX-License-Identifier: GPL-2.0

//! `ufsirq`: shows and sets where the `ufs_unisoc` driver completes the I/O of its hosts, and
//! suggests a mode from what it sees.
//!
//! It reads and writes the driver's files in sysfs and debugfs and nothing else; see `HELP` in
//! `args.rs` for its commands. Exit codes: 0 done, 1 could not be done, 2 used wrongly.

mod advice;
mod args;
mod commands;
mod counters;
mod error;
mod file;
mod format;
mod histogram;
mod host;
mod mode;
mod observe;
mod out;
mod roots;

use std::{
    env,
    io::{self, IsTerminal, Write},
    process::ExitCode, //
};

use crate::{
    args::{
        Command,
        Invocation, //
    },
    error::{
        Error,
        Result, //
    },
    out::Out,
    roots::Roots, //
};

/// Does what the arguments ask for.
fn run() -> Result<()> {
    let Invocation { command, root } = Invocation::parse(env::args_os().skip(1))?;
    let roots = Roots::choose(root, |name| env::var_os(name));
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let out = &mut Out::new(stdout.lock());

    match command {
        Command::Help => out.line(args::HELP)?,
        Command::Version => out.line(format_args!("ufsirq {}", env!("CARGO_PKG_VERSION")))?,
        Command::List { host } => commands::list::run(out, &roots, &host)?,
        Command::Mode { host, mode } => commands::set::mode(out, &roots, &host, &mode)?,
        Command::Limit { host, name, value } => {
            commands::set::limit(out, &roots, &host, &name, value)?
        }
        Command::Reset { host } => commands::set::reset(out, &roots, &host)?,
        Command::Top { every, count } => commands::top::run(out, &roots, every, count, terminal)?,
        Command::Hist { host } => commands::hist::run(out, &roots, &host)?,
        Command::Suggest { host, time } => commands::suggest::run(out, &roots, &host, time)?,
    }
    out.flush()
}

fn main() -> ExitCode {
    let Err(error) = run() else {
        return ExitCode::SUCCESS;
    };

    for line in error.text().lines() {
        // Nobody is left to be told if this fails.
        let _ = writeln!(io::stderr(), "ufsirq: {line}");
    }
    if matches!(error, Error::Usage(_)) {
        let _ = writeln!(io::stderr(), "Try 'ufsirq --help'.");
    }
    ExitCode::from(error.exit_code())
}
