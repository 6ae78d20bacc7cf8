// SPDX-License-Identifier: GPL-2.0

//! A virtual interrupt that stands for a wire.
//!
//! An irq domain with one interrupt, whose chip masks the wire.
//!
//! It is a level line in both directions:
//!
//! - Masking it disables the wire, so a core whose own handler is threaded and acknowledges late
//!   does not make the wire storm: genirq's ONESHOT logic masks the virtual line, thereby the
//!   wire, until the thread is done.
//! - `disable_irq()` on it returns only when no handler of the wire runs any more, neither hard nor
//!   threaded. Cores rely on that when they gate the clocks of the registers next.
//!
//! The wire is to be requested disabled, and follows the virtual line from when that is requested.
//!
//! Made for `irq_gate.rs`, and tested with it.
//!
//! # Locks
//!
//! Masking happens under the virtual line's descriptor lock and takes the wire's descriptor lock
//! inside it; never the other way round. The virtual line has a lockdep class of its own.
//!
//! # Limits
//!
//! - Genirq may run the virtual line's handler by itself where it polls for lost interrupts
//!   (`irqpoll`), as that line may be shared by whoever requests it.
//! - The virtual line cannot wake the system.
//!
//! C headers: [`include/linux/irqdomain.h`](srctree/include/linux/irqdomain.h),
//! [`include/linux/irq.h`](srctree/include/linux/irq.h)

use core::ptr::{
    self,
    NonNull, //
};

use kernel::{
    bindings,
    error::{
        from_err_ptr,
        to_result, //
    },
    prelude::*,
    sync::Arc, //
};

use super::{
    bindings as ufs_bindings,
    context::local_clock,
    word::Counter, //
};

/// What the chip of a virtual line knows.
struct LineData {
    wire: u32,
    /// When the line was unmasked first after an interrupt was forwarded, in ns; 0 if it was not
    /// yet.
    opened: Counter,
}

/// An irq domain with one interrupt, whose chip masks the wire.
///
/// Whoever has requested the interrupt must have freed it when this is dropped.
///
/// # Invariants
///
/// `domain` was made with `fwnode`, both are ours, and `virq` is its mapping of interrupt 0, or 0
/// if that could not be made. The domain's host data is `data`.
pub(super) struct VirtualLine {
    domain: NonNull<bindings::irq_domain>,
    fwnode: NonNull<bindings::fwnode_handle>,
    virq: u32,
    data: Arc<LineData>,
}

// SAFETY: Owns what it points to; the functions called on these pointers may run in any thread.
unsafe impl Send for VirtualLine {}
// SAFETY: Nothing can be done through a shared reference but to read `virq` and `data`.
unsafe impl Sync for VirtualLine {}

impl VirtualLine {
    /// Makes the virtual interrupt of `wire`.
    ///
    /// `name` is part of what the domain is called in debugfs.
    ///
    /// # Errors
    ///
    /// `ENOMEM`, and those of `irq_domain_instantiate()`.
    pub(super) fn new(wire: u32, name: &CStr) -> Result<Self> {
        let data = Arc::new(
            LineData {
                wire,
                opened: Counter::new(),
            },
            GFP_KERNEL,
        )?;
        // SAFETY: `name` is a C string and is copied. No address is given, so none is needed.
        let fwnode = NonNull::new(unsafe {
            bindings::__irq_domain_alloc_fwnode(
                bindings::IRQCHIP_FWNODE_NAMED_ID,
                // CAST: Interrupt numbers are positive `int`s in C.
                wire as c_int,
                name.as_char_ptr(),
                ptr::null_mut(),
                ptr::null_mut(),
            )
        })
        .ok_or(ENOMEM)?;

        let info = bindings::irq_domain_info {
            fwnode: fwnode.as_ptr(),
            size: 1,
            hwirq_max: 1,
            ops: &DOMAIN_OPS.0,
            host_data: Arc::as_ptr(&data).cast_mut().cast(),
            ..pin_init::zeroed()
        };
        // SAFETY: `info` is complete and only read during the call, except for the static `ops`.
        let domain = from_err_ptr(unsafe { bindings::irq_domain_instantiate(&info) })
            .and_then(|d| NonNull::new(d).ok_or(ENOMEM))
            .inspect_err(|_| {
                // SAFETY: No domain has taken it.
                unsafe { bindings::irq_domain_free_fwnode(fwnode.as_ptr()) }
            })?;

        // SAFETY: `domain` is valid, and 0 is below its `hwirq_max`.
        let virq =
            unsafe { bindings::irq_create_mapping_affinity(domain.as_ptr(), 0, ptr::null()) };
        // INVARIANT: As just made.
        let this = Self {
            domain,
            fwnode,
            virq,
            data,
        };
        to_result(if virq == 0 { ENOMEM.to_errno() } else { 0 })?;
        Ok(this)
    }

