// SPDX-License-Identifier: GPL-2.0

//! Proves what the adaptive mode promises, by millions of random and malicious steps.
//!
//! - No input panics, overflows or divides by zero, whatever the clock does.
//! - Nothing beyond the limits is ever finished in the hard interrupt handler, but a lone request may
//!   take as long as it takes.
//! - In no 10 ms does the handler take more of the CPU than allowed, but for what the last section has
//!   taken longer than predicted or than may be spent at once; and what is allowed can be had.
//! - After a stall, a suspend or a clock that jumps, all is well within a second.
//! - Estimates find the true costs of each CPU, or a little more. When these grow, one section is too
//!   long and not several; when they were disturbed once, lone requests correct them.
//! - Estimates that are far too high do not lock the fast path out, and correcting them never makes a
//!   section longer than the limit by more than a request.
//! - However much of what is outstanding is done when the handler polls: what was predicted for the
//!   section is within the limits.
//!
//! The random numbers are the same in every run.

use std::collections::VecDeque;

use crate::fastpath::{
    sum,
    Bucket,
    Choice::{
        self,
        Defer,
        Inline, //
    },
    Cost,
    FastPath,
    Limits,
    Reason,
    Work,
    WINDOW_NS, //
};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const HOUR: u64 = 3600 * SECOND;

/// Those that are a limit.
const PERCENTS: [u32; 7] = [1, 2, 5, 25, 50, 90, 99];

