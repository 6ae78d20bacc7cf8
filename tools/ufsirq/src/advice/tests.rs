// SPDX-License-Identifier: GPL-2.0

use super::*;
use crate::{
    counters::Counters,
    host::Limit,
    mode::Modes, //
};

/// What was seen in 10 s in `mode`; `stats` as in the file.
fn seen(mode: &str, stats: &str) -> Seen {
    Seen {
        seconds: 10.0,
        modes: Modes::parse(mode),
        counters: Counters::parse(stats),
        limits: [
            ("max_bytes", 32768),
            ("max_time_us", 30),
            ("max_cpu_percent", 25),
        ]
        .map(|(name, value)| Limit {
            name: name.to_owned(),
            value: Some(value),
        })
        .to_vec(),
        ..Seen::default()
    }
}

fn with_sections(mut seen: Seen, text: &str) -> Seen {
    seen.sections = Some(Histogram::parse(text));
    seen
}

const HARDIRQ: &str = "[hardirq] threaded adaptive";
const THREADED: &str = "hardirq [threaded] adaptive";
const ADAPTIVE: &str = "hardirq threaded [adaptive]";
/// 1000 requests, each alone, 2 us each.
const SINGLE_INLINE: &str =
    "interrupts 1000\ninline_runs 1000\ninline_requests 1000\nhardirq_ns 2000000\n";
const SHORT: &str = "0 1 0\n1 2 900\n2 4 100\n64 128 0\n1024 inf 0\n";

/// Asserts what is recommended, and that the reasons say something.
fn check(seen: &Seen, action: Action, says: &str) {
    let advice = advise(seen);
    assert_eq!(advice.action, action, "{advice:?}");
    assert!(advice.reasons.join(" ").contains(says), "{advice:?}");
}

#[test]
fn without_io_nothing_is_recommended() {
    for mode in [HARDIRQ, THREADED, ADAPTIVE] {
        let none = "inline_requests 0\nthread_requests 0\nforwarded 12\n";
        check(&seen(mode, none), Action::Unknown, "No I/O was seen");
        check(
            &seen(mode, "thread_requests 99\n"),
            Action::Unknown,
            "Only 99 requests",
        );
        check(
            &seen(mode, "inline_requests 1\n"),
            Action::Unknown,
            "Only 1 request ",
        );
        check(&seen(mode, ""), Action::Unknown, "does not count");
    }
}

#[test]
fn hosts_without_a_choice_get_none() {
    check(&seen("[core]", SINGLE_INLINE), Action::Unknown, "MCQ");
    check(&seen("", SINGLE_INLINE), Action::Unknown, "does not say");
    check(
        &seen("[fancy] threaded", SINGLE_INLINE),
        Action::Unknown,
        "'fancy'",
    );
    let mut changed = seen(HARDIRQ, SINGLE_INLINE);
    changed.mode_changed = true;
    check(&changed, Action::Unknown, "changed while");
}

#[test]
fn hardirq_without_long_sections_stays() {
    let fine = with_sections(seen(HARDIRQ, SINGLE_INLINE), SHORT);
    check(&fine, Action::Stay, "none took 64 us or more");
    check(&fine, Action::Stay, "adaptive does the same");
    let older = with_sections(seen("[hardirq] threaded", SINGLE_INLINE), SHORT);
    check(&older, Action::Stay, "lowest latency");
    assert_eq!(advise(&older).reasons.len(), 1);
    check(
        &seen(HARDIRQ, "inline_requests 1000\n"),
        Action::Stay,
        "lowest latency",
    );
}

#[test]
fn hardirq_with_long_sections_becomes_adaptive() {
    // 9 in 10 s are few, 10 are not, and one of 1 ms is one too many.
    let sections = |count, longest| format!("1 2 900\n64 128 {count}\n1024 inf {longest}\n");
    let with = |text: &str| with_sections(seen(HARDIRQ, SINGLE_INLINE), text);
    check(&with(&sections(9, 0)), Action::Stay, "9 of 909 took 64 us");
    check(
        &with(&sections(10, 0)),
        Action::Mode("adaptive"),
        "10 of 910 hard-IRQ sections",
    );
    check(
        &with(&sections(0, 1)),
        Action::Mode("adaptive"),
        "1024 us or more",
    );
}

#[test]
fn hardirq_with_a_large_share_becomes_adaptive() {
    let busy = |ns: u64| {
        seen(
            HARDIRQ,
            &format!("inline_runs 50000\ninline_requests 200000\nhardirq_ns {ns}\n"),
        )
    };
    check(&busy(1_999_000_000), Action::Stay, "20.0 % of one CPU");
    check(
        &busy(2_000_000_000),
        Action::Mode("adaptive"),
        "4.0 requests on average",
    );
    check(&busy(u64::MAX), Action::Mode("threaded"), "of one CPU");
}

#[test]
fn hardirq_becomes_threaded_where_adaptive_is_no_help() {
    let long = "1 2 900\n64 128 100\n";
    let older = with_sections(seen("[hardirq] threaded", SINGLE_INLINE), long);
    check(
        &older,
        Action::Mode("threaded"),
        "keeps hard-IRQ sections short",
    );
    let stats = SINGLE_INLINE.replace("hardirq_ns 2", "hardirq_ns 30");
    let mut slow = with_sections(seen(HARDIRQ, &stats), long);
    check(&slow, Action::Mode("threaded"), "takes 30.0 us on average");
    slow.limits[1].value = Some(31);
    check(&slow, Action::Mode("adaptive"), "within its limits");
    slow.limits.clear();
    check(&slow, Action::Mode("adaptive"), "within its limits");
}

