// SPDX-License-Identifier: GPL-2.0

//! What is outstanding, of which any part may be done when the handler looks.

use super::{
    check_choice,
    longest,
    teach,
    Rng,
    BIG,
    DEFAULT,
    LITTLE,
    MS,
    SECOND,
    US, //
};
use crate::{
    fastpath::{
        sum,
        Choice::{
            self,
            Defer,
            Inline, //
        },
        FastPath,
        Reason,
        Work, //
    },
    limit::Limits, //
};

/// What is outstanding, as the handler finds it.
struct Outstanding {
    requests: u32,
    sizes: [u32; 32],
}

impl Outstanding {
    fn random(rng: &mut Rng, sizes: &[u32]) -> Self {
        // Of any number as often.
        let mut requests = rng.any() as u32;
        for _ in 0..rng.below(6) {
            requests &= rng.any() as u32;
        }
        Self {
            requests,
            sizes: std::array::from_fn(|_| sizes[rng.below(sizes.len() as u64) as usize]),
        }
    }

    fn work(&self, requests: u32) -> Work {
        sum(requests, |tag| self.sizes[tag as usize])
    }

    /// Decides, if `done` is what the doorbell says; returns also what was weighed.
    fn choose(&self, fast: &mut FastPath, done: u32, limits: &Limits) -> (Choice, Work) {
        let mut work = self.work(self.requests);
        let choice = fast.choose(
            0,
            self.requests,
            || {
                work = self.work(done);
                !done
            },
            |tag| self.sizes[tag as usize],
            limits,
        );
        (choice, work)
    }
}

#[test]
fn whatever_completes_by_the_time_of_the_poll_was_predicted_to_be_within_the_limits() {
    let mut rng = Rng(16);
    let (mut whole, mut part) = (0u32, 0u32);

    for round in 0..3_000 {
        let core = [LITTLE, BIG][round % 2];
        let limits = match round % 3 {
            0 => DEFAULT,
            1 => Limits {
                max_bytes: rng.below_u32(128 << 10),
                max_time_us: 1 + rng.below_u32(200),
                max_cpu_percent: 1 + rng.below_u32(100),
            },
            _ => rng.limits(),
        };
        let (mut fast, mut now) = (FastPath::new(), SECOND);
        teach(&mut fast, &mut rng, 0, core, 50);
        for _ in 0..200 {
            now += rng.below(MS);
            fast.begin(now, &limits);
            let there = Outstanding::random(&mut rng, &[0, 512, 4 << 10, 8 << 10, 64 << 10]);
            // Done when the doorbell is read, and when the poll comes to it.
            let done = there.requests & rng.any() as u32 & rng.any() as u32;
            let polled = done | there.requests & rng.any() as u32;
            let cost = *fast.cost(0);
            let bucket_has_all = {
                let all = there.work(there.requests);
                fast.judge(0, all, &limits) != Defer(Reason::Share)
            };

            let (choice, weighed) = there.choose(&mut fast, done, &limits);
            check_choice(choice, cost, weighed, &limits);
            if choice != Inline {
                fast.end(0, Work::default(), US);
                continue;
            }
            assert!(there.work(done).bytes <= limits.max_bytes);
            assert!(bucket_has_all);
            for completed in [done, polled, there.requests] {
                let ns = cost.predict(there.work(completed));
                assert!(
                    there.requests.count_ones() <= 1 || ns <= longest(&limits),
                    "{ns} ns, {limits:?}"
                );
            }
            if weighed == there.work(there.requests) {
                whole += 1;
            } else {
                part += 1;
            }
            let finished = there.work(polled);
            fast.end(0, finished, core.cost(finished));
        }
    }
    assert!(whole > 10_000 && part > 10_000, "{whole}, {part}");
}

#[test]
fn small_requests_are_not_held_up_by_large_ones_on_their_way() {
    let limits = DEFAULT;

    for (core, large) in [(LITTLE, 64 << 10), (BIG, 512 << 10)] {
        let (mut fast, mut rng) = (FastPath::new(), Rng(17));
        teach(&mut fast, &mut rng, 0, core, 300);
        fast.begin(SECOND, &limits);
        for tag in 0..32 {
            for other in (0..32).filter(|&other| other != tag) {
                let mut sizes = [0; 32];
                sizes[tag] = 4 << 10;
                sizes[other] = large;
                let there = Outstanding {
                    requests: 1 << tag | 1 << other,
                    sizes,
                };
                let all = there.work(there.requests);
                assert_eq!(fast.judge(0, all, &limits), Defer(Reason::Bytes));
                let mut choose = |done| there.choose(&mut fast, done, &limits).0;
                assert_eq!(choose(1 << tag), Inline);
                assert_eq!(choose(1 << other), Defer(Reason::Bytes));
                assert_eq!(choose(there.requests), Defer(Reason::Bytes));
            }
        }
        // So many that their time would be too long are, whatever is done of them.
        let there = Outstanding {
            requests: u32::MAX,
            sizes: std::array::from_fn(|tag| if tag == 0 { 4 << 10 } else { large }),
        };
        let choice = there.choose(&mut fast, 1, &limits).0;
        assert_eq!(choice, Defer(Reason::Time));
    }
}

#[test]
fn sums_are_exact_and_end_at_the_largest_number() {
    let mut rng = Rng(9);

    for round in 0..300_000 {
        let sizes: [u32; 32] = std::array::from_fn(|_| match round % 2 {
            0 => rng.below_u32(1 << 20),
            _ => rng.wild_u32(),
        });
        let requests = rng.wild_u32();
        let exact: u64 = (0..32)
            .filter(|tag| requests >> tag & 1 != 0)
            .map(|tag| u64::from(sizes[tag as usize]))
            .sum();
        assert_eq!(
            sum(requests, |tag| sizes[tag as usize]),
            Work {
                requests: requests.count_ones(),
                bytes: exact.min(u32::MAX.into()) as u32,
            }
        );
    }
    assert_eq!(sum(0, |_| panic!("nobody asked")), Work::default());
}
