// SPDX-License-Identifier: GPL-2.0

//! What a host's interrupt handler knows and remembers, in one word.
//!
//! One word, so that a handler reads it at once, and with one access: from outside the kernel crate
//! each access to an atomic is a function call.
//!
//! Plain `core`, so that the host tests run this very file.

use super::mode::{
    Context,
    IrqMode, //
};

/// A value of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State(u32);

const MODE: u32 = 0x0000_000f;
const CONTEXT: u32 = 0x0000_00f0;
const CONTEXT_SHIFT: u32 = 4;
const FORCED_THREADS: u32 = 1 << 8;
const GONE: u32 = 1 << 9;

impl State {
    /// Nothing has happened yet.
    pub(crate) const fn new(mode: IrqMode) -> Self {
        Self(mode.index() | Context::None.index() << CONTEXT_SHIFT)
    }

    /// Returns the state that was kept as `raw`.
    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns what to keep.
    pub(crate) const fn into_raw(self) -> u32 {
        self.0
    }

    /// Returns where transfers shall complete.
    pub(crate) fn mode(self) -> IrqMode {
        IrqMode::from_index(self.0 & MODE)
    }

    /// With another mode.
    pub(crate) const fn with_mode(self, mode: IrqMode) -> Self {
        Self(self.0 & !MODE | mode.index())
    }

    /// Returns where the last transfer did complete.
    pub(crate) fn context(self) -> Context {
        Context::from_index((self.0 & CONTEXT) >> CONTEXT_SHIFT)
    }

    /// With another context.
    pub(crate) const fn with_context(self, context: Context) -> Self {
        Self(self.0 & !CONTEXT | context.index() << CONTEXT_SHIFT)
    }

    /// Returns whether the primary handler was seen to run in a thread; it always does, then.
    pub(crate) const fn forced_threads(self) -> bool {
        self.0 & FORCED_THREADS != 0
    }

    /// With the primary handler seen in a thread.
    pub(crate) const fn with_forced_threads(self) -> Self {
        Self(self.0 | FORCED_THREADS)
    }

    /// Returns whether it was said that the controller does not answer.
    pub(crate) const fn gone(self) -> bool {
        self.0 & GONE != 0
    }

    /// With that said.
    pub(crate) const fn with_gone(self) -> Self {
        Self(self.0 | GONE)
    }
}
