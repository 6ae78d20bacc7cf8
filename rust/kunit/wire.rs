// SPDX-License-Identifier: GPL-2.0

//! Interrupts without hardware, and whoever requests them.

use core::ptr;

use kernel::{
    bindings,
    error::to_result,
    prelude::*,
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    },
    types::Opaque, //
};

/// How an interrupt looks to genirq.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A level, for all CPUs.
    Level,
    /// An edge.
    Edge,
    /// A level of each CPU's own.
    PerCpu,
}

/// An interrupt that tests raise.
///
/// # Invariants
///
/// The number is that of a descriptor of ours.
pub(crate) struct Wire(u32);

impl Wire {
    /// Makes an interrupt that nobody has requested.
    pub(crate) fn new(kind: Kind) -> Result<Self> {
        // SAFETY: Any number, one of them, on any node, without affinity.
        let irq =
            unsafe { bindings::__irq_alloc_descs(-1, 1, 1, -1, super::this_module(), ptr::null()) };
        to_result(irq.min(0))?;
        // CAST: Not negative, as just checked.
        let irq = irq as u32;

        // SAFETY: `irq` has a descriptor; the chip is the kernel's, and does nothing.
        unsafe {
            bindings::irq_set_chip_and_handler_name(
                irq,
                &raw const bindings::dummy_irq_chip,
                Some(bindings::handle_level_irq),
                ptr::null(),
            )
        };
        let status = match kind {
            Kind::Level => bindings::IRQ_LEVEL | bindings::IRQ_TYPE_LEVEL_HIGH,
            Kind::Edge => bindings::IRQ_TYPE_EDGE_RISING,
            Kind::PerCpu => bindings::IRQ_LEVEL | bindings::IRQ_PER_CPU,
        };
        // SAFETY: As above. CAST: Bits of a C `unsigned long`.
        unsafe {
            bindings::irq_modify_status(irq, bindings::IRQ_NOREQUEST as c_ulong, status as c_ulong)
        };
        // INVARIANT: As just made.
        Ok(Self(irq))
    }

    /// Returns the interrupt's number.
    pub(crate) fn irq(&self) -> u32 {
        self.0
    }

    /// Returns whether the interrupt is disabled. Its chip may be told only when the next one
    /// comes.
    pub(crate) fn is_off(&self) -> bool {
        // SAFETY: By the invariants there is a descriptor.
        let data = unsafe { bindings::irq_get_irq_data(self.0) };
        // SAFETY: Valid, as its descriptor is.
        let state = unsafe { (&raw const (*(*data).common).state_use_accessors).read_volatile() };

        state & bindings::IRQD_IRQ_DISABLED != 0
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // SAFETY: By the invariants it is ours; whoever requested it has freed it.
        unsafe { bindings::irq_free_descs(self.0, 1) };
    }
}

/// Has an interrupt arrive in hard IRQ on this CPU, also if it is masked: it was on its way then.
/// Its handlers have run when this returns, if they were to run at all.
///
/// Context: may sleep.
pub(crate) fn raise(irq: u32) {
    let mut raise = Raise {
        work: pin_init::zeroed(),
        irq,
    };
    raise.work.func = Some(raise_in_hardirq);
    raise.work.node.__bindgen_anon_1.u_flags = bindings::IRQ_WORK_HARD_IRQ;
    let raise = Opaque::new(raise);

    // SAFETY: A complete work, first in its structure, which lives until it has run: see below.
    unsafe { bindings::irq_work_queue(raise.get().cast()) };
    // SAFETY: As above. May sleep, by this function's requirements.
    unsafe { bindings::irq_work_sync(raise.get().cast()) };
}

/// What [`raise_in_hardirq`] needs.
#[repr(C)]
struct Raise {
    work: bindings::irq_work,
    irq: u32,
}

/// # Safety
///
/// Only as the function of the work of a [`Raise`].
unsafe extern "C" fn raise_in_hardirq(work: *mut bindings::irq_work) {
    // SAFETY: By this function's requirements; the work is the first field.
    let irq = unsafe { (*work.cast::<Raise>()).irq };
    // SAFETY: May be called for any number.
    unsafe { bindings::generic_handle_irq_safe(irq) };
}

/// Somebody who has requested an interrupt, such as the core of a driver.
///
/// # Invariants
///
/// `irq` is requested with `seen` as its cookie.
pub(crate) struct Requester {
    irq: u32,
    seen: Arc<Seen>,
}

