// SPDX-License-Identifier: GPL-2.0

//! What the hard interrupt handler does with an interrupt: a pure function.
//!
//! Plain `core`, so that the host tests run this very file.

use super::mode::IrqMode;

/// `IS.UTRCS`: a transfer request has completed (JESD223E 5.3.1).
pub(crate) const UTRCS: u32 = 1 << 0;

/// What the link has to say: UIC commands, power mode, hibern8, link start-up (JESD223E 5.3.1).
pub(crate) const UIC: u32 = 1 << 10 | 0x1f << 4 | 1 << 1;

/// Errors of the link, the device, the controller, and the bus.
pub(crate) const ERRORS: u32 = 1 << 2 | 1 << 11 | 0x7 << 16;

/// What an all-ones read means: the controller does not answer.
pub(crate) const GONE: u32 = u32::MAX;

/// What to do with an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The controller asserts nothing.
    NotOurs,
    /// The controller does not answer any more.
    Gone,
    /// Hand it to the core unacknowledged.
    Forward,
    /// Acknowledge, then complete transfers in this context.
    CompleteHere,
    /// Acknowledge, then leave transfers to the thread.
    Defer,
    /// Acknowledge, then do the one or the other, by what there is to complete.
    Weigh,
}

/// What else there is to know about the moment of an interrupt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The handler runs in a thread itself: PREEMPT_RT, `threadirqs`.
    pub(crate) in_thread: bool,
    /// The host is being suspended or resumed.
    pub(crate) pm_op_in_progress: bool,
}

/// Decides by the interrupt status and the host's mode.
///
/// Only a lone `UTRCS` is ever kept from the core: UIC completions time out when they wait for a
/// thread, and everything else is the core's to acknowledge. When the handler itself runs in a
/// thread, waking a second one only costs. During suspend and resume the core waits for transfers,
/// and threads may not run.
pub(crate) const fn decide(status: u32, mode: IrqMode, moment: Moment) -> Action {
    match status {
        0 => Action::NotOurs,
        GONE => Action::Gone,
        UTRCS if moment.in_thread || moment.pm_op_in_progress => Action::CompleteHere,
        UTRCS => match mode {
            IrqMode::Hardirq => Action::CompleteHere,
            IrqMode::Threaded => Action::Defer,
            IrqMode::Adaptive => Action::Weigh,
        },
        _ => Action::Forward,
    }
}
