// SPDX-License-Identifier: GPL-2.0

//! The context code runs in.
//!
//! And two things about the time it takes there.
//!
//! C headers: [`include/linux/preempt.h`](srctree/include/linux/preempt.h),
//! [`include/linux/bottom_half.h`](srctree/include/linux/bottom_half.h),
//! [`include/linux/sched/clock.h`](srctree/include/linux/sched/clock.h)

use core::marker::PhantomData;

use super::bindings;

/// Keeps bottom halves off on this CPU while it lives.
///
/// Soft interrupts that are raised meanwhile run when it is dropped, in the same task: without it,
/// raising one from a thread wakes another thread for it.
pub(crate) struct BhDisabled {
    /// Not `Send`: it belongs to this task.
    _not_send: PhantomData<*mut ()>,
}

impl BhDisabled {
    /// Disables bottom halves.
    ///
    /// Context: task, interrupts on. Nests.
    pub(crate) fn new() -> Self {
        // SAFETY: Paired with the enabling in `drop`, in the same task since this is not `Send`.
        unsafe { bindings::ufs_unisoc_local_bh_disable() };
        Self {
            _not_send: PhantomData,
        }
    }
}

impl Drop for BhDisabled {
    fn drop(&mut self) {
        // SAFETY: Pairs with `new`; not `Send`, hence the same task.
        unsafe { bindings::ufs_unisoc_local_bh_enable() };
    }
}

/// Returns the time of this CPU's clock, in ns: cheap, and fit for short differences on one CPU.
///
/// It stands still while the system sleeps, and may go back a little from one CPU to another.
///
/// Context: any.
#[inline]
pub(crate) fn local_clock() -> u64 {
    // SAFETY: May be called in any context.
    unsafe { bindings::ufs_unisoc_local_clock() }
}

/// Lets others run who have waited, where the kernel does not do so by itself.
///
/// Context: may sleep.
pub(crate) fn cond_resched() {
    // SAFETY: This function's requirement on the context is not one of safety: the scheduler
    // complains.
    unsafe { bindings::ufs_unisoc_cond_resched() }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/context.rs"]
mod kunit;
