// SPDX-License-Identifier: GPL-2.0

//! Tests of work queues of one's own.

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
    workqueue::{
        impl_has_work,
        Work,
        WorkItem, //
    }, //
};

use super::{
    flush,
    OwnedQueue, //
};
use crate::abi::kunit::{
    sleep_ms,
    wait_until, //
};

/// Work that takes a while.
#[pin_data]
struct Slow {
    #[pin]
    work: Work<Self>,
    /// As long as this is set it does not end.
    hold: Atomic<bool>,
    ran: Atomic<u32>,
    running: Arc<Atomic<u32>>,
    /// How often it ran beside another.
    crowded: Atomic<u32>,
}

impl_has_work! {
    impl HasWork<Self> for Slow { self.work }
}

impl WorkItem for Slow {
    type Pointer = Arc<Self>;

    fn run(this: Arc<Self>) {
        if this.running.fetch_add(1, Relaxed) != 0 {
            this.crowded.add(1, Relaxed);
        }
        sleep_ms(20);
        wait_until(|| !this.hold.load(Relaxed));
        this.running.fetch_sub(1, Relaxed);
        this.ran.add(1, Relaxed);
    }
}

impl Slow {
    fn new(running: &Arc<Atomic<u32>>) -> Result<Arc<Self>> {
        Arc::pin_init(
            pin_init!(Self {
                work <- new_work!("kunit"),
                hold: Atomic::new(false),
                ran: Atomic::new(0),
                running: running.clone(),
                crowded: Atomic::new(0),
            }),
            GFP_KERNEL,
        )
    }

    fn ran(&self) -> u32 {
        self.ran.load(Relaxed)
    }
}

fn nobody() -> Result<Arc<Atomic<u32>>> {
    Ok(Arc::new(Atomic::new(0), GFP_KERNEL)?)
}

#[kunit_tests(ufs_unisoc_workqueue)]
mod tests {
    use super::*;

    #[test]
    fn dropping_a_queue_waits_for_its_work() -> Result {
        let queue = OwnedQueue::for_storage(c"kunit")?;
        let running = nobody()?;
        let items = [Slow::new(&running)?, Slow::new(&running)?];

        for item in &items {
            assert!(queue.enqueue(item.clone()).is_ok());
        }
        drop(queue);
        assert!(items.iter().all(|item| item.ran() == 1));
        Ok(())
    }

    #[test]
    fn one_item_runs_at_a_time() -> Result {
        let queue = OwnedQueue::for_storage(c"kunit")?;
        let running = nobody()?;
        let items = [
            Slow::new(&running)?,
            Slow::new(&running)?,
            Slow::new(&running)?,
        ];

        for item in &items {
            assert!(queue.enqueue(item.clone()).is_ok());
        }
        drop(queue);
        assert!(items.iter().all(|item| item.ran() == 1));
        assert!(items.iter().all(|item| item.crowded.load(Relaxed) == 0));
        Ok(())
    }

    #[test]
    fn an_item_that_waits_is_not_enqueued_twice() -> Result {
        let queue = OwnedQueue::for_storage(c"kunit")?;
        let running = nobody()?;
        let (first, second) = (Slow::new(&running)?, Slow::new(&running)?);

        first.hold.store(true, Relaxed);
        assert!(queue.enqueue(first.clone()).is_ok());
        assert!(queue.enqueue(second.clone()).is_ok());
        // Behind the first one.
        let again = queue.enqueue(second.clone()).is_ok();
        first.hold.store(false, Relaxed);
        assert!(!again);
        drop(queue);
        assert_eq!(second.ran(), 1);
        Ok(())
    }

    #[test]
    fn flushing_waits_for_an_item_that_was_enqueued() -> Result {
        let queue = OwnedQueue::for_storage(c"kunit")?;
        let item = Slow::new(&nobody()?)?;

        for n in 1..4 {
            assert!(queue.enqueue(item.clone()).is_ok());
            flush(&item);
            assert_eq!(item.ran(), n);
        }
        Ok(())
    }

    #[test]
    fn flushing_an_item_that_was_not_enqueued_returns() -> Result {
        let item = Slow::new(&nobody()?)?;

        flush(&item);
        assert_eq!(item.ran(), 0);
        Ok(())
    }
}
