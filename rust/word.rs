// SPDX-License-Identifier: GPL-2.0

//! A word that is shared with interrupt handlers, and read in each of them.
//!
//! A thin layer on [`Atomic`] whose load is an access and not a call: the kernel crate's accesses are
//! functions outside the module.

use kernel::sync::atomic::{
    Atomic,
    Relaxed, //
};

/// The word.
pub(crate) struct Word(Atomic<u32>);

impl Word {
    /// Makes a word.
    pub(crate) const fn new(value: u32) -> Self {
        Self(Atomic::new(value))
    }

    /// Returns the value.
    ///
    /// Context: any.
    #[inline]
    pub(crate) fn load(&self) -> u32 {
        // SAFETY: The pointer is that of our word. A volatile read is what `atomic_read()` is on every
        // architecture (`READ_ONCE()`), and in the kernel's memory model no data race with the
        // atomic changes of others.
        unsafe { self.0.as_ptr().read_volatile() }
    }

    /// Changes the value at once with respect to others who do. Returns what it was.
    ///
    /// Context: any.
    #[cold]
    #[inline(never)]
    pub(crate) fn update(&self, change: impl Fn(u32) -> u32) -> u32 {
        let mut old = self.load();
        loop {
            match self.0.cmpxchg(old, change(old), Relaxed) {
                Ok(_) => return old,
                Err(other) => old = other,
            }
        }
    }
}
