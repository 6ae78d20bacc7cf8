// SPDX-License-Identifier: GPL-2.0

//! Work queues of one's own, and waiting for work.
//!
//! The kernel crate has work items and the system's queues, but neither of these.
//!
//! C header: [`include/linux/workqueue.h`](srctree/include/linux/workqueue.h)

use core::ptr::NonNull;

use kernel::{
    bindings,
    prelude::*,
    sync::Arc,
    workqueue::{
        HasWork,
        Queue,
        RawWorkItem,
        Work, //
    }, //
};

/// A work queue that is destroyed when this is dropped, after its work has run.
///
/// Do not drop it in its own work, which would wait for itself.
///
/// # Invariants
///
/// The pointer is that of a queue that is ours.
pub(crate) struct OwnedQueue(NonNull<bindings::workqueue_struct>);

// SAFETY: A queue may be used and destroyed from any thread.
unsafe impl Send for OwnedQueue {}
// SAFETY: Queues have their own locks.
unsafe impl Sync for OwnedQueue {}

impl OwnedQueue {
    /// Makes a queue for work that storage waits for: it runs even if there is no memory for
    /// another thread, one item at a time, and soon.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn for_storage(name: &CStr) -> Result<Self> {
        let flags = bindings::wq_flags_WQ_UNBOUND
            | bindings::wq_flags_WQ_MEM_RECLAIM
            | bindings::wq_flags_WQ_HIGHPRI;
        // SAFETY: A format that takes one C string, and that string, which is copied.
        let queue = unsafe {
            bindings::alloc_workqueue_noprof(c"%s".as_char_ptr(), flags, 1, name.as_char_ptr())
        };
        // INVARIANT: Just made.
        Ok(Self(NonNull::new(queue).ok_or(ENOMEM)?))
    }

    /// Enqueues work; see [`Queue::enqueue`].
    ///
    /// Nothing else of a [`Queue`] is offered: for delayed work, which is not in the queue yet, the
    /// destruction would not wait.
    ///
    /// Context: any.
    pub(crate) fn enqueue<W>(&self, work: W) -> W::EnqueueOutput
    where
        W: RawWorkItem<0> + Send + 'static,
    {
        // SAFETY: By the invariants a valid queue, for as long as `self` is there.
        unsafe { Queue::from_raw(self.0.as_ptr()) }.enqueue(work)
    }
}

impl Drop for OwnedQueue {
    fn drop(&mut self) {
        // SAFETY: By the invariants it is ours, and nobody has a reference to it any more.
        unsafe { bindings::destroy_workqueue(self.0.as_ptr()) };
    }
}

/// Waits until an item that was enqueued has run. Returns at once if it was not.
///
/// Context: may sleep; not in the item itself.
pub(crate) fn flush<T: HasWork<T>>(item: &Arc<T>) {
    // SAFETY: The pointer is that of a valid `T`.
    let work = unsafe { T::raw_get_work(Arc::as_ptr(item).cast_mut()) };
    // SAFETY: A valid, initialised item, which `item` keeps during the call.
    unsafe { bindings::flush_work(Work::raw_get(work)) };
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/workqueue.rs"]
mod kunit;
