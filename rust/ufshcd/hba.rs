// SPDX-License-Identifier: GPL-2.0

//! A host as the core knows it.

use core::marker::PhantomData;

use kernel::{
    device,
    prelude::*,
    sync::Arc,
    types::Opaque, //
};

use super::{
    quirks::{
        Capabilities,
        Quirks, //
    },
    registers::Registers,
    VariantOps, //
};
use crate::abi::bindings;

/// A host as the core knows it (`struct ufs_hba`).
///
/// # Invariants
///
/// The host was allocated by [`NewHost::alloc`] for this `T`: its variant pointer is that of a
/// [`Private<T>`] that lives as long as the host.
#[repr(transparent)]
pub(crate) struct Hba<T>(Opaque<bindings::ufs_hba>, PhantomData<T>);

/// What hangs off the host's variant pointer.
pub(super) struct Private<T: VariantOps> {
    pub(super) registers: Arc<Registers>,
    pub(super) data: Arc<T::Data>,
}

impl<T: VariantOps> Hba<T> {
    /// Makes a reference of the core's pointer.
    ///
    /// # Safety
    ///
    /// `hba` must point to a host that was allocated by [`NewHost::alloc`] for this `T`, and live
    /// for the lifetime `'a`.
    pub(super) unsafe fn from_raw<'a>(hba: *mut bindings::ufs_hba) -> &'a Self {
        // SAFETY: By this function's requirements; the type is a transparent wrapper.
        // INVARIANT: Likewise.
        unsafe { &*hba.cast() }
    }

    pub(super) fn as_raw(&self) -> *mut bindings::ufs_hba {
        self.0.get()
    }

    pub(super) fn private(&self) -> &Private<T> {
        // SAFETY: By the type's invariants; the pointer is set once, before the core sees the host.
        unsafe { &*(*self.as_raw()).priv_.cast::<Private<T>>() }
    }

    /// Returns what the driver keeps for this host.
    pub(crate) fn data(&self) -> &T::Data {
        &self.private().data
    }

    /// Returns whether the host completes through completion queues (MCQ) instead of the doorbell.
    ///
    /// Settled once the host is registered.
    pub(crate) fn mcq_enabled(&self) -> bool {
        // SAFETY: A valid host. The core sets this while it registers the host.
        unsafe { (&raw const (*self.as_raw()).mcq_enabled).read_volatile() }
    }

    /// Points the core at the MCQ queue configuration registers, by the host's MCQ capabilities.
    ///
    /// For [`VariantOps::mcq_config_resource`], on hosts that keep to UFSHCI 4.0.
    pub(crate) fn use_reported_mcq_config(&self) -> Result {
        let hba = self.as_raw();
        // SAFETY: A valid host, whose capabilities have been read when MCQ is configured.
        let offset = unsafe { bindings::ufshcd_mcq_queue_cfg_addr(hba) } as usize;
        // An error means that it is outside the window.
        self.private().registers.try_read(offset)?;
        // SAFETY: A valid host, that the core configures in this thread.
        unsafe { (*hba).mcq_base = (*hba).mmio_base.wrapping_byte_add(offset) };
        Ok(())
    }

    /// Points the core at the MCQ operation and runtime registers, by what the queue configuration
    /// registers report.
    ///
    /// For [`VariantOps::op_runtime_config`], on hosts that keep to UFSHCI 4.0.
    pub(crate) fn use_reported_mcq_runtime(&self) -> Result {
        /// Bytes from a queue's configuration registers to the next one's (UFSHCI 4.0, 5.10).
        const QUEUE: usize = 0x40;
        /// Offsets of SQDAO, SQISAO, CQDAO and CQISAO, in the order of `enum ufshcd_mcq_opr`.
        const REPORTS: [usize; 4] = [0x0c, 0x10, 0x2c, 0x30];
        /// Bytes that the registers of one queue take if there is no second one to compare with.
        const STRIDE: usize = 48;

        let hba = self.as_raw();
        let registers = &self.private().registers;
        // SAFETY: A valid host.
        let config = unsafe { bindings::ufshcd_mcq_queue_cfg_addr(hba) } as usize;
        // SAFETY: A valid host. Bits 7:0 are the number of queues less one (UFSHCI 4.0, MCQCAP).
        let queues = (unsafe { (*hba).mcq_capabilities } & 0xff) + 1;

        for (n, report) in REPORTS.into_iter().enumerate() {
            let first = registers.try_read(config + report)? as usize;
            let stride = if queues > 1 {
                let second = registers.try_read(config + QUEUE + report)? as usize;
                second
                    .checked_sub(first)
                    .filter(|&s| s != 0)
                    .ok_or(EINVAL)?
            } else {
                STRIDE
            };
            registers.try_read(first)?;
            // SAFETY: A valid host, that the core configures in this thread.
            let opr = unsafe { &mut (*hba).mcq_opr }.get_mut(n).ok_or(EINVAL)?;
            opr.offset = first;
            opr.stride = stride;
            // SAFETY: A valid host.
            opr.base = unsafe { (*hba).mmio_base }.wrapping_byte_add(first);
        }
        Ok(())
    }
}

