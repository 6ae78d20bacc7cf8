// SPDX-License-Identifier: GPL-2.0

//! A host's interrupts: where its transfers complete.

use kernel::{
    prelude::*,
    str::CString,
    sync::atomic::{
        Atomic,
        Relaxed, //
    }, //
};

use super::{
    decide::{
        decide,
        Action,
        Moment, //
    },
    host::Unisoc,
    mode::{
        Context,
        IrqMode, //
    }, //
};
use crate::abi::{
    context::{
        in_hardirq,
        BhDisabled, //
    },
    irq_gate::Verdict,
    ufshcd::{
        Interrupt,
        InterruptOps, //
    }, //
};

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
    /// Makes the state of a host of this name, with the default mode.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(name: &CStr) -> Result<Self> {
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
        let moment = Moment {
            in_thread: !in_hardirq,
            pm_op_in_progress: irq.pm_op_in_progress(),
        };
        match decide(irq.status().into_raw(), host.mode(), moment) {
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
