// SPDX-License-Identifier: GPL-2.0

//! Where transfer completions run: the modes and their names.
//!
//! Plain `core`, so that the host tests run this very file.

use core::fmt;

/// Where the completions of a host run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IrqMode {
    /// In the hard interrupt handler: lowest latency of a single request.
    Hardirq,
    /// In the interrupt's thread: shortest hard interrupt sections.
    Threaded,
    /// Little work in the hard interrupt handler, the rest in the thread.
    Adaptive,
}

impl IrqMode {
    /// Every mode, in the order in which users see them.
    pub(crate) const ALL: [Self; 3] = [Self::Hardirq, Self::Threaded, Self::Adaptive];

    /// What a host gets that nobody gave a mode.
    pub(crate) const DEFAULT: Self = Self::Adaptive;

    /// Returns the word users write and read.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hardirq => "hardirq",
            Self::Threaded => "threaded",
            Self::Adaptive => "adaptive",
        }
    }

    /// Returns the mode that `word` names, to the letter.
    pub(crate) fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name().as_bytes() == word)
    }

    /// Returns the number under which a mode is kept in an atomic.
    pub(crate) const fn index(self) -> u32 {
        match self {
            Self::Hardirq => 0,
            Self::Threaded => 1,
            Self::Adaptive => 2,
        }
    }

    /// Returns the mode kept under `index`; an unknown number gives the default.
    pub(crate) fn from_index(index: u32) -> Self {
        Self::ALL
            .into_iter()
            .find(|m| m.index() == index)
            .unwrap_or(Self::DEFAULT)
    }
}

/// Returns the mode in effect where `wish` is asked for.
///
/// Where interrupts are force-threaded (PREEMPT_RT, `threadirqs`) no handler of a device runs in
/// hard IRQ, so every mode is the thread's.
pub(crate) const fn effective(wish: IrqMode, forced_threads: bool) -> IrqMode {
    if forced_threads {
        IrqMode::Threaded
    } else {
        wish
    }
}

impl fmt::Display for IrqMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every mode's name with the chosen one in brackets: `hardirq threaded [adaptive]`.
pub(crate) struct Brackets(pub(crate) IrqMode);

impl fmt::Display for Brackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mode) in IrqMode::ALL.into_iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            if mode == self.0 {
                write!(f, "{gap}[{mode}]")?;
            } else {
                write!(f, "{gap}{mode}")?;
            }
        }
        Ok(())
    }
}

/// The valid words, for messages: `hardirq, threaded, adaptive`.
pub(crate) struct ValidWords;

impl fmt::Display for ValidWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mode) in IrqMode::ALL.into_iter().enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            write!(f, "{gap}{mode}")?;
        }
        Ok(())
    }
}

/// Where a completion really ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// Nothing has completed since the host was probed.
    None,
    /// In a hard interrupt handler.
    Hardirq,
    /// In an interrupt thread.
    Thread,
}

impl Context {
    const ALL: [Self; 3] = [Self::None, Self::Hardirq, Self::Thread];

    /// Returns the number under which a context is kept in an atomic.
    pub(crate) const fn index(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Hardirq => 1,
            Self::Thread => 2,
        }
    }

    /// Returns the context kept under `index`.
    pub(crate) fn from_index(index: u32) -> Self {
        Self::ALL
            .into_iter()
            .find(|c| c.index() == index)
            .unwrap_or(Self::None)
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Hardirq => "hardirq",
            Self::Thread => "thread",
        })
    }
}
