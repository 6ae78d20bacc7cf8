// SPDX-License-Identifier: GPL-2.0

//! The text of the `irq_mode` parameter: `threaded,22000000.ufs:hardirq`.
//!
//! Entries are separated by commas. A mode alone is meant for every host, a mode
//! behind a host's name and a colon for that host. The mode is what follows the
//! *last* colon, since names of platform devices may hold colons. Each host, and
//! "every host", may be given once.
//!
//! Plain `core`, so that the host tests run this very file.

use core::fmt;

use super::mode::{
    IrqMode,
    ValidWords, //
};

/// Longest text that is taken, in bytes.
pub(crate) const MAX_LEN: usize = 511;

/// A list that was found good, kept as text.
///
/// # Invariants
///
/// The first `len` bytes of `text` are empty or pass [`check`].
pub(crate) struct ModeList {
    text: [u8; MAX_LEN],
    len: usize,
}

/// What is wrong with a list. Displays as half a sentence that names the word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ListError<'a> {
    /// There is nothing in it.
    Empty,
    /// An entry between two commas is empty.
    EmptyEntry,
    /// It has more than [`MAX_LEN`] bytes.
    TooLong(usize),
    /// A word where a mode should be is none.
    NotAMode(&'a [u8]),
    /// A colon has no host before it.
    NoHost(&'a [u8]),
    /// A host's name has a blank or another byte that no name has.
    NotAName(&'a [u8]),
    /// There are two modes for every host.
    SecondDefault(&'a [u8]),
    /// There are two modes for this host.
    SecondForHost(&'a [u8]),
}

impl ModeList {
    /// A list that gives no host a mode.
    pub(crate) const fn new() -> Self {
        // INVARIANT: No byte is in use.
        Self {
            text: [0; MAX_LEN],
            len: 0,
        }
    }

    /// Takes over `text`, without its trailing newline. On an error, changes nothing.
    pub(crate) fn set<'a>(&mut self, text: &'a [u8]) -> Result<(), ListError<'a>> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        check(text)?;
        let place = self
            .text
            .get_mut(..text.len())
            .ok_or(ListError::TooLong(text.len()))?;
        place.copy_from_slice(text);
        // INVARIANT: `check` passed for these bytes.
        self.len = text.len();
        Ok(())
    }

    /// Returns the list as it was given.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or_default()
    }

    /// Returns the mode given to `host`: its own entry's, else that for every host, else `None`.
    pub(crate) fn mode_of(&self, host: &[u8]) -> Option<IrqMode> {
        let mut for_all = None;
        for entry in entries(self.as_bytes()) {
            let (name, word) = split(entry);
            match name {
                Some(name) if name == host => return IrqMode::from_word(word),
                Some(_) => {}
                None => for_all = IrqMode::from_word(word),
            }
        }
        for_all
    }
}

impl fmt::Display for ModeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bytes(f, self.as_bytes())
    }
}

/// Splits a text into its entries; an empty text has none.
fn entries(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text.split(|&b| b == b',').filter(move |_| !text.is_empty())
}

/// Splits an entry into the host's name, if any, and the mode's word.
fn split(entry: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match entry.iter().rposition(|&b| b == b':') {
        Some(at) => (
            Some(entry.get(..at).unwrap_or_default()),
            entry.get(at + 1..).unwrap_or_default(),
        ),
        None => (None, entry),
    }
}

/// Says what is wrong with a list, if anything is.
fn check(text: &[u8]) -> Result<(), ListError<'_>> {
    if text.is_empty() {
        return Err(ListError::Empty);
    }
    if text.len() > MAX_LEN {
        return Err(ListError::TooLong(text.len()));
    }
    for (i, entry) in entries(text).enumerate() {
        let (name, word) = split(entry);
        if entry.is_empty() {
            return Err(ListError::EmptyEntry);
        }
        if name == Some(b"") {
            return Err(ListError::NoHost(entry));
        }
        if let Some(name) = name.filter(|n| !n.iter().all(u8::is_ascii_graphic)) {
            return Err(ListError::NotAName(name));
        }
        if IrqMode::from_word(word).is_none() {
            return Err(ListError::NotAMode(word));
        }
        if entries(text).take(i).any(|e| split(e).0 == name) {
            return Err(match name {
                Some(name) => ListError::SecondForHost(name),
                None => ListError::SecondDefault(word),
            });
        }
    }
    Ok(())
}

/// Writes bytes a user gave: what is not printable as `\xNN`, and not more than fits a log line.
fn write_bytes(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    for &b in bytes {
        if b.is_ascii_graphic() || b == b' ' {
            write!(f, "{}", char::from(b))?;
        } else {
            write!(f, "\\x{b:02x}")?;
        }
    }
    Ok(())
}

/// A user's word in a message, cut where it would swamp the line.
pub(crate) struct Quoted<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;

        f.write_str("'")?;
        write_bytes(f, self.0.get(..SHOWN).unwrap_or(self.0))?;
        f.write_str(if self.0.len() > SHOWN { "...'" } else { "'" })
    }
}

impl fmt::Display for ListError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "no mode given; valid are {ValidWords}"),
            Self::EmptyEntry => f.write_str("an entry is empty; check the commas"),
            Self::TooLong(len) => {
                write!(f, "{len} bytes are too long; at most {MAX_LEN} are taken")
            }
            Self::NotAMode(word) => {
                write!(f, "{} is not a mode; valid are {ValidWords}", Quoted(word))
            }
            Self::NoHost(entry) => {
                write!(f, "{} has no host before its colon", Quoted(entry))
            }
            Self::NotAName(name) => {
                write!(
                    f,
                    "no host can be called {}; leave blanks out",
                    Quoted(name)
                )
            }
            Self::SecondDefault(word) => write!(
                f,
                "{} is a second mode for every host; name the host it is for, like 22000000.ufs:{}",
                Quoted(word),
                IrqMode::DEFAULT
            ),
            Self::SecondForHost(name) => write!(f, "host {} is given twice", Quoted(name)),
        }
    }
}
