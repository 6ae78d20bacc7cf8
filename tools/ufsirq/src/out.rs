// SPDX-License-Identifier: GPL-2.0

//! Standard output whose errors are not panics.

use std::{
    fmt::Display,
    io::{
        BufWriter,
        Write, //
    },
};

use crate::error::{
    Error,
    Result, //
};

/// Lines on their way to the user.
pub(crate) struct Out<W: Write>(BufWriter<W>);

impl<W: Write> Out<W> {
    /// Begins to write to `to`.
    pub(crate) fn new(to: W) -> Self {
        Self(BufWriter::new(to))
    }

    /// Adds a line, without the spaces at its end.
    pub(crate) fn line(&mut self, text: impl Display) -> Result<()> {
        let text = text.to_string();
        writeln!(self.0, "{}", text.trim_end()).map_err(|e| Error::of_output(&e))
    }

    /// Adds text as it is.
    pub(crate) fn raw(&mut self, text: &str) -> Result<()> {
        self.0
            .write_all(text.as_bytes())
            .map_err(|e| Error::of_output(&e))
    }

    /// Lets the user see what was added.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.0.flush().map_err(|e| Error::of_output(&e))
    }
}