/// No limit but that of the bucket.
const ONLY_SHARE: Limits = Limits {
    max_bytes: u32::MAX,
    max_time_us: u32::MAX,
    max_cpu_percent: 25,
};

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Less than `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.any() % end
    }

    fn below_u32(&mut self, end: u32) -> u32 {
        self.below(end.into()) as u32
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Any magnitude is as likely as any other, and the ends of the range are often met.
    fn wild(&mut self) -> u64 {
        match self.below(8) {
            0 => self.below(3),
            1 => u64::MAX - self.below(3),
            2 => (1 << self.below(64)) - self.below(2),
            _ => self.any() >> self.below(64),
        }
    }

    fn wild_u32(&mut self) -> u32 {
        let wild = self.wild();
        if self.one_in(2) {
            wild as u32
        } else {
            u32::try_from(wild).unwrap_or(u32::MAX)
        }
    }

    fn wild_work(&mut self) -> Work {
        Work {
            requests: self.wild_u32(),
            bytes: self.wild_u32(),
        }
    }

    /// What a doorbell of 32 can give.
    fn work(&mut self) -> Work {
        let requests = 1 + self.below_u32(32);
        Work {
            requests,
            bytes: requests * 512 * self.below_u32(256),
        }
    }

    fn limits(&mut self) -> Limits {
        Limits {
            max_bytes: self.wild_u32(),
            max_time_us: self.wild_u32(),
            max_cpu_percent: match self.below(3) {
                0 => self.wild_u32(),
                _ => self.below_u32(101),
            },
        }
    }
}

/// What a core really takes.
#[derive(Clone, Copy)]
struct Core {
    per_request: u64,
    per_kib: u64,
}

const LITTLE: Core = Core {
    per_request: 6_000,
    per_kib: 90,
};
const BIG: Core = Core {
    per_request: 1_100,
    per_kib: 12,
};

impl Core {
    fn cost(&self, work: Work) -> u64 {
        u64::from(work.requests) * self.per_request + u64::from(work.bytes >> 10) * self.per_kib
    }
}

const fn reads(requests: u32, kib: u32) -> Work {
    Work {
        requests,
        bytes: requests * (kib << 10),
    }
}

fn percent(limits: &Limits) -> u64 {
    limits.max_cpu_percent.min(100).into()
}

/// What may be spent at once, in ns.
fn at_once(limits: &Limits) -> u64 {
    match limits.max_cpu_percent {
        0..100 => Bucket::capacity(limits.max_cpu_percent),
        _ => u64::MAX,
    }
}

/// How long several requests may take, in ns. A share of 0 forbids all anyway.
fn longest(limits: &Limits) -> u64 {
    let allowed = u64::from(limits.max_time_us) * US;

    match limits.max_cpu_percent {
        0 => allowed,
        _ => allowed.min(at_once(limits)),
    }
}

/// What a choice must never break; `cost` is what the CPU's estimates were.
fn check_choice(choice: Choice, cost: Cost, work: Work, limits: &Limits) {
    let known = cost != Cost::GUESS;
    let in_time = work.requests <= 1 || known && cost.predict(work) <= longest(limits);

    match choice {
        Inline => {
            assert!(work.bytes <= limits.max_bytes, "{work:?} {limits:?}");
            assert!(in_time, "{work:?} {cost:?} {limits:?}");
            assert!(limits.max_cpu_percent != 0);
        }
        // Time and share would have allowed it.
        Defer(Reason::Bytes) => {
            assert!(work.bytes > limits.max_bytes && in_time);
            assert!(limits.max_cpu_percent != 0);
        }
        Defer(Reason::Time) => assert!(!in_time, "{work:?} {cost:?} {limits:?}"),
        Defer(Reason::Share) => assert!(in_time && limits.max_cpu_percent < 100),
    }
}

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

/// Has a CPU finish requests as they come, all of them inline.
fn teach(fast: &mut FastPath, rng: &mut Rng, cpu: u32, core: Core, rounds: u32) {
    for _ in 0..rounds {
        let work = match rng.below(4) {
            0 => reads(1 + rng.below_u32(8), 4),
            1 => reads(1, 32 << rng.below(5)),
            _ => reads(1, 4),
        };
        // Give or take 10 %.
        let spent = core.cost(work) * (900 + rng.below(201)) / 1000;
        fast.end(cpu, work, spent);
    }
}

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
            let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, lone, core);
            assert_eq!(choice, Inline);
        }
        // The 1 ms that an estimate may be at most comes down to 1/5000 of it.
        let (is, should) = (fast.cost(0).predict(lone), core.cost(lone));
        assert!(is + 8 >= should && is <= should + 300, "{is}, {should}");
        let several = reads(3, lone.bytes >> 10);
        let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, several, core);
        assert_eq!(choice, Inline, "{several:?} {disturbed:?} {fast:?}");
    }
}

#[test]
fn an_outlier_makes_several_careful() {
    let (mut rng, mut now) = (Rng(11), SECOND);
    let mut fast = FastPath::new();
    let pair = reads(2, 4);

    teach(&mut fast, &mut rng, 0, BIG, 100);
    let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, pair, BIG);
    assert_eq!(choice, Inline);
    fast.end(0, reads(1, 4), MS);
    // As long as no request comes alone, that is what is known.
    for _ in 0..1_000 {
        let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, pair, BIG);
        assert_eq!(choice, Defer(Reason::Time));
    }
    let lone = reads(1, 4);
    let needed = (0..64)
        .position(|_| {
            interrupt(&mut fast, &mut now, &Limits::DEFAULT, lone, BIG);
            fast.judge(0, pair, &Limits::DEFAULT) == Inline
        })
        .expect("too long");
    // Doubts have done the most of it.
    assert!(needed < 10, "{needed}");
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

/// Ruins the estimates of a CPU.
fn ruin(fast: &mut FastPath, cpu: u32) {
    for _ in 0..200 {
        fast.end(cpu, reads(1, 4), HOUR);
        fast.end(cpu, reads(1, 512), HOUR);
    }
    assert_eq!(fast.cost(cpu).ns_per_request(), 1_000_000);
    assert_eq!(fast.cost(cpu).ns_per_kib(), 10_000);
}

/// An interrupt, at a time when the bucket is full.
fn interrupt(
    fast: &mut FastPath,
    now: &mut u64,
    limits: &Limits,
    work: Work,
    core: Core,
) -> Choice {
    *now += 10 * WINDOW_NS;
    fast.begin(*now, limits);
    let choice = fast.weigh(0, work, limits);
    match choice {
        Inline => fast.end(0, work, core.cost(work)),
        Defer(_) => fast.end(0, Work::default(), US),
    }
    choice
}

#[test]
fn estimates_that_are_too_high_do_not_lock_the_fast_path_out() {
    let sets = [
        Limits::DEFAULT,
        // Here the bucket is what the estimates exceed.
        Limits {
            max_cpu_percent: 1,
            ..ONLY_SHARE
        },
        ONLY_SHARE,
        Limits {
            max_time_us: 9,
            ..Limits::DEFAULT
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
        interrupt(&mut fast, &mut now, &Limits::DEFAULT, reads(2, 4), BIG);
    }
    assert!(fast.cost(0).predict(reads(1, 4)) <= 40 * US, "{fast:?}");
    // Not further than to where one would be allowed: several are no experiment.
    for _ in 0..10_000 {
        let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, reads(2, 4), BIG);
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
            interrupt(&mut fast, &mut now, &Limits::DEFAULT, reads(2, 16), BIG);
            fast.judge(0, reads(2, 4), &Limits::DEFAULT) == Inline
        })
        .expect("never again");
    assert!(tries < 300, "{tries}");
}

#[test]
fn no_section_is_longer_than_the_limit_and_a_request() {
    for core in [LITTLE, BIG] {
        for max_time_us in [2, 7, 10, 30, 60] {
            let limits = Limits {
                max_time_us,
                ..Limits::DEFAULT
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
            fast.begin(now, &Limits::DEFAULT);
            if others && rng.one_in(20) {
                // Several are not, and do not get in the way.
                let choice = fast.weigh(0, reads(2, 4), &Limits::DEFAULT);
                assert_eq!(choice, Defer(Reason::Time));
                fast.end(0, Work::default(), US);
                continue;
            }
            all += 1;
            match fast.weigh(0, lone, &Limits::DEFAULT) {
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
        ..Limits::DEFAULT
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
            0 => Limits::DEFAULT,
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
            let choice = interrupt(&mut fast, &mut now, &Limits::DEFAULT, reads(1, kib), core);
            assert_eq!(choice, Inline);
            for several in [reads(2, 0), reads(2, 4), reads(4, 4), reads(2, 16)] {
                let choice = fast.judge(0, several, &Limits::DEFAULT);
                let within = core.cost(several) <= 32 * US;
                assert!(
                    choice != Inline || within,
                    "{kib} KiB: {several:?} {fast:?}"
                );
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
            let choice = interrupt(fast, now, &Limits::DEFAULT, work, core);
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
    longer_than(longest(&Limits::DEFAULT), fast, now, core, rounds, next)
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
            let quick = fast.judge(0, work, &Limits::DEFAULT);
            assert_eq!(too_long(&mut fast, &mut now, QUICK, 100, || work), 0);
            // Only if the fast path took it before.
            let first = too_long(&mut fast, &mut now, SLOWED, 1, || work);
            let long = SLOWED.cost(work) > longest(&Limits::DEFAULT);
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
    let limit = longest(&Limits::DEFAULT);

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
            0 => Limits::DEFAULT,
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
    let limits = Limits::DEFAULT;

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
