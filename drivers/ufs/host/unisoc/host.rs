// SPDX-License-Identifier: GPL-2.0

//! A host: its probe, what the core asks of it, and its interrupts.

use kernel::{
    device::{
        self,
        Bound, //
    },
    of,
    platform,
    prelude::*,
    str::{
        CStr, //
        CString,
    },
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    }, //
};

use super::{
    decide::{
        decide,
        Action, //
    },
    mode::{
        Context,
        IrqMode, //
    },
    param::Listed,
    sysfs, //
};
use crate::abi::{
    irq_gate::{
        in_hardirq,
        BhDisabled,
        Verdict, //
    },
    sysfs::Groups,
    ufshcd::{
        Hba,
        Interrupt,
        InterruptOps,
        NewHost,
        PlatformDriver,
        Registered,
        VariantOps, //
    }, //
};

/// The driver.
pub(crate) struct Unisoc;

crate::of_id_table!(
    OF_TABLE,
    MODULE_OF_TABLE,
    (),
    [
        (of::DeviceId::new(c"sprd,ums9230-ufs"), ()),
        (of::DeviceId::new(c"sprd,ufshc-ums9230"), ())
    ]
);

/// What the interrupt handlers and the user's files of a host share.
///
/// Lives as long as the interrupt does. Single words, each complete in itself: a handler that reads
/// the mode just before it is switched behaves as before for this one interrupt, and loses nothing.
pub(crate) struct HostIrq {
    name: CString,
    mode: Atomic<u32>,
    context: Atomic<u32>,
    /// Whether the primary handler was seen to run in a thread; it always does, then.
    forced_threads: Atomic<bool>,
    /// Whether it was said that the controller does not answer.
    gone: Atomic<bool>,
}

impl HostIrq {
    fn new(name: &CStr) -> Result<Self> {
        Ok(Self {
            name: CString::try_from(name)?,
            mode: Atomic::new(IrqMode::DEFAULT.index()),
            context: Atomic::new(Context::None.index()),
            forced_threads: Atomic::new(false),
            gone: Atomic::new(false),
        })
    }

    /// Returns the host's name, which is its device's.
    pub(crate) fn name(&self) -> &[u8] {
        self.name.to_bytes()
    }

    /// Returns the host's name for messages.
    pub(crate) fn display_name(&self) -> &CStr {
        &self.name
    }

    /// Returns whether interrupts are force-threaded, so that hard IRQ cannot be had.
    ///
    /// Known after the first interrupt, of which the probe has had several.
    pub(crate) fn forced_threads(&self) -> bool {
        self.forced_threads.load(Relaxed)
    }

    /// Returns where transfers shall complete.
    pub(crate) fn mode(&self) -> IrqMode {
        IrqMode::from_index(self.mode.load(Relaxed))
    }

    /// Sets where transfers shall complete, from the next interrupt on.
    pub(crate) fn set_mode(&self, mode: IrqMode) {
        self.mode.store(mode.index(), Relaxed);
    }

    /// Returns where the last transfer did complete.
    pub(crate) fn context(&self) -> Context {
        Context::from_index(self.context.load(Relaxed))
    }

    fn set_context(&self, context: Context) {
        // The line is shared with the mode: keep it clean where nothing changes.
        if self.context.load(Relaxed) != context.index() {
            self.context.store(context.index(), Relaxed);
        }
    }
}

/// What the driver keeps for each host.
pub(crate) struct HostData {
    listed: Listed,
}

impl HostData {
    fn new(dev: &device::Device) -> Result<Self> {
        let irq = Arc::new(HostIrq::new(dev.name())?, GFP_KERNEL)?;
        Ok(Self {
            listed: Listed::new(irq)?,
        })
    }

    /// Returns what is shared with the interrupt handlers.
    pub(crate) fn irq(&self) -> &HostIrq {
        self.listed.host()
    }
}

impl PlatformDriver for Unisoc {
    type IdInfo = ();

    const OF_ID_TABLE: of::IdTable<()> = &OF_TABLE;
    const FILES: &'static Groups<Hba<Self>> = &sysfs::FILES;

    fn probe<'a>(pdev: &'a platform::Device<Bound>) -> Result<Registered<'a, Self>> {
        let dev: &device::Device<Bound> = pdev.as_ref();
        let wire = pdev.irq_by_index(0)?;
        let host = NewHost::alloc(pdev, HostData::new(dev))?;

        host.add_clocks()?;
        host.add_regulators()?;
        host.set_lanes()?;
        let registered = host.register(wire, c"ufs_unisoc")?;

        announce(dev, registered.hba());
        Ok(registered)
    }
}

/// Says once where the host's transfers complete, and what keeps them from where they should.
fn announce(dev: &device::Device, hba: &Hba<Unisoc>) {
    let irq = hba.data().irq();

    if hba.mcq_enabled() {
        dev_info!(
            dev,
            "uses completion queues (MCQ): the UFS core completes transfers, irq_mode has no effect\n"
        );
    } else if irq.forced_threads() {
        dev_info!(
            dev,
            "interrupts are force-threaded (PREEMPT_RT or threadirqs): transfers complete in the interrupt's thread, irq_mode cannot be hardirq\n"
        );
    } else {
        dev_info!(dev, "irq_mode is {}\n", irq.mode().name());
    }
}

#[vtable]
impl VariantOps for Unisoc {
    type Data = HostData;

    const NAME: &'static CStr = c"unisoc";

    fn mcq_config_resource(hba: &Hba<Self>) -> Result {
        hba.use_reported_mcq_config()
    }

    fn op_runtime_config(hba: &Hba<Self>) -> Result {
        hba.use_reported_mcq_runtime()
    }
}

impl InterruptOps for Unisoc {
    fn primary(irq: &Interrupt<Self>) -> Verdict {
        let host = irq.data().irq();
        let in_hardirq = in_hardirq();

        if !in_hardirq && !host.forced_threads() {
            host.forced_threads.store(true, Relaxed);
        }
        if irq.core_must_see_transfers() {
            return Verdict::Forward;
        }
        match decide(irq.status().into_raw(), host.mode(), !in_hardirq) {
            Action::NotOurs => Verdict::NotOurs,
            Action::Gone => {
                if !host.gone.xchg(true, Relaxed) {
                    dev_err!(
                        irq.device(),
                        "the controller does not answer (interrupt status reads all ones)\n"
                    );
                }
                Verdict::NotOurs
            }
            Action::Forward => Verdict::Forward,
            Action::CompleteHere => {
                irq.ack_transfers();
                if irq.complete_transfers() {
                    host.set_context(if in_hardirq {
                        Context::Hardirq
                    } else {
                        Context::Thread
                    });
                }
                Verdict::Handled
            }
            Action::Defer => {
                irq.ack_transfers();
                Verdict::WakeThread
            }
        }
    }

    fn thread(irq: &Interrupt<Self>) {
        // The block softirq that completions raise runs here, at the end, instead of in yet
        // another thread.
        let _bh = BhDisabled::new();

        if irq.complete_transfers() {
            irq.data().irq().set_context(Context::Thread);
        }
    }
}
