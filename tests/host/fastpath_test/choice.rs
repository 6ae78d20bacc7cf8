// SPDX-License-Identifier: GPL-2.0

//! What is finished in the handler and what is not: the limits, and the rules for lone requests and
//! for several.

use super::{
    at_once,
    check_choice,
    interrupt,
    reads,
    teach,
    Core,
    Rng,
    BIG,
    DEFAULT,
    LITTLE,
    MS,
    ONLY_SHARE,
    SECOND,
    US, //
};
use crate::{
    fastpath::{
        cost::Cost,
        share::WINDOW_NS,
        Choice::{
            Defer,
            Inline, //
        },
        FastPath,
        Reason,
        Work, //
    },
    limit::Limits, //
};

#[test]
fn any_input_is_safe_and_every_choice_within_the_limits() {
    let mut rng = Rng(1);
    let mut inlined = 0;

    for _ in 0..2_000 {
        let mut fast = FastPath::new();
        let mut limits = rng.limits();

        for _ in 0..1_000 {
            if rng.one_in(50) {
                limits = rng.limits();
            }
            let (cpu, now) = (rng.wild_u32(), rng.wild());
            let work = if rng.one_in(2) {
                rng.work()
            } else {
                rng.wild_work()
            };
            fast.begin(now, &limits);
            let cost = *fast.cost(cpu);
            let judged = fast.judge(cpu, work, &limits);
            let choice = fast.weigh(cpu, work, &limits);
            assert_eq!(choice, judged);
            check_choice(choice, cost, work, &limits);
            // Doubts are about several, and of no use where there are too many bytes.
            if choice != Defer(Reason::Time) || work.bytes > limits.max_bytes {
                assert_eq!(*fast.cost(cpu), cost);
            }
            // Ends need not agree with the choice.
            if rng.one_in(3) {
                fast.end(0, Work::default(), rng.wild());
            } else if rng.one_in(2) || choice == Inline {
                fast.end(rng.wild_u32(), rng.wild_work(), rng.wild());
            }
            inlined += u32::from(choice == Inline);
            assert!((100..=1_000_000).contains(&fast.cost(cpu).ns_per_request()));
            assert!(fast.cost(cpu).ns_per_kib() <= 10_000);
        }
    }
    assert!(inlined > 10_000, "{inlined}");
}

#[test]
fn limits_take_effect_at_the_next_interrupt() {
    let limits = |max_cpu_percent| Limits {
        max_cpu_percent,
        ..ONLY_SHARE
    };
    let work = reads(5, 0);
    let mut fast = FastPath::new();
    fast.end(0, reads(1, 0), 8 * US);
    let choose = |fast: &mut FastPath, now, limits: &Limits| {
        fast.begin(now, limits);
        let choice = fast.weigh(0, work, limits);
        fast.end(0, Work::default(), 0);
        choice
    };

    assert_eq!(choose(&mut fast, SECOND, &limits(100)), Inline);
    // A full bucket shrinks at once: the 40 us do not fit any more.
    assert_eq!(choose(&mut fast, SECOND, &limits(1)), Defer(Reason::Time));
    assert_eq!(choose(&mut fast, SECOND, &limits(0)), Defer(Reason::Share));
    // And is not full at once when it grows.
    assert_eq!(choose(&mut fast, SECOND, &limits(25)), Defer(Reason::Share));
    assert_eq!(choose(&mut fast, SECOND + WINDOW_NS, &limits(25)), Inline);
    for (narrow, reason) in [
        (
            Limits {
                max_time_us: 39,
                ..limits(25)
            },
            Reason::Time,
        ),
        (
            Limits {
                max_time_us: 0,
                ..limits(25)
            },
            Reason::Time,
        ),
    ] {
        let now = SECOND + WINDOW_NS;
        assert_eq!(choose(&mut fast, now, &narrow), Defer(reason));
        assert_eq!(choose(&mut fast, now, &limits(25)), Inline);
    }
    let narrow = Limits {
        max_bytes: 4095,
        ..limits(25)
    };
    let now = SECOND + WINDOW_NS;
    fast.begin(now, &narrow);
    assert_eq!(fast.weigh(0, reads(1, 4), &narrow), Defer(Reason::Bytes));
}

