// SPDX-License-Identifier: GPL-2.0

//! A host, from its allocation to its registration with the core.

use core::marker::PhantomData;

use kernel::{
    device::{
        self,
        Bound, //
    },
    devres,
    error::{
        from_err_ptr,
        to_result, //
    },
    io::{
        register,
        Io, //
    },
    irq::IrqRequest,
    platform,
    prelude::*,
    sync::Arc,
    types::Opaque, //
};

use super::{
    interrupt,
    vops,
    InterruptOps,
    VariantOps, //
};
use crate::abi::{
    bindings,
    compat,
    irq_gate, //
};

/// Bytes that every host's register window has: the UFSHCI registers without those of MCQ.
pub(super) const REGISTERS_LEN: usize = 0x100;

register! {
    /// Interrupt status; write 1 to clear (UFSHCI 5.3.1).
    pub(crate) IS(u32) @ 0x20 {
        /// A transfer request has completed, or several have.
        0:0 utrcs => bool;
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
    unsafe fn map(pdev: &platform::Device<Bound>) -> Result<Self> {
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
                "the first entry of 'reg' is {} bytes long; a UFS host has at least {}\n",
                size,
                REGISTERS_LEN
            );
        })?))
    }

    /// Reads the interrupt status.
    pub(super) fn interrupt_status(&self) -> IS {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { self.0.view() }.read(IS)
    }

    /// Clears the bits of the interrupt status that are set in `bits`.
    pub(super) fn clear_interrupt_status(&self, bits: IS) {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { self.0.view() }.write_reg(bits);
    }

    /// Reads a register whose offset is known at run time only.
    pub(super) fn try_read(&self, offset: usize) -> Result<u32> {
        // SAFETY: Mapped, by the type's invariants.
        unsafe { self.0.view() }.try_read32(offset)
    }

    /// Returns the address that the core uses.
    fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr()
    }
}

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

/// A host that was allocated, but is not registered with the core yet.
///
/// What it has taken is device-managed: on an error, just return it from probe.
pub(crate) struct NewHost<'a, T: VariantOps> {
    pdev: &'a platform::Device<Bound>,
    hba: &'a Hba<T>,
}

/// A host that is registered with the core; only [`NewHost::register`] makes one.
pub(crate) struct Registered<'a, T> {
    hba: &'a Hba<T>,
}

impl<T: VariantOps> Registered<'_, T> {
    /// Returns the host.
    pub(crate) fn hba(&self) -> &Hba<T> {
        self.hba
    }
}

impl<'a, T: VariantOps> NewHost<'a, T> {
    /// Maps the registers of `pdev` (memory resource 0) and allocates a host for it.
    ///
    /// Context: may sleep; probe.
    ///
    /// # Errors
    ///
    /// `ENODEV` without register window, `EBUSY` if somebody else has it, `ENOMEM`. Said in the log.
    pub(crate) fn alloc(
        pdev: &'a platform::Device<Bound>,
        data: impl PinInit<T::Data, Error>,
    ) -> Result<Self> {
        let dev: &device::Device<Bound> = pdev.as_ref();

        // Device-managed resources are released in reverse order: the core's use of the host ends
        // first, then the host goes, then what its variant pointer points to, then the mapping.
        //
        // SAFETY: Kept in `Private` and by the interrupt gate, which are released before.
        let registers = Arc::new(unsafe { Registers::map(pdev) }?, GFP_KERNEL)?;
        let private = Arc::new(
            Private::<T> {
                registers,
                data: Arc::pin_init(data, GFP_KERNEL)?,
            },
            GFP_KERNEL,
        )?;
        devres::register(dev, private.clone(), GFP_KERNEL)?;

        let mut hba = core::ptr::null_mut();
        // SAFETY: `dev` is bound, so it can take device-managed resources; `hba` is written on
        // success only.
        to_result(unsafe { bindings::ufshcd_alloc_host(as_raw_device(dev), &mut hba) })?;
        // SAFETY: Just allocated; nobody else knows it.
        unsafe {
            (*hba).vops = vops::Table::<T>::as_ptr();
            (*hba).priv_ = Arc::as_ptr(&private).cast_mut().cast();
        }
        // SAFETY: It lives until the device-managed resources are released, which is after `'a`.
        // INVARIANT: `private` lives longer than the host, since it was registered before.
        let hba = unsafe { Hba::from_raw(hba) };

        Ok(Self { pdev, hba })
    }