    /// Returns the virtual interrupt's number.
    pub(super) fn virq(&self) -> u32 {
        self.virq
    }

    /// Returns what the wire's handler needs.
    pub(super) fn forwarder(&self) -> Forwarder {
        Forwarder {
            virq: self.virq,
            data: self.data.clone(),
        }
    }
}

impl Drop for VirtualLine {
    fn drop(&mut self) {
        if self.virq != 0 {
            // SAFETY: By the invariant it is our mapping; nobody has requested it any more.
            unsafe { bindings::irq_dispose_mapping(self.virq) };
        }
        // SAFETY: By the invariant the domain is ours, and it has no mapping any more.
        unsafe { bindings::irq_domain_remove(self.domain.as_ptr()) };
        // SAFETY: By the invariant it is ours, and the domain that used it is gone.
        unsafe { bindings::irq_domain_free_fwnode(self.fwnode.as_ptr()) };
    }
}

/// Passes interrupts of the wire on to the virtual line.
pub(super) struct Forwarder {
    virq: u32,
    data: Arc<LineData>,
}

impl Forwarder {
    /// Runs the handler of the virtual line, now and in this context.
    ///
    /// # Safety
    ///
    /// Only in a handler of the wire, as long as the [`VirtualLine`] lives.
    #[inline]
    pub(super) unsafe fn forward(&self) {
        self.data.opened.set(0);
        // SAFETY: By this function's requirements `virq` is mapped. The call turns interrupts off
        // itself, so that it may come from a forced thread. Its only error would be a line that is
        // not mapped.
        unsafe { bindings::generic_handle_irq_safe(self.virq) };
    }

    /// Returns when the handler of the virtual line had served what was forwarded last, in ns of
    /// [`local_clock`]; 0 if it has not yet.
    #[inline]
    pub(super) fn opened(&self) -> u64 {
        self.data.opened.get()
    }
}

/// Makes a static of a C operations table `Sync`.
#[repr(transparent)]
struct Table<T>(T);

// SAFETY: The tables are never written, and what they point to is static.
unsafe impl<T> Sync for Table<T> {}

static DOMAIN_OPS: Table<bindings::irq_domain_ops> = Table(bindings::irq_domain_ops {
    map: Some(map),
    ..pin_init::zeroed()
});

static CHIP: Table<bindings::irq_chip> = Table(bindings::irq_chip {
    name: kernel::str::as_char_ptr_in_const_context(c"ufs-gate"),
    irq_mask: Some(mask),
    irq_unmask: Some(unmask),
    irq_bus_sync_unlock: Some(bus_sync_unlock),
    irq_request_resources: Some(request_resources),
    ..pin_init::zeroed()
});

/// Returns what the chip data of a virtual line points to.
///
/// # Safety
///
/// `data` must be that of an interrupt set up by [`map`], in a callback of its chip.
unsafe fn line_of<'a>(data: *mut bindings::irq_data) -> &'a LineData {
    // SAFETY: By this function's requirements, `data` is valid, and its chip data is what `map` has
    // stored: the host data of the domain, which a `VirtualLine` keeps until the domain is gone.
    unsafe { &*(*data).chip_data.cast::<LineData>() }
}

