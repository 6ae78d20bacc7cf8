// SPDX-License-Identifier: GPL-2.0

//! Threaded interrupt registrations, in the shape 7.3 gave them but without its lifetimes.

pub(crate) use kernel::irq::{
    Flags,
    IrqReturn,
    ThreadedIrqReturn, //
};

use kernel::{
    irq::{
        self,
        IrqRequest, //
    },
    prelude::*, //
};

#[cfg(not(have_irq_no_dev))]
use kernel::device::{
    Bound,
    Device, //
};

/// Callbacks of a threaded interrupt; see `kernel::irq::ThreadedHandler`.
pub(crate) trait ThreadedHandler: Send + Sync + 'static {
    /// Runs in hard IRQ, or in a thread where interrupts are force-threaded.
    fn handle(&self) -> ThreadedIrqReturn;

    /// Runs in the interrupt's thread.
    fn handle_threaded(&self) -> IrqReturn;
}

/// Gives the kernel's trait to a [`ThreadedHandler`].
struct Forward<H>(H);

#[cfg(have_irq_no_dev)]
impl<H: ThreadedHandler> irq::ThreadedHandler for Forward<H> {
    fn handle(&self) -> ThreadedIrqReturn {
        self.0.handle()
    }

    fn handle_threaded(&self) -> IrqReturn {
        self.0.handle_threaded()
    }
}

#[cfg(not(have_irq_no_dev))]
impl<H: ThreadedHandler> irq::ThreadedHandler for Forward<H> {
    fn handle(&self, _dev: &Device<Bound>) -> ThreadedIrqReturn {
        self.0.handle()
    }

    fn handle_threaded(&self, _dev: &Device<Bound>) -> IrqReturn {
        self.0.handle_threaded()
    }
}

/// A threaded interrupt registration without a lifetime.
///
/// Freed when dropped, after waiting for running handlers.
#[pin_data]
pub(crate) struct ThreadedRegistration<H: ThreadedHandler> {
    #[cfg(have_irq_no_dev)]
    #[pin]
    inner: irq::ThreadedRegistration<'static, Forward<H>>,
    #[cfg(not(have_irq_no_dev))]
    #[pin]
    inner: irq::ThreadedRegistration<Forward<H>>,
}

impl<H: ThreadedHandler> ThreadedRegistration<H> {
    /// Registers `handler` for the interrupt.
    ///
    /// # Safety
    ///
    /// The registration must be dropped, before the device that `request` is for is unbound.
    #[cfg(have_irq_no_dev)]
    pub(crate) unsafe fn new<'a>(
        request: IrqRequest<'a>,
        flags: Flags,
        name: &'static CStr,
        handler: H,
    ) -> impl PinInit<Self, Error> + use<'a, H> {
        // SAFETY: The lifetime only says that the device stays bound while the registration lives,
        // which is this function's requirement. The two types do not differ otherwise.
        let request =
            unsafe { core::mem::transmute::<IrqRequest<'a>, IrqRequest<'static>>(request) };

        try_pin_init!(Self {
            // SAFETY: This function's requirement.
            inner <- unsafe {
                irq::ThreadedRegistration::new(request, flags, name, Ok(Forward(handler)))
            },
        }? Error)
    }

    /// Registers `handler` for the interrupt.
    ///
    /// # Safety
    ///
    /// The registration must be dropped, before the device that `request` is for is unbound.
    #[cfg(not(have_irq_no_dev))]
    pub(crate) unsafe fn new<'a>(
        request: IrqRequest<'a>,
        flags: Flags,
        name: &'static CStr,
        handler: H,
    ) -> impl PinInit<Self, Error> + use<'a, H> {
        try_pin_init!(Self {
            inner <- irq::ThreadedRegistration::new(request, flags, name, Ok(Forward(handler))),
        }? Error)
    }
}