    pub(super) fn hba(&self) -> &Hba<T> {
        self.hba
    }

    pub(super) fn device(&self) -> &'a device::Device<Bound> {
        self.pdev.as_ref()
    }

    /// Puts an interrupt gate between `wire` and the core, and registers the host with the core.
    ///
    /// `name` is what `/proc/interrupts` shows for the wire.
    ///
    /// Context: may sleep; probe.
    ///
    /// # Errors
    ///
    /// Those of the core, which may ask for deferral. Said in the log.
    pub(crate) fn register(
        self,
        wire: IrqRequest<'a>,
        name: &'static CStr,
    ) -> Result<Registered<'a, T>>
    where
        T: InterruptOps,
    {
        let dev = self.device();
        let irq = wire.irq();
        let private = self.hba.private();
        let handler = interrupt::GateHandler::new(self.hba, private)?;

        // SAFETY: The gate becomes a device-managed resource right here, and nobody else has it.
        let gate = unsafe { irq_gate::Gate::new(wire, name, handler) };
        let gate = Arc::pin_init(gate, GFP_KERNEL).inspect_err(|err| {
            dev_err!(dev, "cannot take interrupt {} ({})\n", irq, err.to_errno());
        })?;
        let virq = gate.virq();
        devres::register(dev, gate, GFP_KERNEL)?;

        // SAFETY: A valid device.
        let usage = unsafe { bindings::ufs_unisoc_pm_runtime_usage_count(as_raw_device(dev)) };
        // SAFETY: A valid host that is not registered yet. Registers and virtual interrupt are
        // device-managed and were registered before, so they outlive the core's use of them.
        to_result(unsafe {
            bindings::ufshcd_init(self.hba.as_raw(), private.registers.as_ptr(), virq)
        })
        .inspect_err(|err| {
            self.undo_failed_init(usage);
            compat::dev_err_probe(
                dev,
                *err,
                fmt!("the UFS core could not bring up the host; its messages above say where\n"),
            );
        })?;
        Ok(Registered { hba: self.hba })
    }
}

impl<T: VariantOps> NewHost<'_, T> {
    /// Gives back what `ufshcd_init()` has kept although it failed: the SCSI host that it had added
    /// already, and the use of the device. Seen in 7.2 and 7.3.
    ///
    /// A core that gives them back itself leaves nothing to do here.
    fn undo_failed_init(&self, usage_before: c_int) {
        let hba = self.hba.as_raw();
        let dev = as_raw_device(self.device());

        // SAFETY: A valid host. The core has failed, so nobody else changes it.
        let (added, host) = unsafe { ((*hba).scsi_host_added, (*hba).host) };
        // SAFETY: The SCSI host is valid as long as its host is.
        let state = unsafe { (*host).shost_state };
        if added && state == bindings::scsi_host_state_SHOST_RUNNING {
            // As the core does in `ufshcd_remove()`. No unit was scanned yet, so nothing is sent.
            //
            // SAFETY: The queue was made before anything that can fail after the host was added.
            unsafe { bindings::blk_mq_destroy_queue((*hba).tmf_queue) };
            // SAFETY: As above, and it is used no more.
            unsafe { bindings::blk_put_queue((*hba).tmf_queue) };
            // SAFETY: As above; its only queue is gone.
            unsafe { bindings::blk_mq_free_tag_set(&raw mut (*hba).tmf_tag_set) };
            // SAFETY: The host was added, and is not removed yet.
            unsafe { bindings::scsi_remove_host(host) };
        }
        // SAFETY: A valid device.
        if unsafe { bindings::ufs_unisoc_pm_runtime_usage_count(dev) } > usage_before {
            // SAFETY: As above; the one use that the core takes until its scan is done.
            unsafe { bindings::ufs_unisoc_pm_runtime_put_noidle(dev) };
        }
    }
}

/// Returns the C side of a device.
pub(super) fn as_raw_device(dev: &device::Device<Bound>) -> *mut bindings::device {
    // CAST: A transparent wrapper of the C type.
    core::ptr::from_ref(dev).cast_mut().cast()
}
