// SPDX-License-Identifier: GPL-2.0

//! The registers of a host.

use core::mem::size_of;

use kernel::{
    device::{
        self,
        Bound, //
    },
    error::from_err_ptr,
    io::{
        register,
        register::FixedRegister,
        Io, //
    },
    platform,
    prelude::*, //
};

use crate::abi::{
    bindings,
    compat, //
};

/// Bytes that every host's register window has: the UFSHCI registers without those of MCQ.
pub(super) const REGISTERS_LEN: usize = 0x100;

register! {
    /// Interrupt status; write 1 to clear (UFSHCI 5.3.1).
    pub(crate) IS(u32) @ 0x20 {
        /// A transfer request has completed, or several have.
        0:0 utrcs => bool;
    }

    /// Doorbell: a bit for each request that the controller is not done with (UFSHCI 5.4.3).
    pub(crate) UTRLDBR(u32) @ 0x58 {
        31:0 requests => u32;
    }
}

/// The register window of a host: memory resource 0 of its device, device-managed.
///
/// # Invariants
///
/// The window stays mapped as long as this is used: it is mapped before the host is allocated, and
/// unmapped after everything that holds one of these is gone.
pub(super) struct Registers(compat::io::Window<REGISTERS_LEN>);

impl Registers {
    /// Takes and maps the window. It is unmapped when `pdev` is unbound.
    ///
    /// The kernel crate's own exclusive mappings are of no use here: they request the region below
    /// the device's resource, but those of devices from a device tree are in no resource tree, so
    /// the request excludes nobody and cannot be undone ("Trying to free nonexistent resource").
    ///
    /// # Safety
    ///
    /// What is returned must not be used after what was device-managed for `pdev` before has been
    /// released.
    pub(super) unsafe fn map(pdev: &platform::Device<Bound>) -> Result<Self> {
        let dev: &device::Device<Bound> = pdev.as_ref();
        // SAFETY: A bound platform device. CAST: `Device` is a transparent wrapper of the C type.
        let base = from_err_ptr(unsafe {
            kernel::bindings::devm_platform_ioremap_resource(
                core::ptr::from_ref(pdev).cast_mut().cast(),
                0,
            )
        })
        .inspect_err(|err| {
            dev_err!(
                dev,
                "cannot map the registers, the first entry of 'reg' (error {})\n",
                err.to_errno()
            );
        })?;
        let size = pdev.resource_by_index(0).ok_or(ENODEV)?.size();
        // SAFETY: Just mapped, with this size.
        let window = unsafe { compat::io::Window::new(base, size.try_into()?) };
        // INVARIANT: This function's requirement.
        Ok(Self(window.inspect_err(|_| {
            dev_err!(
                dev,
                "the first entry of 'reg' is {} bytes long; a UFS host has at least {}, and a multiple of 4\n",
                size,
                REGISTERS_LEN
            );
        })?))
    }

    /// Reads the interrupt status.
    pub(super) fn interrupt_status(&self) -> IS {
        // SAFETY: Mapped, by the type's invariants.
        IS::from_raw(unsafe { bindings::ufs_unisoc_readl(self.ptr_of::<IS>()) })
    }

    /// Reads the doorbell.
    pub(super) fn doorbell(&self) -> UTRLDBR {
        // SAFETY: Mapped, by the type's invariants.
        UTRLDBR::from_raw(unsafe { bindings::ufs_unisoc_readl(self.ptr_of::<UTRLDBR>()) })
    }

    /// Clears the bits of the interrupt status that are set in `bits`.
    pub(super) fn clear_interrupt_status(&self, bits: IS) {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { bindings::ufs_unisoc_writel(bits.into_raw(), self.ptr_of::<IS>()) };
    }

    fn ptr_of<R: FixedRegister>(&self) -> *mut c_void {
        const { assert!(R::OFFSET + size_of::<R>() <= REGISTERS_LEN) };

        self.0.as_ptr().wrapping_byte_add(R::OFFSET)
    }

    /// Checks that `len` bytes at `offset` are inside the window, and `offset` is aligned.
    ///
    /// # Errors
    ///
    /// `EINVAL` if not.
    pub(super) fn check(&self, offset: usize, len: usize) -> Result {
        let end = offset.checked_add(len).ok_or(EINVAL)?;
        if offset % 4 != 0 || end > self.0.len() {
            return Err(EINVAL);
        }
        Ok(())
    }

    /// Reads a register whose offset is known at run time only.
    pub(super) fn try_read(&self, offset: usize) -> Result<u32> {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { self.0.view() }.try_read32(offset)
    }

    /// Writes a register whose offset is known at run time only.
    pub(super) fn try_write(&self, offset: usize, value: u32) -> Result {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { self.0.view() }.try_write32(value, offset)
    }

    /// Returns the address that the core uses.
    pub(super) fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr()
    }
}