/// What variant operations may set, before or while the core brings the host up.
impl<T: VariantOps> Hba<T> {
    /// Adds quirks; from [`VariantOps::init`].
    pub(crate) fn add_quirks(&self, quirks: &[Quirks]) {
        for quirk in quirks {
            // SAFETY: A valid host, of which only the thread that registers it changes quirks.
            unsafe { (*self.as_raw()).quirks |= quirk.0 };
        }
    }

    /// Adds capabilities; from [`VariantOps::init`].
    pub(crate) fn add_capabilities(&self, capabilities: &[Capabilities]) {
        for capability in capabilities {
            // SAFETY: A valid host, of which only the thread that registers it changes them.
            unsafe { (*self.as_raw()).caps |= capability.0 };
        }
    }

    /// Sets the power levels (`UFS_PM_LVL_*`, 0 to 6) of runtime and system suspend; from
    /// [`VariantOps::init`].
    pub(crate) fn set_pm_levels(&self, runtime: u32, system: u32) {
        let hba = self.as_raw();
        // SAFETY: A valid host that is not registered yet.
        unsafe {
            (*hba).rpm_lvl = runtime as bindings::ufs_pm_level;
            (*hba).spm_lvl = system as bindings::ufs_pm_level;
        }
    }

    /// Sets how long VCC needs to fall after it is switched off, in us; from [`VariantOps::init`].
    pub(crate) fn set_vcc_off_delay_us(&self, us: u32) {
        // SAFETY: A valid host that is not registered yet.
        unsafe { (*self.as_raw()).vcc_off_delay_us = us };
    }

    /// Sets how long the host is idle before its clocks are gated, in ms.
    ///
    /// Context: any.
    pub(crate) fn set_clkgate_delay_ms(&self, ms: c_ulong) {
        // SAFETY: A valid host, whose device is its own.
        unsafe { bindings::ufshcd_clkgate_delay_set((*self.as_raw()).dev, ms) };
    }

    /// Returns whether the link is off.
    pub(crate) fn link_is_off(&self) -> bool {
        // SAFETY: A valid host.
        let state = unsafe { (&raw const (*self.as_raw()).uic_link_state).read_volatile() };
        state == bindings::uic_link_state_UIC_LINK_OFF_STATE
    }

    /// Returns whether the link is in hibern8.
    pub(crate) fn link_is_hibern8(&self) -> bool {
        // SAFETY: A valid host.
        let state = unsafe { (&raw const (*self.as_raw()).uic_link_state).read_volatile() };
        state == bindings::uic_link_state_UIC_LINK_HIBERN8_STATE
    }

    /// Returns the host's device.
    pub(crate) fn device(&self) -> &device::Device {
        // SAFETY: A valid host, which lives no longer than its device.
        unsafe { device::Device::from_raw((*self.as_raw()).dev.cast()) }
    }

    /// Writes a register of the host.
    ///
    /// # Errors
    ///
    /// `EINVAL` outside the registers that every host has.
    pub(crate) fn write_register(&self, offset: u32, value: u32) -> Result {
        self.private().registers.try_write(offset as usize, value)
    }

    /// Clears the crypto enable bit of a request without data, before it is rung in.
    ///
    /// From [`VariantOps::setup_xfer_req`].
    pub(crate) fn no_crypto_without_data(&self, tag: u32) {
        let hba = self.as_raw();
        // SAFETY: A valid host, with a list of `nutrs` descriptors once requests are rung in.
        if tag >= unsafe { (*hba).nutrs } as u32 {
            return;
        }
        // SAFETY: As above; the descriptor is the caller's until the doorbell is rung.
        let header = unsafe { &mut (*(*hba).utrdl_base_addr.add(tag as usize)).header };
        if header.data_direction() == 0 && header.enable_crypto() != 0 {
            header.set_enable_crypto(0);
        }
    }
}