#[test]
fn limits_of_zero_are_safe_and_nothing_is_forgotten_meanwhile() {
    for (max_cpu_percent, max_time_us) in [(0, u32::MAX), (0, 0), (0, 30), (25, 0), (100, 0)] {
        let limits = Limits {
            max_cpu_percent,
            max_time_us,
            ..ONLY_SHARE
        };
        let (mut rng, mut now) = (Rng(7), 0);
        let mut taught = FastPath::new();
        teach(&mut taught, &mut rng, 0, LITTLE, 300);
        for mut fast in [FastPath::new(), taught] {
            let before = *fast.cost(0);
            for _ in 0..50_000 {
                now += rng.below(MS);
                fast.begin(now, &limits);
                let work = rng.work();
                let choice = fast.weigh(0, work, &limits);
                check_choice(choice, before, work, &limits);
                // The rule for lone requests holds here as well.
                assert!(choice != Inline || max_cpu_percent != 0 && work.requests == 1);
                assert!(max_cpu_percent != 100 || choice == Inline || work.requests > 1);
                fast.end(0, Work::default(), rng.below(3 * US));
            }
            assert_eq!(*fast.cost(0), before);
        }
    }
}

#[test]
fn lone_requests_of_a_core_slower_than_the_limit_are_finished_here() {
    // 40 us for 4 KiB.
    let core = Core {
        per_request: 39_600,
        per_kib: 100,
    };
    let lone = reads(1, 4);
    assert_eq!(core.cost(lone), 40 * US);

    for others in [false, true] {
        let (mut rng, mut fast, mut now) = (Rng(14), FastPath::new(), SECOND);
        let (mut inlined, mut all) = (0u32, 0u32);
        for _ in 0..100_000 {
            // Some 13 %, of the 16.7 that come in evenly, and never back to back.
            now += 200 * US + rng.below(200 * US);
            fast.begin(now, &DEFAULT);
            if others && rng.one_in(20) {
                // Several are not, and do not get in the way.
                let choice = fast.weigh(0, reads(2, 4), &DEFAULT);
                assert_eq!(choice, Defer(Reason::Time));
                fast.end(0, Work::default(), US);
                continue;
            }
            all += 1;
            match fast.weigh(0, lone, &DEFAULT) {
                Inline => {
                    inlined += 1;
                    fast.end(0, lone, core.cost(lone) * (950 + rng.below(101)) / 1000);
                }
                Defer(_) => fast.end(0, Work::default(), US),
            }
        }
        assert!(inlined >= all - all / 1000, "{inlined} of {all}");
    }
}

#[test]
fn a_lone_request_dearer_than_what_may_be_spent_at_once_waits_for_a_full_bucket_only() {
    let limits = Limits {
        max_cpu_percent: 1,
        ..DEFAULT
    };
    let (mut fast, lone) = (FastPath::new(), reads(1, 4));
    let mut now = SECOND;

    fast.end(0, lone, 40 * US);
    assert!(fast.cost(0).predict(lone) > at_once(&limits));
    fast.begin(now, &limits);
    assert_eq!(fast.weigh(0, lone, &limits), Inline);
    fast.end(0, lone, 40 * US);
    // 40 us come in 6 ms.
    for us in [1, 1_000, 5_990] {
        fast.begin(now + us * US, &limits);
        assert_eq!(fast.weigh(0, lone, &limits), Defer(Reason::Share));
    }
    now += 6_001 * US;
    fast.begin(now, &limits);
    assert_eq!(fast.weigh(0, lone, &limits), Inline);
}

#[test]
fn a_core_of_which_nothing_is_known_never_takes_several() {
    let mut rng = Rng(15);

    for round in 0..5_000 {
        let limits = match round % 3 {
            0 => DEFAULT,
            1 => Limits {
                max_cpu_percent: 100,
                ..ONLY_SHARE
            },
            _ => rng.limits(),
        };
        let (mut fast, mut now) = (FastPath::new(), SECOND);
        let cpu = rng.below_u32(8);
        // The others' experience is none of it.
        teach(&mut fast, &mut rng, cpu + 1, BIG, 20);
        for _ in 0..100 {
            now += rng.below(WINDOW_NS);
            fast.begin(now, &limits);
            let work = reads(2 + rng.below_u32(31), rng.below_u32(9));
            assert_eq!(fast.weigh(cpu, work, &limits), Defer(Reason::Time));
            fast.end(cpu, Work::default(), rng.below(3 * US));
        }
        assert_eq!(*fast.cost(cpu), Cost::GUESS);
    }
}

#[test]
fn the_first_request_shows_what_several_cost_whatever_its_size() {
    for per_request in [500, 6_000, 40_000, 200_000] {
        let core = Core {
            per_request,
            per_kib: 90,
        };
        for kib in [0, 4, 8, 9, 16, 32] {
            let (mut fast, mut now) = (FastPath::new(), SECOND);
            let choice = interrupt(&mut fast, &mut now, &DEFAULT, reads(1, kib), core);
            assert_eq!(choice, Inline);
            for several in [reads(2, 0), reads(2, 4), reads(4, 4), reads(2, 16)] {
                let choice = fast.judge(0, several, &DEFAULT);
                let within = core.cost(several) <= 32 * US;
                assert!(
                    choice != Inline || within,
                    "{kib} KiB: {several:?} {fast:?}"
                );
            }
        }
    }
}
