// SPDX-License-Identifier: GPL-2.0

//! The command line.

use std::{
    collections::VecDeque,
    ffi::OsString,
    path::PathBuf,
    time::Duration, //
};

use crate::{
    error::{
        Error,
        Result, //
    },
    host::ALL, //
};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
ufsirq: where the ufs_unisoc driver completes the I/O of its hosts

  ufsirq [list [HOST]]              every host: mode, context, limits, counters
  ufsirq mode HOST|all MODE         set the mode: hardirq, threaded, adaptive
  ufsirq limit HOST|all NAME VALUE  set a limit of the adaptive mode: max_bytes, max_time_us,
                                    max_cpu_percent
  ufsirq top [SECONDS [COUNT]]      rates, every SECONDS (default 1), COUNT times (else no end)
  ufsirq hist HOST|all              how long hard-IRQ sections and wakeups of the thread took
  ufsirq suggest [HOST|all] [--seconds N]
                                    watch for N seconds (default 10), while the I/O runs that
                                    matters to you, and recommend a mode or a limit
  ufsirq reset HOST|all             let the counters begin at zero
  ufsirq --help, --version

A host is called like its directory, such as 20200000.ufs; 'ufsirq' lists them. Changes hold until
the host is unbound; the module parameter irq_mode sets the mode that hosts start with.

mode, limit, reset and all that shows counters need root; counters also need debugfs.

  --root DIR        look under DIR/sys instead of /sys
  UFSIRQ_SYSFS      environment: where sysfs is mounted, instead of /sys
  UFSIRQ_DEBUGFS    environment: where debugfs is mounted, instead of kernel/debug in sysfs

Exit code: 0 done, 1 could not be done, 2 wrong usage.";

/// The longest time between two blocks of `top`, or for `suggest` to watch: a day.
const MOST_SECONDS: f64 = 86400.0;

/// The shortest.
const LEAST_SECONDS: f64 = 0.01;

/// What the user wants done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// Show hosts.
    List {
        /// A host's name, or [`ALL`].
        host: String,
    },
    /// Set the mode.
    Mode {
        /// A host's name, or [`ALL`].
        host: String,
        /// What to set it to.
        mode: String,
    },
    /// Set a limit.
    Limit {
        /// A host's name, or [`ALL`].
        host: String,
        /// Which.
        name: String,
        /// What to set it to.
        value: u64,
    },
    /// Show rates.
    Top {
        /// Time between two blocks.
        every: Duration,
        /// How many blocks; `None` for no end.
        count: Option<u64>,
    },
    /// Show histograms.
    Hist {
        /// A host's name, or [`ALL`].
        host: String,
    },
    /// Watch and recommend.
    Suggest {
        /// A host's name, or [`ALL`].
        host: String,
        /// How long to watch.
        time: Duration,
    },
    /// Zero the counters.
    Reset {
        /// A host's name, or [`ALL`].
        host: String,
    },
}

/// A command, and what holds for every command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// What to do.
    pub(crate) command: Command,
    /// The directory to look under instead of `/`.
    pub(crate) root: Option<PathBuf>,
}

impl Invocation {
    /// Understands the arguments, the program's name not among them.
    pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Self> {
        let mut root = None;
        let mut seconds = None;
        let mut words = Words::default();
        let mut args = args;
        // A request for help or for the version is heeded wherever it stands.
        let mut instead = None;

        while let Some(arg) = args.next() {
            let (option, value) = match arg.to_str() {
                Some(text) => split_option(text),
                None => return Err(Error::usage(format!("{arg:?} is not UTF-8"))),
            };
            let mut value = || value.map(OsString::from).or_else(|| args.next());
            match option {
                "--help" | "-h" | "help" if words.0.is_empty() || option != "help" => {
                    instead.get_or_insert(Command::Help);
                }
                "--version" | "-V" => {
                    instead.get_or_insert(Command::Version);
                }
                "--root" => {
                    let dir = value().filter(|v| !v.is_empty());
                    root = Some(
                        dir.ok_or_else(|| Error::usage("--root needs a directory"))?
                            .into(),
                    );
                }
                "--seconds" => {
                    let text = value().and_then(|v| v.into_string().ok());
                    let text = text.ok_or_else(|| Error::usage("--seconds needs a number"))?;
                    seconds = Some(parse_seconds(&text)?);
                }
                _ if option.starts_with('-') && option.len() > 1 && !is_number(option) => {
                    return Err(Error::usage(format!(
                        "there is no option '{}'",
                        option.escape_debug()
                    )));
                }
                _ => words.0.push_back(arg.to_string_lossy().into_owned()),
            }
        }
        let command = match instead {
            Some(command) => command,
            None => words.command(seconds)?,
        };
        Ok(Self { command, root })
    }
}

/// Splits `--name=value`.
fn split_option(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((name, value)) if name.starts_with("--") => (name, Some(value)),
        _ => (text, None),
    }
}

/// Returns whether an argument that begins with a dash is a number, and so no option.
fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// Returns the time that an argument gives in seconds.
fn parse_seconds(text: &str) -> Result<Duration> {
    text.parse::<f64>()
        .ok()
        .filter(|s| (LEAST_SECONDS..=MOST_SECONDS).contains(s))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| {
            Error::usage(format!(
                "'{}' is no number of seconds from {LEAST_SECONDS} to {MOST_SECONDS}",
                text.escape_debug()
            ))
        })
}

/// The arguments that are no options.
#[derive(Default)]
struct Words(VecDeque<String>);

