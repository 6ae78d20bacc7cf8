// SPDX-License-Identifier: GPL-2.0

//! Who serves a burst of completions: the hand-over from the hard interrupt handler to the thread.
//!
//! Plain `core`, so that the host tests run this very file, among them a model check of all
//! interleavings.

/// The word that the two share. Both operations are atomic and fully ordered: no access, also of a
/// device's register, moves across them in either direction.
pub(crate) trait Shared {
    /// Replaces the value and returns the old one.
    fn swap(&self, new: u32) -> u32;

    /// Replaces the value if it is `old`; returns whether it was.
    fn replace(&self, old: u32, new: u32) -> bool;

    /// Returns the value, in no order with anything else.
    fn peek(&self) -> u32;
}

/// No thread runs, and none was woken.
const IDLE: u32 = 0;
/// The thread looks at the doorbell; nothing has completed since it began to.
const RUNNING: u32 = 1;
/// Transfers were acknowledged that the thread, woken or running, has yet to look for.
const AGAIN: u32 = 2;

/// A burst.
///
/// While the thread runs, the handler only acknowledges and says so here: no wakeup, no decision.
/// The thread looks again until nothing was said meanwhile. What makes it lossless:
///
/// - The handler acknowledges before [`Burst::hand_over`], the thread reads the doorbell after
///   [`Burst::look`]. So what was handed over before a look is seen by it.
/// - What is handed over after it keeps [`Burst::finished`] from ending the burst, or finds it
///   ended and is told to wake the thread.
pub(crate) struct Burst<S>(S);

impl<S: Shared> Burst<S> {
    /// The value that the word must have at first.
    pub(crate) const INITIAL: u32 = IDLE;

    /// Makes a burst of its word.
    pub(crate) const fn new(word: S) -> Self {
        Self(word)
    }

    /// Returns whether the thread runs or was woken: a hint that may be out of date.
    ///
    /// Context: any.
    pub(crate) fn is_on(&self) -> bool {
        self.0.peek() != IDLE
    }

    /// Leaves acknowledged transfers to the thread. Returns whether it has to be woken; whoever is
    /// told so must do it.
    ///
    /// Context: the primary handler.
    #[must_use]
    pub(crate) fn hand_over(&self) -> bool {
        self.0.swap(AGAIN) == IDLE
    }

    /// Says that the thread is going to look at the doorbell.
    ///
    /// Context: the thread.
    pub(crate) fn look(&self) {
        self.0.swap(RUNNING);
    }

    /// Ends the burst if nothing was handed over since [`Burst::look`]; returns whether it did. If
    /// not, the thread must look again.
    ///
    /// Context: the thread.
    #[must_use]
    pub(crate) fn finished(&self) -> bool {
        self.0.replace(RUNNING, IDLE)
    }
}
