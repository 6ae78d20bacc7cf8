// SPDX-License-Identifier: GPL-2.0

//! What can go wrong, with the text that the user reads and the exit code.

use std::io;

/// Why a command ends early.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Error {
    /// It could not be done; a line for each thing that went wrong.
    Failed(String),
    /// Whoever read the output has gone, as `head` does: no error, but the end.
    OutputClosed,
}

/// What a step of a command returns.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Returns what could not be done.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }

    /// Returns the error of having written to standard output.
    pub(crate) fn of_output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else {
            Self::failed(format!("the output cannot be written: {error}"))
        }
    }

    /// Returns the lines for the user; none if there is nothing to say.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Failed(text) => text,
            Self::OutputClosed => "",
        }
    }

    /// Returns the exit code of the process.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::Failed(_) => 1,
        }
    }
}

/// Returns `Ok` if nothing went wrong, else all of it.
pub(crate) fn all_of(problems: &[String]) -> Result<()> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Error::failed(problems.join("\n")))
    }
}