/// Sets up the virtual interrupt.
///
/// # Safety
///
/// Only as the `map` callback of a domain made by [`VirtualLine::new`].
unsafe extern "C" fn map(
    domain: *mut bindings::irq_domain,
    virq: c_uint,
    _hwirq: bindings::irq_hw_number_t,
) -> c_int {
    // SAFETY: `domain` is valid; its host data is that of a `VirtualLine`.
    let line = unsafe { (*domain).host_data };

    // The chip's callbacks read the chip data, so it comes first.
    //
    // SAFETY: `virq` has a descriptor: this is called to set it up.
    unsafe { bindings::irq_set_chip_data(virq, line) };
    // SAFETY: As above.
    unsafe { ufs_bindings::ufs_unisoc_irq_set_own_lockdep_class(virq) };
    // SAFETY: As above; the chip is static.
    unsafe {
        bindings::irq_set_chip_and_handler_name(
            virq,
            &CHIP.0,
            Some(bindings::handle_level_irq),
            ptr::null(),
        )
    };
    // Level: nothing is ever resent by software, the wire itself is still asserted.
    //
    // SAFETY: As above.
    unsafe {
        bindings::irq_modify_status(
            virq,
            0,
            // CAST: Status bits of a C `unsigned long`.
            (bindings::IRQ_LEVEL | bindings::IRQ_NOPROBE) as c_ulong,
        )
    };
    0
}

/// Has disabling the line mask it at once, instead of on its next interrupt.
///
/// With each request of the line, since freeing it takes the setting away.
///
/// # Safety
///
/// Only as a callback of [`CHIP`].
unsafe extern "C" fn request_resources(data: *mut bindings::irq_data) -> c_int {
    // SAFETY: `data` is valid in a chip's callback. This one runs without the descriptor's lock.
    unsafe {
        bindings::irq_modify_status(
            (*data).irq,
            0,
            // CAST: A status bit of a C `unsigned long`.
            bindings::IRQ_DISABLE_UNLAZY as c_ulong,
        )
    };
    0
}

/// Disables the wire.
///
/// # Safety
///
/// Only as a callback of [`CHIP`], which genirq balances with [`unmask`].
unsafe extern "C" fn mask(data: *mut bindings::irq_data) {
    // SAFETY: Callbacks of the chip get data that `map` set up.
    let line = unsafe { line_of(data) };
    // SAFETY: The wire has a descriptor as long as its device has the interrupt, which is longer
    // than the line lives; disabling one that nobody has requested only counts.
    unsafe { bindings::disable_irq_nosync(line.wire) };
}

/// Enables the wire.
///
/// # Safety
///
/// Only as a callback of [`CHIP`], after [`mask`] or at the first start-up of the virtual line: the
/// wire was requested disabled.
unsafe extern "C" fn unmask(data: *mut bindings::irq_data) {
    // SAFETY: Callbacks of the chip get data that `map` set up.
    let line = unsafe { line_of(data) };
    if line.opened.get() == 0 {
        line.opened.set(local_clock());
    }
    // SAFETY: Balanced, by this function's requirements.
    unsafe { bindings::enable_irq(line.wire) };
}

/// Waits for the wire's handlers when the virtual line was disabled.
///
/// genirq calls this after it has released the descriptor's lock, with whatever else the caller
/// had: from `disable_irq()` in a task that may sleep, but also at the end of a forced thread of
/// the virtual line with bottom halves and maybe interrupts off. The latter cannot wait and need
/// not.
///
/// # Safety
///
/// Only as a callback of [`CHIP`].
unsafe extern "C" fn bus_sync_unlock(data: *mut bindings::irq_data) {
    // SAFETY: `data` and its `common` are valid in a chip's callback.
    let state = unsafe { ptr::read_volatile(&raw const (*(*data).common).state_use_accessors) };
    if state & bindings::IRQD_IRQ_DISABLED == 0 {
        return;
    }
    // SAFETY: Reads the current context.
    if !unsafe { ufs_bindings::ufs_unisoc_may_sleep() } {
        return;
    }
    // SAFETY: Callbacks of the chip get data that `map` set up.
    let line = unsafe { line_of(data) };
    // SAFETY: May sleep, as just asked.
    unsafe { bindings::synchronize_irq(line.wire) };
}
