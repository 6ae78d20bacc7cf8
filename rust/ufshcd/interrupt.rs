// SPDX-License-Identifier: GPL-2.0

//! Which transfers complete where.
//!
//! A host's driver sees every interrupt before the core does ([`InterruptOps`]), through an
//! interrupt gate. It may complete transfers itself, in the context it likes, as long as nothing
//! but their completion is asserted; everything else goes to the core.

use core::ptr::NonNull;

use kernel::{
    device,
    prelude::*,
    sync::Arc, //
};

use super::{
    hba::Private,
    registers::{
        Registers,
        IS, //
    },
    Hba,
    VariantOps, //
};
use crate::abi::{
    bindings,
    irq_gate::{
        self,
        Verdict, //
    },
    irq_switch::Switch, //
};

/// What a driver does with its host's interrupts.
pub(crate) trait InterruptOps: VariantOps {
    /// What belongs to [`InterruptOps::primary`] of a host alone.
    type Local: Default + Send;

    /// Runs for every interrupt of the host, never concurrently with itself. `opened` is when the
    /// core had served the one that it was given last, in ns of
    /// [`local_clock`](crate::abi::context).
    ///
    /// Context: hard IRQ with interrupts off, or a thread with bottom halves off where interrupts
    /// are force-threaded. Must not sleep.
    fn primary(irq: &Interrupt<Self>, local: &mut Self::Local, opened: u64) -> Verdict;

    /// Runs after [`Verdict::WakeThread`], concurrently with [`InterruptOps::primary`].
    ///
    /// Context: the interrupt's thread. May sleep, but the core waits for it when it gates clocks.
    fn thread(irq: &Interrupt<Self>);
}

/// A host's interrupt, as its handlers see it.
///
/// Handlers get a reference, which lasts while they run: the host lives then, and its registers may
/// be touched.
///
/// # Invariants
///
/// `hba`, `poll` and `registers` are those of a host that lives longer than this.
pub(crate) struct Interrupt<T: VariantOps> {
    hba: NonNull<bindings::ufs_hba>,
    poll: unsafe extern "C" fn(*mut bindings::Scsi_Host, c_uint) -> c_int,
    registers: Arc<Registers>,
    data: Arc<T::Data>,
    switch: Arc<Switch>,
}

// SAFETY: The host may be used from any thread in the ways this type offers: `poll` takes its own
// lock, and the fields read are single words.
unsafe impl<T: VariantOps> Send for Interrupt<T> {}
// SAFETY: As above.
unsafe impl<T: VariantOps> Sync for Interrupt<T> {}

impl<T: VariantOps> Interrupt<T> {
    /// Returns what the driver keeps for this host.
    pub(crate) fn data(&self) -> &T::Data {
        &self.data
    }

    /// Returns the host's device, for messages.
    pub(crate) fn device(&self) -> &device::Device {
        // SAFETY: By the invariants the host is valid, and it lives no longer than its device.
        unsafe { device::Device::from_raw((*self.hba.as_ptr()).dev.cast()) }
    }

    /// Returns what there is to know about this moment: no MMIO access.
    pub(crate) fn circumstances(&self) -> Circumstances {
        let mut now = bindings::ufs_unisoc_circumstances::default();

        // SAFETY: By the invariants the host is valid.
        unsafe { bindings::ufs_unisoc_get_circumstances(self.hba.as_ptr(), &mut now) };
        Circumstances(now)
    }

    /// Returns the requests that were rung in and are not completed yet, a bit for each tag.
    ///
    /// Changes at any time. Right for hosts without MCQ, which have at most 32 tags.
    pub(crate) fn outstanding(&self) -> u32 {
        // SAFETY: By the invariants the host is valid; the core sets and clears bits under its
        // lock, and reads them without, as this does. CAST: More than 32 do not fit into the
        // doorbell.
        unsafe { (&raw const (*self.hba.as_ptr()).outstanding_reqs).read_volatile() as u32 }
    }

    /// Reads which requests the controller is not done with, a bit for each tag: one MMIO read.
    pub(crate) fn doorbell(&self) -> u32 {
        self.registers.doorbell().into_raw()
    }

    /// Returns whether the core has completion queues (MCQ), of which this module sees nothing.
    pub(crate) fn has_queues(&self) -> bool {
        // SAFETY: By the invariants the host is valid.
        unsafe { (&raw const (*self.hba.as_ptr()).mcq_enabled).read_volatile() }
    }

