// SPDX-License-Identifier: GPL-2.0

//! A host's interrupts: where its transfers complete.

use kernel::{
    prelude::*,
    str::CString, //
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
    },
    state::State, //
};
use crate::abi::{
    context::BhDisabled,
    irq_gate::Verdict,
    ufshcd::{
        Interrupt,
        InterruptOps, //
    },
    word::Word, //
};

/// What the interrupt handlers and the user's files of a host share.
///
/// Lives as long as the interrupt does. The state is a word, complete in itself: a handler that reads
/// it just before the mode is switched behaves as before for this one interrupt, and loses nothing.
pub(crate) struct HostIrq {
    name: CString,
    state: Word,
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
            state: Word::new(State::new(IrqMode::DEFAULT).into_raw()),
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

    /// Returns the state.
    pub(crate) fn state(&self) -> State {
        State::from_raw(self.state.load())
    }

    /// Changes the state at once with respect to others who do. Returns what it was.
    fn update(&self, change: impl Fn(State) -> State) -> State {
        let old = self
            .state
            .update(|raw| change(State::from_raw(raw)).into_raw());
        State::from_raw(old)
    }

    /// Sets where transfers shall complete, from the next interrupt on.
    pub(crate) fn set_mode(&self, mode: IrqMode) {
        self.update(|state| state.with_mode(mode));
    }

    /// Remembers where a transfer has completed. `state` is what it was at the interrupt.
    fn completed_in(&self, state: State, context: Context) {
        if state.context() != context {
            self.update(|state| state.with_context(context));
        }
    }
}

impl InterruptOps for Unisoc {
    fn primary(irq: &Interrupt<Self>) -> Verdict {
        let host = irq.data().irq();
        let now = irq.circumstances();
        let state = host.state();

        if !now.in_hardirq() && !state.forced_threads() {
            host.update(State::with_forced_threads);
        }
        if now.core_must_see_transfers() {
            return Verdict::Forward;
        }
        let moment = Moment {
            in_thread: !now.in_hardirq(),
            pm_op_in_progress: now.pm_op_in_progress(),
        };
        match decide(irq.status().into_raw(), state.mode(), moment) {
            Action::NotOurs => Verdict::NotOurs,
            Action::Gone => {
                if !host.update(State::with_gone).gone() {
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
                    let context = if now.in_hardirq() {
                        Context::Hardirq
                    } else {
                        Context::Thread
                    };
                    host.completed_in(state, context);
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
            let host = irq.data().irq();
            host.completed_in(host.state(), Context::Thread);
        }
    }
}
