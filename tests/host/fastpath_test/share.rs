// SPDX-License-Identifier: GPL-2.0

//! How much of a CPU the handler takes: the bucket, and the share that it keeps.

use std::collections::VecDeque;

use super::{
    at_once,
    check_choice,
    reads,
    teach,
    Rng,
    HOUR,
    LITTLE,
    MS,
    ONLY_SHARE,
    SECOND,
    US, //
};
use crate::{
    fastpath::{
        share::{
            Bucket,
            WINDOW_NS, //
        },
        Choice::Inline,
        FastPath,
        Work, //
    },
    limit::Limits, //
};

/// Those that are a limit.
const PERCENTS: [u32; 7] = [1, 2, 5, 25, 50, 90, 99];

fn percent(limits: &Limits) -> u64 {
    limits.max_cpu_percent.min(100).into()
}

#[test]
fn a_bucket_takes_any_numbers_in_any_order() {
    let mut rng = Rng(2);

    for _ in 0..2_000 {
        let mut bucket = Bucket::new();
        for _ in 0..1_000 {
            let percent = rng.wild_u32();
            match rng.below(3) {
                0 => bucket.charge(rng.wild()),
                1 => {
                    bucket.refill(rng.wild(), percent);
                    assert!(!bucket.has(Bucket::capacity(percent) + 1));
                }
                _ => assert!(!bucket.has(rng.wild().max(WINDOW_NS))),
            }
        }
    }
}

#[test]
fn no_window_has_more_than_its_share() {
    for max_cpu_percent in PERCENTS {
        let limits = Limits {
            max_cpu_percent,
            ..ONLY_SHARE
        };
        let (mut inlined, mut deferred) = (0, 0);
        for pattern in 0..16 {
            let (i, d) = share_is_kept(Rng(pattern), &limits, pattern);
            inlined += i;
            deferred += d;
        }
        assert!(inlined > 1_000 && deferred > 1_000, "{inlined}, {deferred}");
    }
}

/// Simulates a CPU for a while. Whoever makes the load knows the rules, and wants to break them.
/// Returns how many sections were inline and how many deferred.
fn share_is_kept(mut rng: Rng, limits: &Limits, pattern: u64) -> (u32, u32) {
    // What clocks of CPUs differ by: a window may be as much shorter, and then bring that much more.
    let skew = if pattern % 2 == 1 { 50 * US } else { 0 };
    let window = WINDOW_NS - skew;
    let allowed = (WINDOW_NS + skew) * percent(limits) / 100;
    let mut fast = FastPath::new();
    let mut now = SECOND;
    // Inline sections that began in the last window: when, and how long they were.
    let (mut recent, mut sum) = (VecDeque::<(u64, u64)>::new(), 0);
    let (mut inlined, mut deferred) = (0u32, 0u32);

    for step in 0..15_000u64 {
        now += match pattern / 2 {
            // Back to back.
            0 => 1,
            // So often that a step brings less than a ns.
            1 => 1 + rng.below(100),
            // A busy device.
            2 => rng.below(20 * US),
            // Until the bucket is full, then all at once.
            3 if step % 200 == 0 => 20 * MS,
            3 => 0,
            // The same with the window.
            4 if step % 100 == 0 => WINDOW_NS - now % WINDOW_NS - 1,
            4 => 1,
            5 => rng.below(MS),
            _ => rng.wild() % (100 * MS),
        };
        while recent.front().is_some_and(|&(at, _)| at + window <= now) {
            sum -= recent.pop_front().unwrap().1;
        }
        let work = match rng.below(3) {
            0 => reads(1, 4),
            1 => reads(1 + rng.below_u32(4), 16),
            _ => rng.work(),
        };
        let cpu = rng.below_u32(2);
        fast.begin(now + u64::from(cpu) * skew, limits);
        let cost = *fast.cost(cpu);
        let predicted = cost.predict(work);
        let spent = match rng.below(40) {
            0 => predicted * (1 + rng.below(30)),
            1 => rng.wild() % (30 * MS),
            2 => 0,
            _ => predicted / 2 + rng.below(predicted + 1),
        };
        let choice = fast.weigh(cpu, work, limits);
        check_choice(choice, cost, work, limits);
        if choice == Inline {
            assert!(
                sum + predicted.min(at_once(limits)) <= allowed,
                "{sum} + {predicted} ns at {now}, {limits:?}, pattern {pattern}"
            );
            fast.end(cpu, work, spent);
            recent.push_back((now, spent));
            sum += spent;
            now += spent;
            inlined += 1;
        } else {
            // Mostly short; sometimes something is in the way here too.
            let spent = if rng.one_in(100) {
                rng.wild() % MS
            } else {
                rng.below(2 * US)
            };
            fast.end(0, Work::default(), spent);
            now += spent;
            deferred += 1;
        }
    }
    (inlined, deferred)
}

