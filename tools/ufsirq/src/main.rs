// SPDX-License-Identifier: GPL-2.0

//! `ufsirq`: shows and sets where the `ufs_unisoc` driver completes the I/O of its hosts, and
//! suggests a mode from what it sees.
//!
//! It reads and writes the driver's files in sysfs and debugfs and nothing else; see `args.rs` for
//! its commands. Exit codes: 0 done, 1 could not be done, 2 used wrongly.

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
    error::Result,
    out::Out,
    roots::Roots, //
};

/// The exit code if the command line makes no sense.
const WRONG_USAGE: u8 = 2;

/// Prints the help or the version.
fn explain(text: &str) -> Result<()> {
    let mut out = Out::new(io::stdout().lock());

    out.raw(text)?;
    out.flush()
}

/// Does what the arguments ask for.
fn run(Invocation { command, root }: Invocation) -> Result<()> {
    let roots = Roots::choose(root, |name| env::var_os(name));
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let out = &mut Out::new(stdout.lock());

    match command.unwrap_or_default() {
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
    let done = match Invocation::understand(env::args_os()) {
        Ok(invocation) => run(invocation),
        Err(error) if error.use_stderr() => {
            // Nobody is left to be told if this fails.
            let _ = write!(io::stderr(), "{}", error.render());
            return ExitCode::from(WRONG_USAGE);
        }
        Err(asked_for) => explain(&asked_for.render().to_string()),
    };
    let Err(error) = done else {
        return ExitCode::SUCCESS;
    };

    for line in error.text().lines() {
        let _ = writeln!(io::stderr(), "ufsirq: {line}");
    }
    ExitCode::from(error.exit_code())
}
