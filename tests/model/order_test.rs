// SPDX-License-Identifier: GPL-2.0

//! Proves that the order which `Shared` promises is enough, and that it is needed.
//!
//! In `machine.rs` each access sees the latest value. Here the thread's read of the doorbell may
//! return any older one, unless the word's operations order it after what the handler has seen.

use std::sync::atomic::{
    AtomicU32 as Plain,
    Ordering::SeqCst, //
};

use loom::{
    sync::{
        atomic::{
            AtomicU32,
            Ordering::{
                self,
                AcqRel,
                Relaxed, //
            }, //
        },
        Arc, //
    },
    thread, //
};

use crate::{
    burst::{
        Burst,
        Shared, //
    },
    burst_test::explore,
};

struct Word {
    value: AtomicU32,
    order: Ordering,
}

impl Shared for Word {
    fn swap(&self, new: u32) -> u32 {
        self.value.swap(new, self.order)
    }

    fn replace(&self, old: u32, new: u32) -> bool {
        self.value
            .compare_exchange(old, new, self.order, Relaxed)
            .is_ok()
    }

    fn peek(&self) -> u32 {
        self.value.load(Relaxed)
    }
}

struct Parts {
    burst: Burst<Word>,
    /// Requests that the controller is not done with.
    doorbell: AtomicU32,
    status: AtomicU32,
    woken: AtomicU32,
    /// Requests that the thread has seen to be done.
    seen: Plain,
}

impl Parts {
    fn primary(&self) {
        // To acknowledge and to read are one here. Whoever accesses the controller after it sees
        // what the controller had done by then.
        if self.status.swap(0, AcqRel) != 0 && self.burst.hand_over() {
            self.woken.store(1, Relaxed);
        }
    }

    fn thread(&self) {
        loop {
            self.burst.look();
            self.seen.fetch_or(!self.doorbell.load(Relaxed), SeqCst);
            if self.burst.finished() {
                break;
            }
        }
    }
}

fn two_requests(order: Ordering) {
    let parts = Arc::new(Parts {
        burst: Burst::new(Word {
            value: AtomicU32::new(Burst::<Word>::INITIAL),
            order,
        }),
        doorbell: AtomicU32::new(!0),
        status: AtomicU32::new(0),
        woken: AtomicU32::new(0),
        seen: Plain::new(0),
    });
    // The thread runs already.
    assert!(parts.burst.hand_over());
    let handler = {
        let parts = parts.clone();
        thread::spawn(move || (0..2).for_each(|_| parts.primary()))
    };
    let thread = {
        let parts = parts.clone();
        thread::spawn(move || parts.thread())
    };
    for request in 0..2 {
        parts.doorbell.fetch_and(!(1 << request), Relaxed);
        // The controller does things in this order.
        parts.status.swap(1, AcqRel);
    }
    handler.join().unwrap();
    thread.join().unwrap();
    parts.primary();
    if parts.woken.load(Relaxed) != 0 {
        parts.thread();
    }
    assert_eq!(parts.seen.load(SeqCst), 3, "a request was forgotten");
    assert!(!parts.burst.is_on(), "the burst has not ended");
}

#[test]
fn the_thread_sees_what_the_handler_has_acknowledged() {
    explore("fully ordered", None, || two_requests(AcqRel));
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn without_order_it_does_not() {
    explore("not ordered", None, || two_requests(Relaxed));
}
