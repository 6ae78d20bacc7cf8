// SPDX-License-Identifier: GPL-2.0

//! The command line.

use std::{
    ffi::OsString,
    path::PathBuf,
    time::Duration, //
};

use clap::{
    error::{
        ContextKind,
        ContextValue,
        ErrorKind, //
    },
    CommandFactory,
    Parser,
    Subcommand, //
};

use crate::host::ALL;

/// What `--help` prints below the commands and options.
const NOTES: &str = "\
Environment:
  UFSIRQ_SYSFS    where sysfs is mounted, instead of /sys
  UFSIRQ_DEBUGFS  where debugfs is mounted, instead of kernel/debug in sysfs

A host is called like its directory, such as 20200000.ufs; 'ufsirq' lists them. Changes hold until
the host is unbound; the module parameter irq_mode sets the mode that hosts start with.

mode, limit, reset and all that shows counters need root; counters also need debugfs.

Exit code: 0 done, 1 could not be done, 2 wrong usage.";

/// The longest time between two blocks of `top`, or for `suggest` to watch: a day.
const MOST_SECONDS: f64 = 86400.0;

/// The shortest.
const LEAST_SECONDS: f64 = 0.01;

// What is documented from here on is also what `--help` prints.

/// Shows and sets where the ufs_unisoc driver completes the I/O of its hosts
#[derive(Debug, PartialEq, Eq, Parser)]
#[command(version, after_help = NOTES, args_override_self = true)]
pub(crate) struct Invocation {
    /// What to do
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Look under DIR/sys instead of /sys
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

/// What the user wants done
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Show mode, context, limits and counters; so does no command at all
    List {
        /// Which hosts
        #[arg(value_name = "HOST|all", default_value = ALL)]
        host: String,
    },

    /// Set the mode: hardirq, threaded or adaptive
    Mode {
        /// Which hosts
        #[arg(value_name = "HOST|all")]
        host: String,
        /// One that the hosts have
        mode: String,
    },

    /// Set a limit of the adaptive mode: max_bytes, max_time_us or max_cpu_percent
    Limit {
        /// Which hosts
        #[arg(value_name = "HOST|all")]
        host: String,
        /// Which limit
        name: String,
        /// What to set it to
        #[arg(allow_negative_numbers = true, value_parser = whole_number)]
        value: u64,
    },

    /// Show rates, again and again
    Top {
        /// Time between two blocks of lines
        #[arg(
            value_name = "SECONDS", default_value = "1",
            allow_negative_numbers = true, value_parser = seconds
        )]
        every: Duration,
        /// How many blocks; without it there is no end
        #[arg(allow_negative_numbers = true, value_parser = count)]
        count: Option<u64>,
    },

    /// Show how long hard-IRQ sections and wakeups of the thread took
    Hist {
        /// Which hosts
        #[arg(value_name = "HOST|all")]
        host: String,
    },

    /// Watch while the I/O runs that matters to you, and recommend a mode or a limit
    Suggest {
        /// Which hosts
        #[arg(value_name = "HOST|all", default_value = ALL)]
        host: String,
        /// How long to watch
        #[arg(
            long = "seconds", value_name = "N", default_value = "10",
            allow_negative_numbers = true, value_parser = seconds
        )]
        time: Duration,
    },

    /// Let the counters begin at zero
    Reset {
        /// Which hosts
        #[arg(value_name = "HOST|all")]
        host: String,
    },
}

impl Default for Command {
    fn default() -> Self {
        let host = ALL.to_owned();
        Self::List { host }
    }
}

impl Invocation {
    /// Understands the arguments, the program's name the first of them. An error may also be what
    /// was asked for: the help or the version.
    pub(crate) fn understand(
        args: impl IntoIterator<Item = OsString>,
    ) -> std::result::Result<Self, clap::Error> {
        Self::try_parse_from(args).map_err(|mut error| {
            if error.kind() == ErrorKind::InvalidSubcommand {
                let tip = format!("there are: {}", command_names().join(", "));
                error.insert(
                    ContextKind::Suggested,
                    ContextValue::StyledStrs(vec![tip.into()]),
                );
            }
            error
        })
    }
}

/// Returns the names of the commands.
fn command_names() -> Vec<String> {
    Invocation::command()
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect()
}

/// Returns the time that an argument gives in seconds.
fn seconds(text: &str) -> std::result::Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|s| (LEAST_SECONDS..=MOST_SECONDS).contains(s))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("no number of seconds from {LEAST_SECONDS} to {MOST_SECONDS}"))
}

/// Returns the value of a limit.
fn whole_number(text: &str) -> std::result::Result<u64, String> {
    text.parse()
        .map_err(|_| format!("no whole number from 0 to {}", u64::MAX))
}

