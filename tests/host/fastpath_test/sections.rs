// SPDX-License-Identifier: GPL-2.0

//! How long sections get, also when a core becomes slower than it was.

use super::{
    interrupt,
    longest,
    reads,
    teach,
    Core,
    Rng,
    BIG,
    DEFAULT,
    LITTLE,
    SECOND,
    US, //
};
use crate::{
    fastpath::{
        Choice::Inline,
        FastPath,
        Work, //
    },
    limit::Limits, //
};

#[test]
fn no_section_is_longer_than_the_limit_and_a_request() {
    for core in [LITTLE, BIG] {
        for max_time_us in [2, 7, 10, 30, 60] {
            let limits = Limits {
                max_time_us,
                ..DEFAULT
            };
            // Always as many, or as it comes; always of a size, or mixed.
            for requests in [1, 2, 3, 8, 32, 0] {
                for kib in [0, 4, 8, 16, 32, u32::MAX] {
                    let mut rng = Rng(u64::from(requests * 100 + max_time_us));
                    let (mut fast, mut now) = (FastPath::new(), SECOND);
                    teach(&mut fast, &mut rng, 0, core, 300);
                    for _ in 0..1_000 {
                        let requests = match requests {
                            0 => 1 + rng.below_u32(32),
                            n => n,
                        };
                        let kib = match kib {
                            u32::MAX => [0, 4, 4, 4, 8, 32][rng.below(6) as usize],
                            kib => kib,
                        };
                        let work = reads(requests, kib);
                        if interrupt(&mut fast, &mut now, &limits, work, core) != Inline {
                            continue;
                        }
                        if requests == 1 {
                            continue;
                        }
                        let (spent, one) = (core.cost(work), core.cost(reads(1, kib)));
                        let most = u64::from(max_time_us) * US * 115 / 100 + one;
                        assert!(
                            spent <= most,
                            "{work:?} took {spent} ns, {limits:?}, {fast:?}"
                        );
                    }
                }
            }
        }
    }
}

/// How many sections of several are longer than `limit`, if requests come like this under the default
/// limits.
fn longer_than(
    limit: u64,
    fast: &mut FastPath,
    now: &mut u64,
    core: Core,
    rounds: u32,
    mut next: impl FnMut() -> Work,
) -> usize {
    (0..rounds)
        .filter(|_| {
            let work = next();
            let choice = interrupt(fast, now, &DEFAULT, work, core);
            choice == Inline && work.requests > 1 && core.cost(work) > limit
        })
        .count()
}

/// How many are longer than the default limit.
fn too_long(
    fast: &mut FastPath,
    now: &mut u64,
    core: Core,
    rounds: u32,
    next: impl FnMut() -> Work,
) -> usize {
    longer_than(longest(&DEFAULT), fast, now, core, rounds, next)
}

/// 2 us a request.
const QUICK: Core = Core {
    per_request: 2_000,
    per_kib: 20,
};
/// The same at a sixth of the clock.
const SLOWED: Core = Core {
    per_request: 12_000,
    per_kib: 120,
};

#[test]
fn when_a_core_slows_down_one_section_is_too_long_and_not_several() {
    for requests in 2..=14 {
        for kib in [0, 1, 2, 4, 8, 10, 16] {
            let (mut fast, mut now) = (FastPath::new(), SECOND);
            let work = reads(requests, kib);
            too_long(&mut fast, &mut now, QUICK, 100, || reads(1, kib));
            let quick = fast.judge(0, work, &DEFAULT);
            assert_eq!(too_long(&mut fast, &mut now, QUICK, 100, || work), 0);
            // Only if the fast path took it before.
            let first = too_long(&mut fast, &mut now, SLOWED, 1, || work);
            let long = SLOWED.cost(work) > longest(&DEFAULT);
            assert_eq!(first == 1, long && quick == Inline, "{work:?}");
            assert_eq!(too_long(&mut fast, &mut now, SLOWED, 1_000, || work), 0);
            // And if a lone one comes first, none at all.
            too_long(&mut fast, &mut now, QUICK, 300, || reads(1, kib));
            too_long(&mut fast, &mut now, SLOWED, 1, || reads(1, kib));
            assert_eq!(too_long(&mut fast, &mut now, SLOWED, 1_000, || work), 0);
        }
    }
}

#[test]
fn when_a_core_slows_down_requests_of_all_sizes_make_few_long_sections() {
    // One shows what requests cost, one what their data does; after that it may still be a little more.
    let limit = longest(&DEFAULT);

    for (limit, most) in [(limit, 3), (limit + SLOWED.cost(reads(1, 4)), 2)] {
        for seed in 0..2_000 {
            let (mut rng, mut fast, mut now) = (Rng(seed), FastPath::new(), SECOND);
            teach(&mut fast, &mut rng, 0, QUICK, 300);
            let mixed = || {
                let kib = [0, 4, 4, 4, 8, 16][rng.below(6) as usize];
                reads(1 + rng.below_u32(14), kib)
            };
            let long = longer_than(limit, &mut fast, &mut now, SLOWED, 500, mixed);
            assert!(long <= most, "{long} sections longer than {limit} ns");
        }
    }
}
