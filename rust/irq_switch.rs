// SPDX-License-Identifier: GPL-2.0

//! Switching an interrupt off from its own handler, and on again from elsewhere.

use kernel::bindings;

use super::word::Word;

/// Switches an interrupt off and on, each once at a time.
///
/// Independent of others who disable and enable it, as genirq counts how often it is disabled.
pub(crate) struct Switch {
    irq: u32,
    off: Word,
}

impl Switch {
    /// Makes the switch of interrupt `irq`, which is on.
    ///
    /// # Safety
    ///
    /// `irq` must be an interrupt that is the caller's to disable, with a descriptor as long as
    /// this is used.
    pub(crate) unsafe fn new(irq: u32) -> Self {
        Self {
            irq,
            off: Word::new(0),
        }
    }

    /// Switches it off: after this run of it, its primary handler does not begin again.
    ///
    /// If someone switches it on meanwhile, it may be on or off after that.
    ///
    /// Context: any; meant for the interrupt's own handlers.
    pub(crate) fn off(&self) {
        // SAFETY: By `new`'s requirements. It is enabled once for it, here or in `on`.
        unsafe { bindings::disable_irq_nosync(self.irq) };
        if self.off.swap(1) == 1 {
            // SAFETY: Balances the call above: it was off.
            unsafe { bindings::enable_irq(self.irq) };
        }
    }

    /// Switches it on. Returns whether it was off.
    ///
    /// Context: any but the interrupt's own handlers.
    pub(crate) fn on(&self) -> bool {
        let was_off = self.off.swap(0) == 1;

        if was_off {
            // SAFETY: By `new`'s requirements. Balances the call in `off`, which came before the
            // word was set.
            unsafe { bindings::enable_irq(self.irq) };
        }
        was_off
    }
}
