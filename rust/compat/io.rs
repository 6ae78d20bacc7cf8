// SPDX-License-Identifier: GPL-2.0

//! Register windows that C code has mapped.

#[cfg(have_mmio_view)]
use kernel::io::Region;
use kernel::{
    io::{
        Mmio,
        MmioRaw, //
    },
    prelude::*, //
};

#[cfg(have_mmio_view)]
type Raw<const LEN: usize> = MmioRaw<Region<LEN>>;
#[cfg(not(have_mmio_view))]
type Raw<const LEN: usize> = MmioRaw<LEN>;

/// Access to the registers of a [`Window`].
#[cfg(have_mmio_view)]
pub(crate) type View<'a, const LEN: usize> = Mmio<'a, Region<LEN>>;
/// Access to the registers of a [`Window`].
#[cfg(not(have_mmio_view))]
pub(crate) type View<'a, const LEN: usize> = &'a Mmio<LEN>;

/// A device-managed mapping, revoked when the device is unbound.
#[cfg(have_mmio_view)]
pub(crate) type DevresIoMem = kernel::io::mem::DevresIoMem;
/// A device-managed mapping, revoked when the device is unbound.
#[cfg(not(have_mmio_view))]
pub(crate) type DevresIoMem = kernel::devres::Devres<kernel::io::mem::IoMem<'static>>;

/// A mapped register window of at least `LEN` bytes.
pub(crate) struct Window<const LEN: usize> {
    raw: Raw<LEN>,
    len: usize,
}

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
        #[cfg(have_mmio_view)]
        let raw = MmioRaw::new_region(base.addr(), size)?;
        #[cfg(not(have_mmio_view))]
        let raw = MmioRaw::new(base.addr(), size)?;
        Ok(Self { raw, len: size })
    }

    /// Gives access to the registers.
    ///
    /// # Safety
    ///
    /// The window must stay mapped for the lifetime of `self`.
    pub(crate) unsafe fn view(&self) -> View<'_, LEN> {
        #[cfg(have_mmio_view)]
        let raw = self.raw;
        #[cfg(not(have_mmio_view))]
        let raw = &self.raw;
        // SAFETY: This function's requirement, and that of `new`.
        unsafe { Mmio::from_raw(raw) }
    }

    /// Returns the length of the window in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the address of the mapping, for C code that does its own accesses.
    pub(crate) fn as_ptr(&self) -> *mut c_void {
        core::ptr::with_exposed_provenance_mut(self.raw.addr())
    }
}
