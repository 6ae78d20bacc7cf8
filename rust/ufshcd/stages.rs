// SPDX-License-Identifier: GPL-2.0

//! Hosts at a stage of their life that allows more than usual.
//!
//! Each is handed to one variant operation only, so what it offers cannot be called at another
//! time.

use core::ops::Deref;

use kernel::prelude::*;

use super::{
    quirks::{
        Capabilities,
        PmLevel,
        Quirks, //
    },
    Hba,
    VariantOps, //
};
use crate::abi::bindings;

/// A host that is being set up, in [`VariantOps::init`].
///
/// # Invariants
///
/// The core is in the host's registration, and calls the variant operation: nobody else uses the
/// host.
pub(crate) struct Setup<'a, T: VariantOps>(&'a Hba<T>);

impl<'a, T: VariantOps> Setup<'a, T> {
    /// # Safety
    ///
    /// Only from the core's `init` callback.
    pub(super) unsafe fn new(hba: &'a Hba<T>) -> Self {
        // INVARIANT: By this function's requirements.
        Self(hba)
    }

    /// Adds quirks.
    pub(crate) fn add_quirks(&self, quirks: &[Quirks]) {
        for quirk in quirks {
            // SAFETY: A valid host that nobody else uses, by the invariants.
            unsafe { (*self.as_raw()).quirks |= quirk.0 };
        }
    }

    /// Adds capabilities.
    pub(crate) fn add_capabilities(&self, capabilities: &[Capabilities]) {
        for capability in capabilities {
            // SAFETY: A valid host that nobody else uses, by the invariants.
            unsafe { (*self.as_raw()).caps |= capability.0 };
        }
    }

    /// Sets the power levels of runtime and system suspend.
    pub(crate) fn set_pm_levels(&self, runtime: PmLevel, system: PmLevel) {
        // SAFETY: A valid host that nobody else uses, by the invariants.
        unsafe { (*self.as_raw()).rpm_lvl = runtime.as_raw() };
        // SAFETY: As above.
        unsafe { (*self.as_raw()).spm_lvl = system.as_raw() };
    }

    /// Sets how long VCC needs to fall after it is switched off, in us.
    pub(crate) fn set_vcc_off_delay_us(&self, us: u32) {
        // SAFETY: A valid host that nobody else uses, by the invariants.
        unsafe { (*self.as_raw()).vcc_off_delay_us = us };
    }
}

impl<T: VariantOps> Deref for Setup<'_, T> {
    type Target = Hba<T>;

    fn deref(&self) -> &Hba<T> {
        self.0
    }
}

/// A host whose MCQ registers are being found.
///
/// # Invariants
///
/// The core is configuring MCQ, and calls the variant operation: no queue is in use.
pub(crate) struct McqSetup<'a, T: VariantOps>(&'a Hba<T>);

/// The layout of MCQ registers (UFSHCI 4.0, 5.9 and 5.10), in bytes.
mod mcq {
    /// From a queue's configuration registers to the next one's.
    pub(super) const QUEUE: usize = 0x40;
    /// Offsets of SQDAO, SQISAO, CQDAO and CQISAO, in the order of `enum ufshcd_mcq_opr`.
    pub(super) const REPORTS: [usize; 4] = [0x0c, 0x10, 0x2c, 0x30];
    /// The runtime registers of one queue in one of the four groups, at most.
    pub(super) const RUNTIME: usize = 0x14;
    /// From one queue's to the next one's if there is no second one to compare with.
    pub(super) const STRIDE: usize = 48;
}

impl<'a, T: VariantOps> McqSetup<'a, T> {
    /// # Safety
    ///
    /// Only from the core's callbacks that configure MCQ.
    pub(super) unsafe fn new(hba: &'a Hba<T>) -> Self {
        // INVARIANT: By this function's requirements.
        Self(hba)
    }

    /// Returns the offset of the queue configuration registers, if those of all queues are inside
    /// the window, and the number of queues.
    fn config(&self) -> Result<(usize, usize)> {
        let hba = self.0.as_raw();
        // SAFETY: A valid host, whose capabilities have been read when MCQ is configured.
        let offset = unsafe { bindings::ufshcd_mcq_queue_cfg_addr(hba) } as usize;
        // SAFETY: As above. Bits 7:0 are the number of queues less one (UFSHCI 4.0, MCQCAP).
        let queues = (unsafe { (*hba).mcq_capabilities } & 0xff) as usize + 1;

        self.0
            .private()
            .registers
            .check(offset, queues * mcq::QUEUE)?;
        Ok((offset, queues))
    }