#[test]
fn threaded_with_single_requests_becomes_adaptive() {
    let stats = "thread_runs 1000\nthread_requests 1100\ndeferred_mode 1000\n";
    let mut single = seen(THREADED, stats);
    check(&single, Action::Mode("adaptive"), "1.10 for each run");
    single.wakeups = Some(Histogram::parse("8 16 100\n16 32 800\n32 64 100\n"));
    check(
        &single,
        Action::Mode("adaptive"),
        "16-32 us (median), 100 times a second",
    );
    single.modes = Modes::parse("hardirq [threaded]");
    check(&single, Action::Mode("hardirq"), "saves the wakeup");
}

#[test]
fn force_threaded_interrupts_leave_no_choice() {
    // Counted as inline, since the handler completes them, but it runs in a thread itself.
    check(
        &seen(THREADED, SINGLE_INLINE),
        Action::Unknown,
        "force-threaded",
    );
}

#[test]
fn threaded_with_bursts_stays() {
    let bursts = seen(THREADED, "thread_runs 100\nthread_requests 151\n");
    check(&bursts, Action::Stay, "completes 1.5 requests");
    check(
        &seen(THREADED, "thread_requests 151\n"),
        Action::Unknown,
        "does not count runs",
    );
}

#[test]
fn adaptive_that_keeps_its_limits_stays() {
    let fine = with_sections(seen(ADAPTIVE, SINGLE_INLINE), SHORT);
    check(
        &fine,
        Action::Stay,
        "100.0 % of the requests completed in hard IRQ",
    );
    // Bursts that go to the thread are what it is there for.
    let bursts = "interrupts 1000\ninline_requests 500\ninline_runs 500\ndeferred_time 500\n\
                  thread_runs 500\nthread_requests 5000\n";
    check(
        &with_sections(seen(ADAPTIVE, bursts), SHORT),
        Action::Stay,
        "9.1 % of the requests",
    );
}

#[test]
fn adaptive_with_long_sections_gets_a_shorter_time() {
    let mut long = with_sections(seen(ADAPTIVE, SINGLE_INLINE), "1 2 900\n64 128 100\n");
    check(
        &long,
        Action::Mode("threaded"),
        "Although max_time_us is 30",
    );
    long.limits[1].value = Some(200);
    let shorter = |value| Action::Limit {
        name: "max_time_us",
        value,
    };
    check(&long, shorter(32), "max_time_us is 200");
    long.limits.clear();
    check(
        &long,
        Action::Mode("threaded"),
        "Although the mode is adaptive",
    );
}

/// Half of the interrupts are left to the thread for a reason, with one request each.
fn tight(reason: &str, more: &str) -> Seen {
    let stats = format!(
        "interrupts 1000\ninline_runs 500\ninline_requests 500\nthread_runs 500\n\
         thread_requests 500\n{reason} 500\n{more}"
    );
    with_sections(seen(ADAPTIVE, &stats), SHORT)
}

#[test]
fn adaptive_with_tight_limits_gets_looser_ones() {
    let limit = |name, value| Action::Limit { name, value };
    let cheap = tight("deferred_bytes", "ns_per_request 2000\nns_per_kib 100\n");
    check(
        &cheap,
        limit("max_bytes", 65536),
        "50.0 % of the interrupts",
    );
    let dear = tight("deferred_bytes", "ns_per_request 2000\nns_per_kib 1000\n");
    check(&dear, Action::Stay, "Limits are kept");
    let unmeasured = "ns_per_request 0\nns_per_kib 0\n";
    for estimates in ["", unmeasured] {
        let unknown = tight("deferred_bytes", estimates);
        check(&unknown, Action::Stay, "Limits are kept");
    }

    let mut time = tight("deferred_time", "");
    check(&time, Action::Stay, "Limits are kept");
    time.limits[1].value = Some(10);
    check(
        &time,
        limit("max_time_us", 20),
        "because of max_time_us, which is 10",
    );

    let mut share = tight("deferred_share", "");
    check(&share, Action::Stay, "Limits are kept");
    share.limits[2].value = Some(15);
    check(&share, limit("max_cpu_percent", 25), "which is 15");
}

#[test]
fn the_largest_numbers_do_no_harm() {
    let lines: Vec<_> = Counter::ALL
        .iter()
        .map(|c| format!("{} {}", c.name(), u64::MAX))
        .collect();
    let all = lines.join("\n");
    for mode in [HARDIRQ, THREADED, ADAPTIVE] {
        let mut most = with_sections(seen(mode, &all), &format!("64 inf {}\n", u64::MAX));
        most.mode_changed = false;
        for limit in &mut most.limits {
            limit.value = Some(u64::MAX);
        }
        for seconds in [0.0, 1e-9, 10.0, f64::MAX] {
            most.seconds = seconds;
            assert!(!advise(&most).reasons.is_empty());
        }
        most.sections = None;
        assert!(!advise(&most).reasons.is_empty());
    }
}
