// SPDX-License-Identifier: GPL-2.0

//! Threaded interrupt registrations, in the shape 7.3 gave them.

pub(crate) use kernel::irq::{
    Flags,
    IrqReturn,
    ThreadedHandler,
    ThreadedIrqReturn, //
};

use kernel::{
    irq::IrqRequest,
    prelude::*, //
};

/// A threaded interrupt registration without a lifetime.
///
/// Freed when dropped, after waiting for running handlers.
#[pin_data]
pub(crate) struct ThreadedRegistration<H: ThreadedHandler + 'static> {
    #[pin]
    inner: kernel::irq::ThreadedRegistration<'static, H>,
}

impl<H: ThreadedHandler + 'static> ThreadedRegistration<H> {
    /// Registers `handler` for the interrupt.
    ///
    /// # Safety
    ///
    /// The registration must be dropped, before the device that `request` is for is unbound.
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
                kernel::irq::ThreadedRegistration::new(request, flags, name, Ok(handler))
            },
        }? Error)
    }
}
