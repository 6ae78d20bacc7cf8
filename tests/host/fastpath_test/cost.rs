// SPDX-License-Identifier: GPL-2.0

//! What requests are estimated to cost: how estimates are learned, and how near they are.

use super::{
    reads,
    teach,
    Core,
    Rng,
    BIG,
    HOUR,
    LITTLE, //
};
use crate::fastpath::{
    cost::Cost,
    FastPath,
    Work, //
};

/// How far below the truth predictions are at most, and how far above, in percent.
fn off(fast: &FastPath, cpu: u32, core: Core) -> (u64, u64) {
    let (mut below, mut above) = (0, 0);

    for work in [
        reads(1, 4),
        reads(1, 32),
        reads(1, 512),
        reads(8, 4),
        reads(32, 4),
        reads(32, 128),
    ] {
        let (is, should) = (fast.cost(cpu).predict(work), core.cost(work));
        below = below.max(should.saturating_sub(is) * 100 / should);
        above = above.max(is.saturating_sub(should) * 100 / should);
    }
    (below, above)
}

/// After [`teach`]. Its noise is 10 % up or down, which for 32 KiB is some 30 % of what their data cost;
/// estimates are of the worst.
fn assert_knows(fast: &FastPath, cpu: u32, core: Core) {
    let (below, above) = off(fast, cpu, core);
    assert!(
        below <= 10 && above <= 40,
        "-{below} % +{above} %, {fast:?}"
    );
}

#[test]
fn estimates_find_the_costs_of_each_cpu_and_keep_them_apart() {
    for seed in 0..200 {
        let mut rng = Rng(seed);
        let mut fast = FastPath::new();

        // In turns, as an interrupt may move.
        for _ in 0..100 {
            teach(&mut fast, &mut rng, 0, LITTLE, 3);
            teach(&mut fast, &mut rng, 7, BIG, 3);
        }
        assert_knows(&fast, 0, LITTLE);
        assert_knows(&fast, 7, BIG);
        for cpu in 1..7 {
            assert_eq!(*fast.cost(cpu), Cost::GUESS);
        }
        // There are not more places than that.
        assert_eq!(fast.cost(8), fast.cost(0));
        assert_eq!(fast.cost(u32::MAX), fast.cost(7));

        // A core's frequency changes.
        teach(&mut fast, &mut rng, 0, BIG, 300);
        assert_knows(&fast, 0, BIG);
        teach(&mut fast, &mut rng, 0, LITTLE, 300);
        assert_knows(&fast, 0, LITTLE);
    }
}

#[test]
fn an_estimate_rises_at_once_and_falls_by_an_eighth() {
    for kib in [0, 4, 8, 16, 32] {
        let mut rng = Rng(u64::from(kib));
        for _ in 0..20_000 {
            let mut fast = FastPath::new();
            teach(&mut fast, &mut rng, 0, LITTLE, 20);
            let work = reads(1 + rng.below_u32(8), kib);
            let was = fast.cost(0).predict(work);
            let spent = rng.below(was * 3);
            fast.end(0, work, spent);
            let is = fast.cost(0).predict(work);
            // Rounding.
            let ns = u64::from(work.requests) + u64::from(work.bytes >> 10) / 2 + 1;
            if spent >= was {
                assert!(is.abs_diff(spent) <= ns, "{work:?}: {was}, {spent}, {is}");
            } else {
                assert!(is <= was && is + ns >= was - (was - spent) / 8);
            }
        }
    }
}

#[test]
fn requests_of_one_size_are_enough_for_that_size() {
    for core in [LITTLE, BIG] {
        for kib in [0, 4, 8, 9, 16, 128, 1024] {
            for requests in [1, 3, 32] {
                let mut fast = FastPath::new();
                let work = reads(requests, kib);
                for _ in 0..300 {
                    fast.end(2, work, core.cost(work));
                }
                let (is, should) = (fast.cost(2).predict(work), core.cost(work));
                // As far as the other part, unseen, leaves room.
                let floor = Cost::GUESS.predict(Work { bytes: 0, ..work }).max(should);
                let ceiling = if kib > 8 { floor } else { should };
                assert!(
                    is >= should * 98 / 100
                        && is <= ceiling * 102 / 100 + 500 * u64::from(requests),
                    "{work:?}: {is} ns, should be {should}"
                );
            }
        }
    }
}

#[test]
fn what_is_right_is_not_lowered_where_the_other_part_is_far_too_high() {
    for core in [LITTLE, BIG] {
        let mut fast = FastPath::new();
        teach(&mut fast, &mut Rng(12), 0, core, 300);
        // Large ones were disturbed; then there are small ones only.
        fast.end(0, reads(1, 16), HOUR);
        for _ in 0..1_000 {
            fast.end(0, reads(1, 4), core.cost(reads(1, 4)));
        }
        let bare = reads(8, 0);
        let (is, should) = (fast.cost(0).predict(bare), core.cost(bare));
        assert!(is >= should * 45 / 100, "{is}, {should}");
    }
}

#[test]
fn rare_outliers_do_not_throw_estimates_off() {
    for core in [LITTLE, BIG] {
        let mut rng = Rng(5);
        let mut fast = FastPath::new();
        let (mut belows, mut aboves) = (Vec::new(), Vec::new());
        teach(&mut fast, &mut rng, 3, core, 300);
        for _ in 0..10_000 {
            // One in a hundred or so.
            let since = rng.below_u32(200);
            teach(&mut fast, &mut rng, 3, core, since);
            let (below, above) = off(&fast, 3, core);
            belows.push(below);
            aboves.push(above);
            let disturbed = if rng.one_in(2) {
                core.cost(reads(1, 4)) * 1_000
            } else {
                rng.wild()
            };
            fast.end(3, reads(1, 4), disturbed);
        }
        belows.sort_unstable();
        aboves.sort_unstable();
        // Half of the time; and while requests seem dear, data may seem cheap.
        let (below, above) = (belows[5_000], aboves[5_000]);
        assert!(below <= 5 && above <= 40, "-{below} % +{above} %");
        assert!(belows[9_900] <= 20, "{}", belows[9_900]);
        assert!(belows[9_999] <= 50, "{}", belows[9_999]);
    }
}

#[test]
fn more_work_never_costs_less() {
    let mut rng = Rng(6);

    for _ in 0..20_000 {
        let mut fast = FastPath::new();
        for _ in 0..rng.below(40) {
            fast.end(0, rng.work(), rng.wild() >> 20);
        }
        for _ in 0..50 {
            let less = rng.wild_work();
            let more = Work {
                requests: less.requests.saturating_add(rng.wild_u32()),
                bytes: less.bytes.saturating_add(rng.wild_u32()),
            };
            let cost = fast.cost(0);
            assert!(cost.predict(less) <= cost.predict(more));
            // A dearer core never predicts less for having learned it.
            let mut dearer = *cost;
            let work = rng.work();
            dearer.learn(work, cost.predict(work) + rng.wild() / 2);
            assert!(dearer.predict(less) >= cost.predict(less));
        }
    }
}
