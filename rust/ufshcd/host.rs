// SPDX-License-Identifier: GPL-2.0

//! A host, from its allocation to its registration with the core.

use kernel::{
    device::{
        self,
        Bound, //
    },
    devres,
    error::to_result,
    irq::IrqRequest,
    platform,
    prelude::*,
    sync::Arc, //
};

use super::{
    hba::Private,
    interrupt,
    observer::{
        Finish,
        LinkObserver, //
    },
    registers::Registers,
    vops,
    Hba,
    InterruptOps,
    VariantOps, //
};
use crate::abi::{
    bindings,
    compat,
    irq_gate,
    irq_switch::Switch, //
};

/// A host that was allocated, but is not registered with the core yet.
///
/// What it has taken is device-managed: on an error, just return it from probe.
pub(crate) struct NewHost<'a, T: VariantOps> {
    pdev: &'a platform::Device<Bound>,
    hba: &'a Hba<T>,
}

/// A host that is registered with the core; only [`NewHost::register`] makes one.
///
/// Dropping it takes the host from the core again. A successful probe does not drop it: the
/// driver's registration takes the host from the core when the device is unbound.
pub(crate) struct Registered<'a, T: VariantOps> {
    hba: &'a Hba<T>,
}

impl<T: VariantOps> Registered<'_, T> {
    /// Returns the host.
    pub(crate) fn hba(&self) -> &Hba<T> {
        self.hba
    }

    /// Leaves the host with the core.
    pub(super) fn keep(self) {
        core::mem::forget(self);
    }
}

impl<T: VariantOps> Drop for Registered<'_, T> {
    fn drop(&mut self) {
        // SAFETY: Registered, and not kept, so nobody else removes it.
        unsafe { remove(self.hba.as_raw()) };
        // SAFETY: The host is as valid as before, and its device is its own.
        let dev = unsafe { (*self.hba.as_raw()).dev };
        // SAFETY: A valid device. Nobody shall find the host there any more.
        unsafe { kernel::bindings::dev_set_drvdata(dev.cast(), core::ptr::null_mut()) };
    }
}

/// Takes a host from the core.
///
/// # Safety
///
/// `hba` must be registered with the core, and nobody else may remove it.
pub(super) unsafe fn remove(hba: *mut bindings::ufs_hba) {
    // The core leaves its scan for logical units to an asynchronous call, and does not wait for it
    // before it removes what the call works on.
    //
    // Where the removal is part of an asynchronous call, such as the failed probe of a parent, it
    // would wait for itself: then only what the bus does keeps the two apart.
    //
    // SAFETY: Asks about the current task.
    if !unsafe { bindings::current_is_async() } {
        // SAFETY: May sleep, and is no asynchronous call, as just asked.
        unsafe { bindings::async_synchronize_full() };
    }
    // With clocks gated, the core would touch registers without them while it removes the host, and
    // then fail to bring the link of a stopped controller out of hibern8. The use is not given
    // back: the core takes the accounting down.
    //
    // SAFETY: By this function's requirements; may sleep.
    unsafe { bindings::ufshcd_hold(hba) };
    // SAFETY: By this function's requirements.
    unsafe { bindings::ufshcd_remove(hba) };
}

impl<'a, T: VariantOps> NewHost<'a, T> {
    /// Maps the registers of `pdev` (memory resource 0) and allocates a host for it, whose
    /// interrupt is `wire`.
    ///
    /// Context: may sleep; probe.
    ///
    /// # Errors
    ///
    /// `ENODEV` without register window, `EBUSY` if somebody else has it, `ENOMEM`. Said in the
    /// log.
    pub(crate) fn alloc(
        pdev: &'a platform::Device<Bound>,
        wire: &IrqRequest<'a>,
        data: impl PinInit<T::Data, Error>,
    ) -> Result<Self> {
        let dev: &device::Device<Bound> = pdev.as_ref();

        // Device-managed resources are released in reverse order: the core's use of the host ends
        // first, then the host goes, then what its variant pointer points to, then the mapping.
        //
        // SAFETY: Kept in `Private` and by the interrupt gate, which are released before.
        let registers = Arc::new(unsafe { Registers::map(pdev) }?, GFP_KERNEL)?;
        let data = Arc::pin_init(data, GFP_KERNEL)?;
        let observer = T::observes_link_startup(&data)
            .then(LinkObserver::new)
            .transpose()?;
        // SAFETY: The interrupt is the device's, and used as long as it is bound at most.
        let switch = Arc::new(unsafe { Switch::new(wire.irq()) }, GFP_KERNEL)?;
        let private = Arc::new(
            Private::<T> {
                registers,
                data,
                observer,
                switch,
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

        // However the host ends, nobody observes it any more when it is freed.
        if private.observer.is_some() {
            devres::register(dev, Finish(private), GFP_KERNEL)?;
        }
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
        // SAFETY: A bound device. The core keeps the host there, so there can be one only.
        if !unsafe { kernel::bindings::dev_get_drvdata(as_raw_device(dev).cast()) }.is_null() {
            return Err(EBUSY);
        }
        let private = self.hba.private();
        let handler = interrupt::GateHandler::new(self.hba, private)?;

        // SAFETY: The gate becomes a device-managed resource right here, and nobody else has it.
        let gate = unsafe { irq_gate::Gate::new(wire, name, handler, T::Local::default()) };
        let gate = Arc::pin_init(gate, GFP_KERNEL).inspect_err(|err| {
            let hint = match *err {
                EINVAL => ": it must be a level interrupt",
                _ => "",
            };
            dev_err!(
                dev,
                "cannot take interrupt {} ({}){}\n",
                irq,
                err.to_errno(),
                hint
            );
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
            // SAFETY: The core makes the queue right after it has added the SCSI host, and removes
            // the SCSI host again if it cannot: it is running, so there is a queue.
            unsafe { bindings::blk_mq_destroy_queue((*hba).tmf_queue) };
            // SAFETY: As above, and it is used no more.
            unsafe { bindings::blk_put_queue((*hba).tmf_queue) };
            // SAFETY: As above; its only queue is gone.
            unsafe { bindings::blk_mq_free_tag_set(&raw mut (*hba).tmf_tag_set) };
            // SAFETY: The host was added, and is not removed yet.
            unsafe { bindings::scsi_remove_host(host) };

            // The core takes its use of the device right after it has added the SCSI host. A user
            // who writes to the device's power/control in this very moment would look the same; he
            // then has one use too few, with a warning when he gives it back.
            //
            // SAFETY: A valid device.
            if unsafe { bindings::ufs_unisoc_pm_runtime_usage_count(dev) } > usage_before {
                // SAFETY: As above.
                unsafe { bindings::ufs_unisoc_pm_runtime_put_noidle(dev) };
            }
        }
    }
}

/// Returns the C side of a device.
pub(super) fn as_raw_device(dev: &device::Device<Bound>) -> *mut bindings::device {
    // CAST: A transparent wrapper of the C type.
    core::ptr::from_ref(dev).cast_mut().cast()
}
