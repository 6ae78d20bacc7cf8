// SPDX-License-Identifier: GPL-2.0

//! Tests of what there is about contexts.

use kernel::{
    bindings,
    prelude::*,
    sync::atomic::{
        Atomic,
        Relaxed, //
    },
    task::Task,
    types::Opaque, //
};

use super::{
    cond_resched,
    local_clock,
    BhDisabled, //
};
use crate::abi::{
    bindings as ufs_bindings,
    kunit::sleep_ms, //
};

/// Returns whether this task may wait for an interrupt's thread.
fn may_sleep() -> bool {
    // SAFETY: Reads the current context.
    unsafe { ufs_bindings::ufs_unisoc_may_sleep() }
}

/// A tasklet: what a soft interrupt runs.
#[repr(C)]
struct Raised {
    tasklet: bindings::tasklet_struct,
    ran_in: Atomic<usize>,
}

/// Returns the task that this runs in, or on top of, as a number.
fn task() -> usize {
    Task::current_raw().addr()
}

/// # Safety
///
/// Only as the callback of a [`Raised`].
unsafe extern "C" fn note_task(tasklet: *mut bindings::tasklet_struct) {
    // SAFETY: By this function's requirements; the tasklet is the first field.
    let raised = unsafe { &*tasklet.cast::<Raised>() };

    raised.ran_in.store(task(), Relaxed);
}

#[kunit_tests(ufs_unisoc_context)]
mod tests {
    use super::*;

    #[test]
    fn bottom_halves_are_off_while_the_guard_lives() {
        assert!(may_sleep());
        let outer = BhDisabled::new();
        assert!(!may_sleep());
        let inner = BhDisabled::new();
        drop(inner);
        assert!(!may_sleep());
        drop(outer);
        assert!(may_sleep());
    }

    #[test]
    fn a_soft_interrupt_raised_meanwhile_runs_in_the_same_task_at_the_end() {
        let mut raised = Raised {
            tasklet: pin_init::zeroed(),
            ran_in: Atomic::new(0),
        };
        raised.tasklet.__bindgen_anon_1.callback = Some(note_task);
        raised.tasklet.use_callback = true;
        // TASKLET_STATE_SCHED, as `tasklet_schedule()` sets it.
        raised.tasklet.state = 1;
        let raised = Opaque::new(raised);
        // SAFETY: Lives until the end of the test, by when the tasklet has run.
        let ran_in = || unsafe { (*raised.get()).ran_in.load(Relaxed) };

        let bh = BhDisabled::new();
        // SAFETY: A complete tasklet, first in its structure, that is in no list.
        unsafe { bindings::__tasklet_schedule(raised.get().cast()) };
        let early = ran_in();
        drop(bh);
        let late = ran_in();

        // SAFETY: As above. It must not be scheduled when `raised` goes.
        unsafe { bindings::tasklet_kill(raised.get().cast()) };
        assert_eq!(early, 0);
        assert_eq!(late, task());
    }

    #[test]
    fn the_clock_counts_nanoseconds() {
        let before = local_clock();
        sleep_ms(20);
        let passed = local_clock() - before;

        // Not less than was slept, but for a difference between two CPUs; and not in another unit.
        assert!(passed > 19_000_000);
        assert!(passed < 600_000_000_000);
    }

    #[test]
    fn letting_others_run_comes_back() {
        cond_resched();
        assert!(may_sleep());
    }
}