/// What a [`Requester`]'s handlers have seen.
pub(crate) struct Seen {
    /// How often the handler has run.
    pub(crate) handled: Atomic<u32>,
    /// How often its thread has.
    pub(crate) threaded: Atomic<u32>,
    /// As long as this is set the thread does not end.
    pub(crate) hold_thread: Atomic<bool>,
}

impl Requester {
    /// Requests an interrupt whose handler does it all.
    ///
    /// # Errors
    ///
    /// Those of `request_irq()`.
    pub(crate) fn plain(irq: u32) -> Result<Self> {
        Self::request(irq, None, 0)
    }

    /// Requests an interrupt that is handled in a thread only.
    ///
    /// # Errors
    ///
    /// Those of `request_threaded_irq()`.
    pub(crate) fn threaded(irq: u32) -> Result<Self> {
        // CAST: A flag of a C `unsigned long`.
        Self::request(irq, Some(thread), bindings::IRQF_ONESHOT as c_ulong)
    }

    fn request(irq: u32, thread_fn: bindings::irq_handler_t, flags: c_ulong) -> Result<Self> {
        let seen = Arc::new(
            Seen {
                handled: Atomic::new(0),
                threaded: Atomic::new(0),
                hold_thread: Atomic::new(false),
            },
            GFP_KERNEL,
        )?;
        let handler: bindings::irq_handler_t = if thread_fn.is_some() {
            Some(wake)
        } else {
            Some(handle)
        };
        // SAFETY: The handlers take a `Seen`, which lives until `drop` has freed the interrupt.
        to_result(unsafe {
            bindings::request_threaded_irq(
                irq,
                handler,
                thread_fn,
                flags,
                c"kunit".as_char_ptr(),
                Arc::as_ptr(&seen).cast_mut().cast(),
            )
        })?;
        // INVARIANT: As just requested.
        Ok(Self { irq, seen })
    }

    /// Returns what the handlers have seen.
    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }
}

impl Drop for Requester {
    fn drop(&mut self) {
        // SAFETY: By the invariants it was requested with this cookie.
        unsafe { bindings::free_irq(self.irq, Arc::as_ptr(&self.seen).cast_mut().cast()) };
    }
}

/// # Safety
///
/// `seen` must be the cookie of a [`Requester`].
unsafe fn seen<'a>(seen: *mut c_void) -> &'a Seen {
    // SAFETY: By this function's requirements; it lives while handlers run.
    unsafe { &*seen.cast() }
}

/// # Safety
///
/// Only as a handler of a [`Requester`].
unsafe extern "C" fn handle(_irq: c_int, cookie: *mut c_void) -> bindings::irqreturn_t {
    // SAFETY: By this function's requirements.
    unsafe { seen(cookie) }.handled.fetch_add(1, Relaxed);
    bindings::irqreturn::IRQ_HANDLED
}

/// # Safety
///
/// Only as a handler of a [`Requester`].
unsafe extern "C" fn wake(_irq: c_int, cookie: *mut c_void) -> bindings::irqreturn_t {
    // SAFETY: By this function's requirements.
    unsafe { seen(cookie) }.handled.fetch_add(1, Relaxed);
    bindings::irqreturn::IRQ_WAKE_THREAD
}

/// # Safety
///
/// Only as a thread's handler of a [`Requester`].
unsafe extern "C" fn thread(_irq: c_int, cookie: *mut c_void) -> bindings::irqreturn_t {
    // SAFETY: By this function's requirements.
    let seen = unsafe { seen(cookie) };

    super::wait_until(|| !seen.hold_thread.load(Relaxed));
    seen.threaded.fetch_add(1, Relaxed);
    bindings::irqreturn::IRQ_HANDLED
}

/// Disables an interrupt, and waits until its handlers are done.
///
/// Context: may sleep.
pub(crate) fn disable(irq: u32) {
    // SAFETY: May be called for any number.
    unsafe { bindings::disable_irq(irq) };
}

/// Disables an interrupt without waiting.
///
/// Context: any.
pub(crate) fn disable_nosync(irq: u32) {
    // SAFETY: May be called for any number.
    unsafe { bindings::disable_irq_nosync(irq) };
}

/// Enables an interrupt again.
pub(crate) fn enable(irq: u32) {
    // SAFETY: May be called for any number.
    unsafe { bindings::enable_irq(irq) };
}

/// Returns whether there is an interrupt of this number.
pub(crate) fn exists(irq: u32) -> bool {
    // SAFETY: May be called for any number.
    !unsafe { bindings::irq_get_irq_data(irq) }.is_null()
}