impl Words {
    /// Takes the next one, which is needed.
    fn need(&mut self, usage: &str) -> Result<String> {
        self.0
            .pop_front()
            .ok_or_else(|| Error::usage(format!("something is missing: ufsirq {usage}")))
    }

    /// Takes the next one, else every host.
    fn host_or_all(&mut self) -> String {
        self.0.pop_front().unwrap_or_else(|| ALL.to_owned())
    }

    /// Makes sure that nothing is left.
    fn end(&self, usage: &str) -> Result<()> {
        match self.0.front() {
            None => Ok(()),
            Some(word) => Err(Error::usage(format!(
                "'{}' is too much: ufsirq {usage}",
                word.escape_debug()
            ))),
        }
    }

    /// Understands all of them.
    fn command(mut self, seconds: Option<Duration>) -> Result<Command> {
        let name = self.0.pop_front().unwrap_or_else(|| "list".to_owned());
        let (command, usage) = match name.as_str() {
            "list" => {
                let host = self.host_or_all();
                (Command::List { host }, "list [HOST]")
            }
            "mode" => {
                let usage = "mode HOST|all MODE";
                let (host, mode) = (self.need(usage)?, self.need(usage)?);
                (Command::Mode { host, mode }, usage)
            }
            "limit" => {
                let usage = "limit HOST|all NAME VALUE";
                let (host, name) = (self.need(usage)?, self.need(usage)?);
                let text = self.need(usage)?;
                let value = text.parse().map_err(|_| {
                    let text = text.escape_debug();
                    Error::usage(format!(
                        "'{text}' is no whole number that is not negative: ufsirq {usage}"
                    ))
                })?;
                (Command::Limit { host, name, value }, usage)
            }
            "top" => {
                let every = self.0.pop_front();
                let every = every.map_or(Ok(Duration::from_secs(1)), |t| parse_seconds(&t))?;
                let count = self.0.pop_front().map(|t| parse_count(&t)).transpose()?;
                (Command::Top { every, count }, "top [SECONDS [COUNT]]")
            }
            "hist" => {
                let usage = "hist HOST|all";
                let host = self.need(usage)?;
                (Command::Hist { host }, usage)
            }
            "suggest" => {
                let host = self.host_or_all();
                let time = seconds.unwrap_or(Duration::from_secs(10));
                let command = Command::Suggest { host, time };
                (command, "suggest [HOST|all] [--seconds N]")
            }
            "reset" => {
                let usage = "reset HOST|all";
                let host = self.need(usage)?;
                (Command::Reset { host }, usage)
            }
            _ => {
                return Err(Error::usage(format!(
                    "there is no command '{}'; there are: list, mode, limit, top, hist, suggest, \
                     reset",
                    name.escape_debug()
                )))
            }
        };
        self.end(usage)?;
        if seconds.is_some() && !matches!(command, Command::Suggest { .. }) {
            return Err(Error::usage("--seconds is for 'suggest' only"));
        }
        Ok(command)
    }
}

/// Returns the number of blocks that an argument gives.
fn parse_count(text: &str) -> Result<u64> {
    text.parse()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| Error::usage(format!("'{}' is no count", text.escape_debug())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Invocation> {
        Invocation::parse(line.split_whitespace().map(OsString::from))
    }

    fn command(line: &str) -> Command {
        parse(line).unwrap().command
    }

    fn usage_error(line: &str) -> String {
        match parse(line) {
            Err(Error::Usage(text)) => text,
            other => panic!("{line}: {other:?}"),
        }
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
        for line in [
            "suggest a --seconds 3",
            "suggest --seconds=3 a",
            "--seconds 3 suggest a",
        ] {
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
            usage_error(&format!("top {bad}"));
            usage_error(&format!("suggest --seconds {bad}"));
            usage_error(&format!("top 1 {bad}"));
        }
    }

    #[test]
    fn help_and_version_are_given_wherever_they_are_asked_for() {
        for line in ["--help", "-h", "help", "mode --help", "top x --help"] {
            assert_eq!(command(line), Command::Help, "{line}");
        }
        assert_eq!(command("--version"), Command::Version);
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
        for line in ["--root /x list", "list --root=/x"] {
            assert_eq!(parse(line).unwrap().root, Some("/x".into()));
        }
        usage_error("--root");
        usage_error("--root=");
    }

    #[test]
    fn wrong_usage_is_told_with_the_right_one() {
        for (line, says) in [
            ("mode", "ufsirq mode HOST|all MODE"),
            ("mode a", "ufsirq mode HOST|all MODE"),
            ("mode a b c", "'c' is too much"),
            ("limit a b", "ufsirq limit HOST|all NAME VALUE"),
            ("limit a b -1", "'-1' is no whole number"),
            ("limit a b 18446744073709551616", "no whole number"),
            ("list a b", "'b' is too much"),
            ("hist", "ufsirq hist HOST|all"),
            ("reset", "ufsirq reset HOST|all"),
            ("top 1 2 3", "'3' is too much"),
            ("frobnicate", "there are: list, mode"),
            ("--frobnicate", "no option '--frobnicate'"),
            ("list --seconds 3", "for 'suggest' only"),
        ] {
            let text = usage_error(line);
            assert!(text.contains(says), "{line}: {text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_refused() {
        use std::os::unix::ffi::OsStringExt;

        let args = [OsString::from_vec(vec![0xff, 0xfe])];
        assert!(matches!(
            Invocation::parse(args.into_iter()),
            Err(Error::Usage(_))
        ));
    }
}
