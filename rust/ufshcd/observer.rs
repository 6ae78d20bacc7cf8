// SPDX-License-Identifier: GPL-2.0

//! Runs [`VariantOps::observe_link_startup`] beside the core's DME_LINK_STARTUP.
//!
//! The core tells a driver that it is going to start the link, and that it has; not that it has
//! given the command, after which it waits. So a thread looks at the command's first argument: that
//! of DME_LINK_STARTUP is 0, and changes what the driver's last command has left there. Arguments
//! and command are written in a row.
//!
//! Between start and finish of an observation the host lives and its clocks are on, since
//! [`LinkObserver::finish`] is called before either ends: before clocks are switched off, before
//! the core releases the host or suspends it, before the controller is enabled again (with which
//! the core begins a new try), before and after link start-up (the core calls the latter after a
//! success only), and last when the device's resources are released, before the host is.
//!
//! Each host that is observed has a queue of its own, one that needs no memory to go on: the core
//! starts links in its error handler as well, and all I/O waits for that.

use core::marker::PhantomData;

use kernel::{
    new_work,
    prelude::*,
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    },
    time::{
        delay::fsleep,
        Delta, //
    },
    workqueue::{
        impl_has_work,
        Work,
        WorkItem, //
    }, //
};

use super::{
    Hba,
    VariantOps, //
};
use crate::abi::{
    bindings,
    workqueue::{
        self,
        OwnedQueue, //
    }, //
};

/// The first argument of a DME command (UFSHCI 5.6.2); reading it does nothing.
const UCMDARG1: usize = 0x94;

/// How often to look for the command, in us.
const LOOK_EVERY_US: i64 = 50;

/// How often to look at most: with the wait for the quirk of 1 ms between DME commands that is far
/// more than the core needs, unless the controller takes no command at all.
const LOOKS: u32 = 400;

/// Observes the link start-ups of a host.
pub(super) struct LinkObserver<T: VariantOps> {
    queue: OwnedQueue,
    observation: Arc<Observation<T>>,
}

impl<T: VariantOps> LinkObserver<T> {
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            queue: OwnedQueue::for_storage(c"ufs_link")?,
            observation: Arc::pin_init(
                pin_init!(Observation {
                    work <- new_work!("ufs_link"),
                    hba: Atomic::new(core::ptr::null_mut()),
                    before: Atomic::new(0),
                    _ops: PhantomData,
                }),
                GFP_KERNEL,
            )?,
        })
    }

    /// Starts an observation; the one before must be finished.
    ///
    /// Context: may sleep.
    ///
    /// # Safety
    ///
    /// [`LinkObserver::finish`] must be called before the host is freed or its device is unbound.
    pub(super) unsafe fn start(&self, hba: &Hba<T>) {
        let Ok(before) = hba.private().registers.try_read(UCMDARG1) else {
            return;
        };

        self.observation.hba.store(hba.as_raw(), Relaxed);
        self.observation.before.store(before, Relaxed);
        // That it is queued already cannot be. If it were, it would run once.
        let _ = self.queue.enqueue(self.observation.clone());
    }

    /// Waits until an observation that was started has ended. It takes milliseconds at most.
    ///
    /// Context: may sleep; not in the observation.
    pub(super) fn finish(&self) {
        workqueue::flush(&self.observation);
    }
}

/// Finishes a host's observation when it is dropped.
pub(super) struct Finish<T: VariantOps>(pub(super) Arc<super::hba::Private<T>>);

impl<T: VariantOps> Drop for Finish<T> {
    fn drop(&mut self) {
        self.0.finish_observation();
    }
}

/// What runs in a thread.
#[pin_data]
struct Observation<T: VariantOps> {
    #[pin]
    work: Work<Self>,
    /// The host, from the first start on.
    hba: Atomic<*mut bindings::ufs_hba>,
    /// UCMDARG1 when the observation was started.
    before: Atomic<u32>,
    _ops: PhantomData<fn(T)>,
}

impl_has_work! {
    impl{T: VariantOps} HasWork<Self> for Observation<T> { self.work }
}

impl<T: VariantOps> WorkItem for Observation<T> {
    type Pointer = Arc<Self>;

    fn run(this: Arc<Self>) {
        // SAFETY: `LinkObserver::start` has stored the host before it enqueued this. By its
        // requirements somebody waits for this before the host is freed or its device is unbound.
        let hba = unsafe { Hba::<T>::from_raw(this.hba.load(Relaxed)) };
        let before = this.before.load(Relaxed);

        if command_was_given(hba, before) {
            T::observe_link_startup(hba);
        } else {
            dev_warn!(
                hba.device(),
                "link startup is not observed: its command did not come\n"
            );
        }
    }
}

/// Waits until the first argument of the last DME command is another one than `before`.
fn command_was_given<T: VariantOps>(hba: &Hba<T>, before: u32) -> bool {
    for _ in 0..LOOKS {
        match hba.private().registers.try_read(UCMDARG1) {
            Ok(now) if now != before => return true,
            _ => fsleep(Delta::from_micros(LOOK_EVERY_US)),
        }
    }
    false
}