#[test]
fn the_share_can_be_had() {
    for max_cpu_percent in PERCENTS {
        // From very rare to so often that a step brings less than a ns.
        for gap in [7, 100, 1_000, 20 * US, 200 * US] {
            let mut bucket = Bucket::new();
            let (mut now, mut spent) = (SECOND, 0);
            bucket.refill(now, max_cpu_percent);
            bucket.charge(WINDOW_NS);
            let (start, mut step) = (now, 0u64);
            while now < start + 200 * MS {
                now += gap;
                step += 1;
                bucket.refill(now, max_cpu_percent);
                if bucket.has(3 * US) {
                    bucket.charge(3 * US);
                    spent += 3 * US;
                }
            }
            let share = 200 * MS * u64::from(max_cpu_percent.min(100)) / 100;
            // One section a step is all that can be asked for.
            let least = (share * 6 / 10).min(step * 3 * US * 6 / 10);
            assert!(spent >= least, "{max_cpu_percent} %, {gap} ns: {spent}");
        }
    }
}

/// Something bad, and the time after it.
fn accident(rng: &mut Rng, fast: &mut FastPath, now: u64, limits: &Limits) -> u64 {
    match rng.below(8) {
        // A stall, here or in a section that left its work to the thread.
        0 => {
            let stall = rng.below(HOUR);
            fast.end(0, reads(1, 4), stall);
            now.saturating_add(stall)
        }
        1 => {
            let stall = rng.wild();
            fast.end(0, Work::default(), stall);
            now.saturating_add(stall)
        }
        // A suspend in which the clock stands still, with interrupts.
        2 => {
            for _ in 0..100 {
                fast.begin(now, limits);
                fast.end(0, Work::default(), rng.below(MS));
            }
            now
        }
        3 => now.saturating_add(rng.below(24 * HOUR)),
        4 => now.saturating_sub(rng.below(24 * HOUR)),
        5 => now.saturating_sub(rng.below(2 * WINDOW_NS)),
        // Clocks that differ by hours, as in turns of two CPUs.
        6 => {
            for _ in 0..100 {
                fast.begin(now.saturating_add(5 * HOUR), limits);
                fast.end(0, Work::default(), 10 * US);
                fast.begin(now, limits);
                fast.end(0, Work::default(), 10 * US);
            }
            now
        }
        _ => rng.wild(),
    }
}

#[test]
fn within_a_second_of_anything_bad_the_bucket_is_full() {
    let mut rng = Rng(3);

    for round in 0..4_000 {
        let limits = Limits {
            max_cpu_percent: PERCENTS[round % PERCENTS.len()],
            ..ONLY_SHARE
        };
        let (mut fast, mut now) = (FastPath::new(), HOUR * 48);
        for _ in 0..1 + rng.below(4) {
            fast.begin(now, &limits);
            now = accident(&mut rng, &mut fast, now, &limits);
        }
        // Room for a second.
        now = now.min(u64::MAX - 2 * SECOND);
        // Rare interrupts, frequent ones, or a single one after the second.
        let gap = [SECOND, 300 * MS, 10 * MS, MS, 50 * US][rng.below(5) as usize];
        for _ in 0..SECOND.div_ceil(gap) {
            fast.begin(now, &limits);
            now += gap;
        }
        fast.begin(now, &limits);
        // The guess fits into the smallest bucket; as many as the bucket can hold shall be there.
        let full = Bucket::capacity(limits.max_cpu_percent);
        let (mut left, cost) = (full, fast.cost(1).predict(reads(1, 0)));
        while left >= cost {
            assert_eq!(fast.weigh(1, reads(1, 0), &limits), Inline, "{limits:?}");
            fast.end(0, Work::default(), cost);
            left -= cost;
        }
        assert_ne!(fast.weigh(1, reads(1, 0), &limits), Inline);
    }
}

#[test]
fn a_share_of_100_percent_or_more_is_no_limit() {
    let (mut rng, mut now) = (Rng(8), SECOND);
    let (mut a, mut b) = (FastPath::new(), FastPath::new());
    for fast in [&mut a, &mut b] {
        teach(fast, &mut rng, 0, LITTLE, 100);
    }
    let full = Limits {
        max_cpu_percent: 100,
        ..ONLY_SHARE
    };

    for _ in 0..200_000 {
        let more = Limits {
            max_cpu_percent: 100 + rng.wild_u32() / 2,
            ..full
        };
        now += rng.below(30 * US);
        let (work, spent) = (rng.work(), rng.below(MS));
        a.begin(now, &full);
        b.begin(now, &more);
        let choice = a.weigh(0, work, &full);
        assert_eq!(choice, Inline);
        assert_eq!(b.weigh(0, work, &more), Inline);
        a.end(0, Work::default(), spent);
        b.end(0, Work::default(), spent);
    }
}
