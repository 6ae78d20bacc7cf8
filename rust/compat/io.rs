// SPDX-License-Identifier: GPL-2.0

//! Register windows that C code has mapped.

use kernel::{
    io::{
        Mmio,
        MmioRaw,
        Region, //
    },
    prelude::*, //
};

/// A mapped register window of at least `LEN` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Window<const LEN: usize>(MmioRaw<Region<LEN>>);

impl<const LEN: usize> Window<LEN> {
    /// Describes a mapping of `size` bytes.
    ///
    /// # Safety
    ///
    /// `base` must be the address of such a mapping.
    ///
    /// # Errors
    ///
    /// `EINVAL` if `size` is less than `LEN` or no multiple of a register's.
    pub(crate) unsafe fn new(base: *mut c_void, size: usize) -> Result<Self> {
        Ok(Self(MmioRaw::new_region(base.addr(), size)?))
    }

    /// Gives access to the registers.
    ///
    /// # Safety
    ///
    /// The window must stay mapped for the lifetime `'a`.
    pub(crate) unsafe fn view<'a>(&self) -> Mmio<'a, Region<LEN>> {
        // SAFETY: This function's requirement, and that of `new`.
        unsafe { Mmio::from_raw(self.0) }
    }

    /// Returns the address of the mapping, for C code that does its own accesses.
    pub(crate) fn as_ptr(&self) -> *mut c_void {
        core::ptr::with_exposed_provenance_mut(self.0.addr())
    }
}
