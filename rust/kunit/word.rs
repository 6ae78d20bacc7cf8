// SPDX-License-Identifier: GPL-2.0

//! Tests of words and counters.

use kernel::{
    prelude::*,
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    }, //
};

use super::{
    Counter,
    Word, //
};
use crate::abi::kunit::{
    beside,
    wait_until, //
};

const ROUNDS: u32 = 200_000;

/// Has two threads make a change over and over. Returns the word's value, and how many changes were
/// made.
fn contend(change: fn(&Word) -> bool) -> Result<(u32, u32)> {
    let shared = Arc::new((Word::new(0), Atomic::<u32>::new(0)), GFP_KERNEL)?;
    let mut jobs = KVec::new();

    for _ in 0..2 {
        let shared = shared.clone();
        let changing = beside(move || {
            for _ in 0..ROUNDS {
                if change(&shared.0) {
                    shared.1.add(1, Relaxed);
                }
            }
        })?;
        jobs.push(changing, GFP_KERNEL)?;
    }
    if !wait_until(|| jobs.iter().all(|job| job.is_done())) {
        return Err(ETIMEDOUT);
    }
    Ok((shared.0.load(), shared.1.load(Relaxed)))
}

#[kunit_tests(ufs_unisoc_word)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_what_was_stored_last() {
        let word = Word::new(7);

        assert_eq!(word.load(), 7);
        word.store(u32::MAX);
        assert_eq!(word.load(), u32::MAX);
    }

    #[test]
    fn swap_gives_the_old_value() {
        let word = Word::new(1);

        assert_eq!(word.swap(2), 1);
        assert_eq!(word.swap(3), 2);
        assert_eq!(word.load(), 3);
    }

    #[test]
    fn replace_changes_only_what_it_expects() {
        let word = Word::new(1);

        assert!(!word.replace(2, 3));
        assert_eq!(word.load(), 1);
        assert!(word.replace(1, 3));
        assert_eq!(word.load(), 3);
    }

    #[test]
    fn update_gives_the_old_value() {
        let word = Word::new(5);

        assert_eq!(word.update(|v| v * 2), 5);
        assert_eq!(word.load(), 10);
    }

    #[test]
    fn no_update_is_lost() -> Result {
        let (value, changes) = contend(|word| {
            word.update(|v| v + 1);
            true
        })?;

        assert_eq!(changes, 2 * ROUNDS);
        assert_eq!(value, changes);
        Ok(())
    }

    #[test]
    fn no_replacement_is_lost() -> Result {
        let (value, changes) = contend(|word| {
            let old = word.load();
            word.replace(old, old + 1)
        })?;

        assert!(changes > 0);
        assert_eq!(value, changes);
        Ok(())
    }

    #[test]
    fn what_is_swapped_out_has_one_taker() -> Result {
        // Bit 31 says that it is taken.
        let (value, changes) = contend(|word| {
            let old = word.swap(1 << 31);
            if old == 1 << 31 {
                return false;
            }
            // Ours alone until it is put back.
            word.store(old + 1);
            true
        })?;

        assert!(changes > 0);
        assert_eq!(value, changes);
        Ok(())
    }

    #[test]
    fn a_counter_adds_and_wraps() {
        let counter = Counter::new();

        assert_eq!(counter.get(), 0);
        counter.add(3);
        counter.add(4);
        assert_eq!(counter.get(), 7);
        counter.set(u64::MAX);
        counter.add(2);
        assert_eq!(counter.get(), 1);
    }
}
