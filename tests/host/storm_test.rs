// SPDX-License-Identifier: GPL-2.0

use crate::storm::{
    Storm,
    LIMIT,
    PAUSE_NS,
    RESPITE_NS, //
};

/// How many interrupts it takes until it is a storm, if they come every `gap` ns, and with `every` of
/// them a request was rung in before; `None` if it never is.
fn taken(gap: u64, requests_each: u32) -> Option<u32> {
    let mut storm = Storm::default();
    (1..=100 * LIMIT).find(|n| storm.note(u64::from(*n) * gap, 0, n * requests_each, 0))
}

#[test]
fn a_line_that_comes_back_at_once_is_a_storm() {
    for gap in [0, 1_000, 10_000, RESPITE_NS - 1] {
        assert_eq!(taken(gap, 0), Some(LIMIT + 1), "{gap} ns apart");
    }
}

#[test]
fn a_line_that_gives_the_cpu_time_is_none() {
    for gap in [RESPITE_NS, 2 * RESPITE_NS, 1_000_000_000] {
        assert_eq!(taken(gap, 0), None, "{gap} ns apart");
    }
}

#[test]
fn an_interrupt_for_each_request_is_none_at_any_rate() {
    // Polled requests: the interrupt finds that their poller has completed them.
    assert_eq!(taken(0, 1), None);
    assert_eq!(taken(0, 32), None);
}

#[test]
fn requests_that_were_rung_in_together_explain_as_many() {
    let (mut storm, mut requests) = (Storm::default(), 0);
    for depth in (1..=32).cycle().take(10_000) {
        requests += depth;
        for _ in 0..depth {
            assert!(!storm.note(0, 0, requests, 0));
        }
    }
}

#[test]
fn requests_do_not_hide_a_storm_for_long() {
    let mut storm = Storm::default();
    // One in ten has a reason.
    let n = (1..).find(|n| storm.note(0, 0, n / 10, 0)).unwrap();
    assert!(n <= LIMIT + LIMIT / 5, "{n}");
}

#[test]
fn what_was_done_in_the_past_is_no_excuse() {
    let mut storm = Storm::default();
    assert!(!storm.note(u64::MAX / 2, 0, 1_000_000_000, 0));
    let n = (1..)
        .find(|_| storm.note(u64::MAX / 2, 0, 1_000_000_000, 0))
        .unwrap();
    assert_eq!(n, LIMIT);
}

#[test]
fn a_storm_that_is_served_slowly_is_one_as_well() {
    // What the core does with each takes ten times as long as a respite, and timers have their turn.
    let (mut storm, mut now, mut served, mut n) = (Storm::default(), 0, 0, 0);
    loop {
        now += 5 * RESPITE_NS;
        n += 1;
        if storm.note(now, served, 0, 0) {
            break;
        }
        now += 10 * RESPITE_NS;
        served = now;
    }
    assert_eq!(n, LIMIT + 1);
}

#[test]
fn it_ends_with_the_first_pause() {
    let mut storm = Storm::default();
    while !storm.note(0, 0, 0, 0) {}
    assert!(!storm.note(PAUSE_NS, 0, 0, 0));
}

#[test]
fn no_clock_and_no_count_of_requests_breaks_it() {
    let mut storm = Storm::default();
    for now in [0, u64::MAX, 0, 1, u64::MAX - 1, RESPITE_NS] {
        for requests in [0, u32::MAX, 0, 1] {
            for served in [0, now, now.wrapping_mul(3), u64::MAX] {
                assert!(!storm.note(now, served, requests, 0));
            }
        }
    }
}

#[test]
fn a_reset_is_a_new_beginning() {
    let mut storm = Storm::default();
    while !storm.note(0, 0, 0, 0) {}
    // The line was enabled just now, and the first interrupt comes at once.
    assert!(!storm.note(1_000_000, 999_999, 0, 1));
    let n = (2..)
        .find(|_| storm.note(1_000_000, 999_999, 0, 1))
        .unwrap();
    assert_eq!(n, LIMIT + 1);
}

#[test]
fn a_cpu_that_is_not_there_now_and_then_does_not_hide_a_storm() {
    // A virtual machine's: a few interrupts, and then others have it for a while.
    let (mut storm, mut now, mut n) = (Storm::default(), 0, 0);
    loop {
        n += 1;
        now += if n % 8 == 0 { 20_000_000 } else { 250_000 };
        if storm.note(now, 0, 0, 0) {
            break;
        }
    }
    assert!(n < 8 * LIMIT / 7 + 16, "{n}");
}