    /// Switches the interrupt off, until [`Hba::switch_interrupt_on`].
    ///
    /// Requests that the controller has are not completed by it any more, they time out.
    pub(crate) fn switch_off(&self) {
        self.switch.off();
    }

    /// Reads the interrupt status: one MMIO read.
    pub(crate) fn status(&self) -> IS {
        self.registers.interrupt_status()
    }

    /// Acknowledges completed transfers: one MMIO write.
    ///
    /// Must come before [`Interrupt::complete_transfers`], else a transfer that completes between
    /// the two is lost until the next interrupt.
    pub(crate) fn ack_transfers(&self) {
        self.registers
            .clear_interrupt_status(IS::zeroed().with_utrcs(true));
    }

    /// Completes all transfers that the controller is done with: one MMIO read. Returns whether
    /// there were any. Does nothing where the core has MCQ on.
    ///
    /// Context: hard IRQ or thread; from a thread with bottom halves off, as a block softirq is
    /// raised. Safe concurrently with itself.
    pub(crate) fn complete_transfers(&self) -> bool {
        /// The queue number that means "from interrupt": polled requests are left to their poller.
        const FROM_INTERRUPT: c_uint = c_uint::MAX;

        if self.has_queues() {
            // The number would be that of a queue.
            return false;
        }
        // SAFETY: By the invariants host and function are valid; it may be called in any context,
        // with this number where transfers complete by the doorbell. That cannot change between the
        // question above and the answer's use: the core decides for MCQ once, before there are
        // transfers, and interrupts come here since then only.
        unsafe { (self.poll)((*self.hba.as_ptr()).host, FROM_INTERRUPT) != 0 }
    }
}

/// What there is to know about the moment of an interrupt.
pub(crate) struct Circumstances(bindings::ufs_unisoc_circumstances);

impl Circumstances {
    fn has(&self, bit: bindings::ufs_unisoc_circumstance) -> bool {
        self.0.flags & bit != 0
    }

    /// Returns when that was, in ns of the CPU's clock ([`local_clock`](crate::abi::context)).
    pub(crate) fn time(&self) -> u64 {
        self.0.time
    }

    /// Returns the CPU's number.
    pub(crate) fn cpu(&self) -> u32 {
        self.0.cpu
    }

    /// Returns whether the handler runs in hard IRQ, and not in a thread.
    pub(crate) fn in_hardirq(&self) -> bool {
        self.has(bindings::ufs_unisoc_circumstance_UFS_UNISOC_IN_HARDIRQ)
    }

    /// Returns whether the core has to see completed transfers itself: MCQ is on, interrupt
    /// aggregation needs its counters reset, an error waits to be noticed, or the core injects
    /// faults.
    pub(crate) fn core_must_see_transfers(&self) -> bool {
        self.has(bindings::ufs_unisoc_circumstance_UFS_UNISOC_CORE_MUST_SEE_TRANSFERS)
    }

    /// Returns whether the host is being suspended or resumed, when threads may not run and the
    /// core waits for transfers to complete.
    pub(crate) fn pm_op_in_progress(&self) -> bool {
        self.has(bindings::ufs_unisoc_circumstance_UFS_UNISOC_PM_OP_IN_PROGRESS)
    }
}

/// Connects a host to its gate.
pub(super) struct GateHandler<T: InterruptOps>(Interrupt<T>);

impl<T: InterruptOps> GateHandler<T> {
    /// Makes the handler of a host's gate.
    ///
    /// The gate must be dropped before the host is.
    pub(super) fn new(hba: &Hba<T>, private: &Private<T>) -> Result<Self> {
        // SAFETY: A valid host has a SCSI host with a template.
        let poll = unsafe { (*(*(*hba.as_raw()).host).hostt).mq_poll }.ok_or(ENODEV)?;

        // INVARIANT: `NewHost::register` sees to it that the gate is dropped before the host is.
        Ok(Self(Interrupt {
            hba: NonNull::new(hba.as_raw()).ok_or(ENODEV)?,
            poll,
            registers: private.registers.clone(),
            data: private.data.clone(),
            switch: private.switch.clone(),
        }))
    }
}

impl<T: InterruptOps> irq_gate::Handler for GateHandler<T> {
    type Local = T::Local;

    fn primary(&self, local: &mut T::Local, opened: u64) -> Verdict {
        T::primary(&self.0, local, opened)
    }

    fn thread(&self) {
        T::thread(&self.0);
    }
}
