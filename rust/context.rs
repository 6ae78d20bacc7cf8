// SPDX-License-Identifier: GPL-2.0

//! The context code runs in.
//!
//! C headers: [`include/linux/preempt.h`](srctree/include/linux/preempt.h),
//! [`include/linux/bottom_half.h`](srctree/include/linux/bottom_half.h)

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