    /// Points the core at the queue configuration registers, by the host's MCQ capabilities.
    ///
    /// For [`VariantOps::mcq_config_resource`], on hosts that keep to UFSHCI 4.0.
    ///
    /// # Errors
    ///
    /// `EINVAL` if they are not inside the register window.
    pub(crate) fn use_reported_config(&self) -> Result {
        let hba = self.0.as_raw();
        let (offset, _) = self.config()?;
        // SAFETY: A valid host, with no queue in use by the invariants.
        unsafe { (*hba).mcq_base = (*hba).mmio_base.wrapping_byte_add(offset) };
        Ok(())
    }

    /// Points the core at the operation and runtime registers, by what the queue configuration
    /// registers report.
    ///
    /// For [`VariantOps::op_runtime_config`], on hosts that keep to UFSHCI 4.0.
    ///
    /// # Errors
    ///
    /// `EINVAL` if they are not inside the register window.
    pub(crate) fn use_reported_runtime(&self) -> Result {
        let hba = self.0.as_raw();
        let registers = &self.0.private().registers;
        let (config, queues) = self.config()?;

        for (n, report) in mcq::REPORTS.into_iter().enumerate() {
            let first = registers.try_read(config + report)? as usize;
            let stride = if queues > 1 {
                let second = registers.try_read(config + mcq::QUEUE + report)? as usize;
                second
                    .checked_sub(first)
                    .filter(|&s| s != 0)
                    .ok_or(EINVAL)?
            } else {
                mcq::STRIDE
            };
            let len = stride
                .checked_mul(queues - 1)
                .and_then(|len| len.checked_add(mcq::RUNTIME))
                .ok_or(EINVAL)?;
            registers.check(first, len)?;

            // SAFETY: A valid host, with no queue in use by the invariants.
            let opr = unsafe { &mut (*hba).mcq_opr }.get_mut(n).ok_or(EINVAL)?;
            opr.offset = first;
            opr.stride = stride;
            // SAFETY: A valid host.
            opr.base = unsafe { (*hba).mmio_base }.wrapping_byte_add(first);
        }
        Ok(())
    }
}

/// A transfer request that is about to be rung in.
///
/// # Invariants
///
/// `tag` is that of a request of the host, whose descriptor is the core's and ours until the
/// doorbell is rung. If `is_scsi`, it came from the SCSI layer.
pub(crate) struct XferReq<'a, T: VariantOps> {
    hba: &'a Hba<T>,
    tag: u32,
    is_scsi: bool,
}

impl<'a, T: VariantOps> XferReq<'a, T> {
    /// # Safety
    ///
    /// Only from the core's `setup_xfer_req` callback, with its tag and kind.
    pub(super) unsafe fn new(hba: &'a Hba<T>, tag: u32, is_scsi: bool) -> Self {
        // INVARIANT: By this function's requirements.
        Self { hba, tag, is_scsi }
    }

    /// Returns what the driver keeps for this host.
    pub(crate) fn data(&self) -> &'a T::Data {
        self.hba.data()
    }

    /// Returns the request's tag: its bit in the doorbell.
    pub(crate) fn tag(&self) -> u32 {
        self.tag
    }

    /// Returns how much data the request moves, in bytes: 0 if it is one of the core's own.
    pub(crate) fn data_len(&self) -> u32 {
        if !self.is_scsi {
            return 0;
        }
        // SAFETY: A valid host; by the invariants the request has begun and is not completed. CAST:
        // Tags come from an `int`.
        unsafe { bindings::ufs_unisoc_data_len(self.hba.as_raw(), self.tag as c_int) }
    }

    /// Returns whether the interrupt leaves the request to its poller.
    pub(crate) fn is_polled(&self) -> bool {
        if !self.is_scsi {
            return false;
        }
        // SAFETY: As in `data_len`. CAST: As there.
        unsafe { bindings::ufs_unisoc_is_polled(self.hba.as_raw(), self.tag as c_int) }
    }

    /// Clears the crypto enable bit if the request has no data.
    // Of use with inline encryption only.
    #[cfg_attr(not(CONFIG_SCSI_UFS_CRYPTO), allow(dead_code))]
    pub(crate) fn no_crypto_without_data(&self) {
        // SAFETY: A valid host has a list of descriptors when requests are rung in, and by the
        // invariants this tag's is ours. CAST: To a type that is as wide.
        let header =
            unsafe { &mut (*(*self.hba.as_raw()).utrdl_base_addr.add(self.tag as usize)).header };

        if header.data_direction() == 0 && header.enable_crypto() != 0 {
            header.set_enable_crypto(0);
        }
    }
}
