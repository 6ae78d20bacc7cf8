// SPDX-License-Identifier: GPL-2.0

//! An interrupt gate: a virtual interrupt between a wire and a driver core.
//!
//! Some subsystem cores request a device's interrupt themselves and fix the context in which it
//! is handled. A [`Gate`] takes the wire, and offers a virtual interrupt to give to the core
//! instead. For each interrupt, a [`Handler`] decides whether to serve it here, in a thread, or to
//! forward it, unserved, to whoever requested the virtual line.
//!
//! The virtual interrupt, and how the wire follows it, is in `irq_line.rs`.
//!
//! # Limits
//!
//! - The wire cannot be shared with other devices, since masking would silence them too.
//! - The wire must be a level interrupt: an edge while the virtual line is disabled would be lost.
//! - The wire's chip must not be on a slow bus, as masking happens with interrupts off.
//! - [`Handler::thread`] must not disable the virtual line: it would wait for itself.
//!
//! C header: [`include/linux/interrupt.h`](srctree/include/linux/interrupt.h)

use core::cell::UnsafeCell;

use kernel::{
    irq::IrqRequest,
    prelude::*, //
};

use super::{
    bindings as ufs_bindings,
    compat,
    irq_line::{
        Forwarder,
        VirtualLine, //
    }, //
};

/// What a handler wants done with an interrupt of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The device asserts nothing: counts towards genirq's detection of spurious interrupts.
    NotOurs,
    /// It was served.
    Handled,
    /// Run [`Handler::thread`]. The device must have been acknowledged, as the wire stays enabled.
    WakeThread,
    /// Run the handler of the virtual line, now and in this context.
    Forward,
}

/// The two halves of the wire's handler.
pub(crate) trait Handler: Send + Sync + 'static {
    /// What belongs to [`Handler::primary`] alone.
    type Local: Send;

    /// Runs for every interrupt of the wire. `opened` is when the handler of the
    /// virtual line had served the one that was forwarded last, in ns of
    /// [`local_clock`](super::context::local_clock).
    ///
    /// Context: hard IRQ with interrupts off, or a thread where interrupts are force-threaded
    /// (PREEMPT_RT, `threadirqs`). Must not sleep. May run concurrently with [`Handler::thread`],
    /// not with itself.
    fn primary(&self, local: &mut Self::Local, opened: u64) -> Verdict;

    /// Runs after [`Verdict::WakeThread`].
    ///
    /// Context: the interrupt's thread, interrupts and bottom halves on. May sleep, but whoever
    /// disables the virtual line waits for it.
    fn thread(&self);
}

/// A gate between a wire and a virtual interrupt.
///
/// Dropping it frees the wire, then the virtual interrupt: whoever requested the latter must have
/// freed it before. Keep the gate as a device-managed resource that was registered before the
/// request.
#[pin_data]
pub(crate) struct Gate<H: Handler> {
    // Dropped first: the handler uses `line`.
    #[pin]
    wire: compat::irq::ThreadedRegistration<WireHandler<H>>,
    line: VirtualLine,
}

impl<H: Handler> Gate<H> {
    /// Takes the wire, and makes a virtual interrupt for it.
    ///
    /// `name` is what `/proc/interrupts` shows for the wire.
    ///
    /// # Safety
    ///
    /// The gate must be dropped, and be dropped before the device that `request` is for is unbound.
    ///
    /// # Errors
    ///
    /// Those of `request_threaded_irq()`; `EBUSY` if somebody else has the wire, `EINVAL` if it is
    /// known to be an edge, or one of a single CPU.
    pub(crate) unsafe fn new<'a>(
        request: IrqRequest<'a>,
        name: &'static CStr,
        handler: H,
        local: H::Local,
    ) -> impl PinInit<Self, Error> + use<'a, H> {
        pin_init::pin_init_scope(move || {
            // SAFETY: Reads what genirq has about an interrupt, if anything.
            if !unsafe { ufs_bindings::ufs_unisoc_irq_is_plain_level(request.irq()) } {
                return Err(EINVAL);
            }
            let line = VirtualLine::new(request.irq(), name)?;
            let wire_handler = WireHandler {
                core: line.forwarder(),
                handler,
                local: UnsafeCell::new(local),
            };
            Ok(try_pin_init!(Self {
                line,
                // SAFETY: By this function's requirements, the gate and with it the registration is
                // dropped before the device is unbound.
                wire <- unsafe {
                    compat::irq::ThreadedRegistration::new(
                        request,
                        compat::irq::Flags::NO_AUTOEN,
                        name,
                        wire_handler,
                    )
                },
            }? Error))
        })
    }

    /// Returns the virtual interrupt's number, for the core to request.
    pub(crate) fn virq(&self) -> u32 {
        self.line.virq()
    }
}

/// What the wire's interrupt runs.
///
/// # Invariants
///
/// Nothing but the wire's registration in a [`Gate`] has it, and only `handle` touches `local`.
struct WireHandler<H: Handler> {
    core: Forwarder,
    handler: H,
    local: UnsafeCell<H::Local>,
}

// SAFETY: The handler is `Sync`. What is not, `local`, is accessed by `handle` only, which genirq
// never runs on two CPUs at once (see there); that it may run on one and then on another takes
// `Send`.
unsafe impl<H: Handler> Sync for WireHandler<H> {}

impl<H: Handler> compat::irq::ThreadedHandler for WireHandler<H> {
    fn handle(&self) -> compat::irq::ThreadedIrqReturn {
        use compat::irq::ThreadedIrqReturn;

        // SAFETY: By the invariants this is called by genirq only, for a line that is not one of a
        // single CPU, as `Gate::new` has checked, and not shared, so that genirq's search for
        // misrouted interrupts leaves it alone. Genirq marks such a line as in progress and does
        // not run its handlers again before they have returned, on whichever CPU; forced into a
        // thread, they run in that one thread. So nobody else has a reference.
        let local = unsafe { &mut *self.local.get() };

        match self.handler.primary(local, self.core.opened()) {
            Verdict::NotOurs => ThreadedIrqReturn::None,
            Verdict::Handled => ThreadedIrqReturn::Handled,
            Verdict::WakeThread => ThreadedIrqReturn::WakeThread,
            Verdict::Forward => {
                // SAFETY: By the invariants this runs for a wire of a `Gate`, which frees the wire
                // before the line.
                unsafe { self.core.forward() };
                ThreadedIrqReturn::Handled
            }
        }
    }

    fn handle_threaded(&self) -> compat::irq::IrqReturn {
        self.handler.thread();
        compat::irq::IrqReturn::Handled
    }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/irq_gate.rs"]
mod kunit;
