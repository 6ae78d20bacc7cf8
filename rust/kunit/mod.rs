// SPDX-License-Identifier: GPL-2.0

//! What the KUnit tests of the abstractions share: hardware that is not there.
//!
//! The tests of an abstraction are in a file of its name beside this one, and are a child module of
//! it. All are built only with `CONFIG_UFS_UNISOC_KUNIT_TEST=y` on make's command line, for a
//! kernel with `CONFIG_KUNIT=y`, and run when the module is loaded.
//!
//! A failed assertion ends the test's thread where it stands, without destructors: interrupts and
//! files that it had stay. After a failure, boot anew before believing the tests after it.

pub(crate) mod device;
pub(crate) mod wire;

use kernel::{
    bindings,
    new_mutex,
    new_work,
    prelude::*,
    sync::{
        atomic::{
            Acquire,
            Atomic,
            Release, //
        },
        Arc,
        Mutex, //
    },
    time::{
        delay::fsleep,
        Delta, //
    },
    workqueue::{
        self,
        impl_has_work,
        Work,
        WorkItem, //
    }, //
};

/// Waits until `done`, for at most 10 s. Returns whether it is.
pub(crate) fn wait_until(done: impl Fn() -> bool) -> bool {
    for _ in 0..10_000 {
        if done() {
            return true;
        }
        fsleep(Delta::from_millis(1));
    }
    done()
}

/// Lets others run for so long.
pub(crate) fn sleep_ms(ms: i64) {
    fsleep(Delta::from_millis(ms));
}

/// Returns this module for C: null if it is built in.
pub(crate) fn this_module() -> *mut bindings::module {
    #[cfg(MODULE)]
    {
        (&raw const bindings::__this_module).cast_mut()
    }
    #[cfg(not(MODULE))]
    {
        core::ptr::null_mut()
    }
}

/// Returns how often this module is in use; `None` if it is built in, and cannot go.
pub(crate) fn uses_of_this_module() -> Option<c_int> {
    let module = this_module();

    // SAFETY: This module, hence valid as long as this runs.
    (!module.is_null()).then(|| unsafe { bindings::module_refcount(module) })
}

/// Something to do in another thread.
#[pin_data]
pub(crate) struct Job<F: FnOnce() + Send + Unpin + 'static> {
    #[pin]
    work: Work<Self>,
    #[pin]
    job: Mutex<Option<F>>,
    done: Atomic<bool>,
}

impl_has_work! {
    impl{F: FnOnce() + Send + Unpin + 'static} HasWork<Self> for Job<F> { self.work }
}

impl<F: FnOnce() + Send + Unpin + 'static> WorkItem for Job<F> {
    type Pointer = Arc<Self>;

    fn run(this: Arc<Self>) {
        let job = this.job.lock().take();

        if let Some(job) = job {
            job();
        }
        this.done.store(true, Release);
    }
}

/// Does something in another thread.
///
/// # Errors
///
/// `ENOMEM`.
pub(crate) fn beside<F: FnOnce() + Send + Unpin + 'static>(job: F) -> Result<Arc<Job<F>>> {
    let job = Arc::pin_init(
        pin_init!(Job {
            work <- new_work!("kunit"),
            job <- new_mutex!(Some(job)),
            done: Atomic::new(false),
        }),
        GFP_KERNEL,
    )?;
    let _ = workqueue::system_unbound().enqueue(job.clone());
    Ok(job)
}

impl<F: FnOnce() + Send + Unpin + 'static> Job<F> {
    /// Returns whether it is done.
    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Acquire)
    }
}
