// SPDX-License-Identifier: GPL-2.0

//! How estimates that are too high come down again, and what is let through meanwhile.

use super::{
    interrupt,
    longest,
    reads,
    teach,
    Rng,
    BIG,
    DEFAULT,
    HOUR,
    LITTLE,
    MS,
    ONLY_SHARE,
    SECOND,
    US, //
};
use crate::{
    fastpath::{
        Choice::{
            Defer,
            Inline, //
        },
        FastPath,
        Reason, //
    },
    limit::Limits, //
};

#[test]
fn lone_requests_correct_what_one_outlier_has_done() {
    let mut rng = Rng(4);

    for round in 0..20_000 {
        let core = [LITTLE, BIG][round % 2];
        let (mut fast, mut now) = (FastPath::new(), SECOND);
        let lone = reads(1, [0, 4, 8][round % 3]);
        teach(&mut fast, &mut rng, 0, core, 100);
        // What the handler finishes; of requests that are small, large, or several.
        let disturbed = reads(
            [1, 1, 4][rng.below(3) as usize],
            [4, 16, 32][rng.below(3) as usize],
        );
        fast.end(0, disturbed, rng.wild());
        for _ in 0..64 {
            // However dear it seems to be.
            let choice = interrupt(&mut fast, &mut now, &DEFAULT, lone, core);
            assert_eq!(choice, Inline);
        }
        // The 1 ms that an estimate may be at most comes down to 1/5000 of it.
        let (is, should) = (fast.cost(0).predict(lone), core.cost(lone));
        assert!(is + 8 >= should && is <= should + 300, "{is}, {should}");
        let several = reads(3, lone.bytes >> 10);
        let choice = interrupt(&mut fast, &mut now, &DEFAULT, several, core);
        assert_eq!(choice, Inline, "{several:?} {disturbed:?} {fast:?}");
    }
}

#[test]
fn an_outlier_makes_several_careful() {
    let (mut rng, mut now) = (Rng(11), SECOND);
    let mut fast = FastPath::new();
    let pair = reads(2, 4);

    teach(&mut fast, &mut rng, 0, BIG, 100);
    let choice = interrupt(&mut fast, &mut now, &DEFAULT, pair, BIG);
    assert_eq!(choice, Inline);
    fast.end(0, reads(1, 4), MS);
    // As long as no request comes alone, that is what is known.
    for _ in 0..1_000 {
        let choice = interrupt(&mut fast, &mut now, &DEFAULT, pair, BIG);
        assert_eq!(choice, Defer(Reason::Time));
    }
    let lone = reads(1, 4);
    let needed = (0..64)
        .position(|_| {
            interrupt(&mut fast, &mut now, &DEFAULT, lone, BIG);
            fast.judge(0, pair, &DEFAULT) == Inline
        })
        .expect("too long");
    // Doubts have done the most of it.
    assert!(needed < 10, "{needed}");
}

/// Ruins the estimates of a CPU.
fn ruin(fast: &mut FastPath, cpu: u32) {
    for _ in 0..200 {
        fast.end(cpu, reads(1, 4), HOUR);
        fast.end(cpu, reads(1, 512), HOUR);
    }
    assert_eq!(fast.cost(cpu).ns_per_request(), 1_000_000);
    assert_eq!(fast.cost(cpu).ns_per_kib(), 10_000);
}

#[test]
fn estimates_that_are_too_high_do_not_lock_the_fast_path_out() {
    let sets = [
        DEFAULT,
        // Here the bucket is what the estimates exceed.
        Limits {
            max_cpu_percent: 1,
            ..ONLY_SHARE
        },
        ONLY_SHARE,
        Limits {
            max_time_us: 9,
            ..DEFAULT
        },
    ];
    for limits in sets {
        for core in [LITTLE, BIG] {
            // Those that are truly cheap enough.
            for work in [
                reads(1, 0),
                reads(1, 4),
                reads(1, 16),
                reads(1, 32),
                reads(2, 4),
            ] {
                if work.requests > 1 && core.cost(work) * 11 / 10 > longest(&limits) {
                    continue;
                }
                let (mut fast, mut now) = (FastPath::new(), SECOND);
                ruin(&mut fast, 0);
                // Several are let through again when single ones have shown what they cost; these
                // always are.
                let single = match work.requests {
                    1 => work,
                    _ => reads(1, 4),
                };
                for _ in 0..100 {
                    let choice = interrupt(&mut fast, &mut now, &limits, single, core);
                    assert_eq!(choice, Inline, "{work:?} {limits:?} {fast:?}");
                }
                for _ in 0..100 {
                    let choice = interrupt(&mut fast, &mut now, &limits, work, core);
                    assert_eq!(choice, Inline, "{work:?} {limits:?} {fast:?}");
                }
            }
        }
    }
}

#[test]
fn a_part_that_is_far_too_high_is_corrected_by_requests_that_show_the_other() {
    for work in [reads(1, 4), reads(1, 8), reads(1, 9), reads(1, 512)] {
        let mut fast = FastPath::new();
        ruin(&mut fast, 0);
        for _ in 0..300 {
            fast.end(0, work, BIG.cost(work));
        }
        let (is, should) = (fast.cost(0).predict(work), BIG.cost(work));
        assert!(
            is.abs_diff(should) <= should / 10,
            "{work:?}: {is} ns, should be {should}"
        );
    }
}

#[test]
fn estimates_above_the_limit_are_also_corrected_when_no_request_comes_alone() {
    let (mut fast, mut now) = (FastPath::new(), SECOND);

    ruin(&mut fast, 0);
    for _ in 0..700 {
        interrupt(&mut fast, &mut now, &DEFAULT, reads(2, 4), BIG);
    }
    assert!(fast.cost(0).predict(reads(1, 4)) <= 40 * US, "{fast:?}");
    // Not further than to where one would be allowed: several are no experiment.
    for _ in 0..10_000 {
        let choice = interrupt(&mut fast, &mut now, &DEFAULT, reads(2, 4), BIG);
        assert_eq!(choice, Defer(Reason::Time));
    }
    assert!(fast.cost(0).predict(reads(1, 4)) >= 29 * US, "{fast:?}");
}

#[test]
fn large_requests_that_are_never_finished_here_do_not_go_on_forbidding_small_ones() {
    let (mut fast, mut now) = (FastPath::new(), SECOND);

    teach(&mut fast, &mut Rng(13), 0, BIG, 100);
    fast.end(0, reads(1, 16), HOUR);
    let tries = (0..1_000)
        .position(|_| {
            interrupt(&mut fast, &mut now, &DEFAULT, reads(2, 16), BIG);
            fast.judge(0, reads(2, 4), &DEFAULT) == Inline
        })
        .expect("never again");
    assert!(tries < 300, "{tries}");
}
