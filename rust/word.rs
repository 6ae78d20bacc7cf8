// SPDX-License-Identifier: GPL-2.0

//! Words that are shared with interrupt handlers, and accessed in each of them.
//!
//! A thin layer on [`Atomic`] whose plain accesses are accesses and not calls: the kernel crate's
//! are functions outside the module.

use kernel::sync::atomic::{
    Atomic,
    Full,
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
        // SAFETY: The pointer is that of our word. A volatile read is what `atomic_read()` is on
        // every architecture (`READ_ONCE()`), and in the kernel's memory model no data race with
        // the atomic changes of others.
        unsafe { self.0.as_ptr().read_volatile() }
    }

    /// Sets the value, in no order with anything else.
    ///
    /// Context: any.
    #[inline]
    pub(crate) fn store(&self, value: u32) {
        // SAFETY: As in `load`, with `atomic_set()` and `WRITE_ONCE()`.
        unsafe { self.0.as_ptr().write_volatile(value) }
    }

    /// Replaces the value and returns the old one. Fully ordered.
    ///
    /// Context: any.
    pub(crate) fn swap(&self, new: u32) -> u32 {
        self.0.xchg(new, Full)
    }

    /// Replaces the value if it is `old`, fully ordered then. Returns whether it was.
    ///
    /// Context: any.
    pub(crate) fn replace(&self, old: u32, new: u32) -> bool {
        self.0.cmpxchg(old, new, Full).is_ok()
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

/// A number that one context writes and others read.
///
/// Counting is a load and a store, not an atomic operation: where two contexts count at once, one
/// of the two is not counted. Nothing worse.
pub(crate) struct Counter(Atomic<u64>);

impl Counter {
    /// Makes a counter at 0.
    pub(crate) const fn new() -> Self {
        Self(Atomic::new(0))
    }

    /// Returns the value.
    ///
    /// Context: any.
    #[inline]
    pub(crate) fn get(&self) -> u64 {
        // SAFETY: As in `Word::load`. Where 64 bits take two accesses a reader may see half of a
        // change, as with `READ_ONCE()` of such a variable.
        unsafe { self.0.as_ptr().read_volatile() }
    }

    /// Sets the value.
    ///
    /// Context: that which writes.
    #[inline]
    pub(crate) fn set(&self, value: u64) {
        // SAFETY: As in `Word::store`, and above.
        unsafe { self.0.as_ptr().write_volatile(value) }
    }

    /// Adds to the value.
    ///
    /// Context: that which writes.
    #[inline]
    pub(crate) fn add(&self, more: u64) {
        self.set(self.get().wrapping_add(more));
    }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/word.rs"]
mod kunit;