/// Returns the number of blocks that an argument gives.
fn count(text: &str) -> std::result::Result<u64, String> {
    text.parse()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| format!("no whole number from 1 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> std::result::Result<Invocation, clap::Error> {
        let words = line.split_whitespace().map(OsString::from);
        Invocation::understand([OsString::from("ufsirq")].into_iter().chain(words))
    }

    fn command(line: &str) -> Command {
        parse(line).unwrap().command.unwrap_or_default()
    }

    fn usage_error(line: &str) -> String {
        let error = parse(line).expect_err(line);
        assert!(error.use_stderr() && error.exit_code() == 2, "{line}");
        error.render().to_string()
    }

    #[test]
    fn the_definition_makes_sense() {
        Invocation::command().debug_assert();
    }

    #[test]
    fn every_command_is_understood() {
        let all = || ALL.to_owned();
        assert_eq!(command(""), Command::List { host: all() });
        assert_eq!(command("list"), Command::List { host: all() });
        assert_eq!(command("list a"), Command::List { host: "a".into() });
        assert_eq!(
            command("mode all threaded"),
            Command::Mode {
                host: all(),
                mode: "threaded".into()
            }
        );
        assert_eq!(
            command("limit a max_bytes 0"),
            Command::Limit {
                host: "a".into(),
                name: "max_bytes".into(),
                value: 0
            }
        );
        assert_eq!(command("hist a"), Command::Hist { host: "a".into() });
        assert_eq!(command("reset all"), Command::Reset { host: all() });
    }

    #[test]
    fn times_and_counts() {
        let top = |s, count| Command::Top {
            every: Duration::from_secs_f64(s),
            count,
        };
        assert_eq!(command("top"), top(1.0, None));
        assert_eq!(command("top 0.5"), top(0.5, None));
        assert_eq!(command("top 2 3"), top(2.0, Some(3)));
        for line in ["suggest a --seconds 3", "suggest --seconds=3 a"] {
            assert_eq!(
                command(line),
                Command::Suggest {
                    host: "a".into(),
                    time: Duration::from_secs(3)
                }
            );
        }
        assert_eq!(
            command("suggest"),
            Command::Suggest {
                host: ALL.into(),
                time: Duration::from_secs(10)
            }
        );
        for bad in ["0", "-1", "x", "nan", "inf", "1e9", "''", "0.001"] {
            for line in [format!("top {bad}"), format!("suggest --seconds {bad}")] {
                let text = usage_error(&line);
                assert!(text.contains("seconds from 0.01 to 86400"), "{text}");
            }
            let text = usage_error(&format!("top 1 {bad}"));
            assert!(text.contains("whole number from 1 to "), "{text}");
        }
    }

    #[test]
    fn help_and_version_are_no_errors() {
        for (line, kind) in [
            ("--help", ErrorKind::DisplayHelp),
            ("-h", ErrorKind::DisplayHelp),
            ("help", ErrorKind::DisplayHelp),
            ("help top", ErrorKind::DisplayHelp),
            ("mode --help", ErrorKind::DisplayHelp),
            ("mode a --help", ErrorKind::DisplayHelp),
            ("--version", ErrorKind::DisplayVersion),
            ("-V", ErrorKind::DisplayVersion),
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(error.kind(), kind, "{line}");
            assert!(!error.use_stderr(), "{line}");
        }
        // A mode of that name is the driver's to refuse.
        assert_eq!(
            command("mode a help"),
            Command::Mode {
                host: "a".into(),
                mode: "help".into()
            }
        );
    }

    #[test]
    fn a_root_is_taken_before_and_after_the_command() {
        for line in [
            "--root /x",
            "--root /x list",
            "list --root=/x",
            "--root /y --root /x list",
            "--root /y list --root /x",
        ] {
            assert_eq!(parse(line).unwrap().root, Some("/x".into()), "{line}");
        }
        usage_error("--root");
        usage_error("--root=");
    }

    #[test]
    fn wrong_usage_is_told_with_the_right_one() {
        for (line, says) in [
            ("mode", "Usage: ufsirq mode <HOST|all> <MODE>"),
            ("mode a", "Usage: ufsirq mode <HOST|all> <MODE>"),
            ("mode a b c", "unexpected argument 'c'"),
            ("limit a b", "Usage: ufsirq limit <HOST|all> <NAME> <VALUE>"),
            ("limit a b -1", "'-1' for '<VALUE>': no whole number from 0"),
            ("limit a b 18446744073709551616", "no whole number from 0"),
            ("list a b", "unexpected argument 'b'"),
            ("hist", "Usage: ufsirq hist <HOST|all>"),
            ("reset", "Usage: ufsirq reset <HOST|all>"),
            ("top 1 2 3", "Usage: ufsirq top [OPTIONS] [SECONDS] [COUNT]"),
            (
                "frobnicate",
                "there are: list, mode, limit, top, hist, suggest, reset",
            ),
            ("--frobnicate", "unexpected argument '--frobnicate'"),
            ("list --seconds 3", "unexpected argument '--seconds'"),
        ] {
            let text = usage_error(line);
            assert!(text.contains(says), "{line}: {text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_refused() {
        use std::os::unix::ffi::OsStringExt;

        for command in ["list", "reset"] {
            let host = OsString::from_vec(vec![0xff, 0xfe]);
            let error = Invocation::understand(["ufsirq".into(), command.into(), host]);
            assert_eq!(error.unwrap_err().kind(), ErrorKind::InvalidUtf8);
        }
    }
}
