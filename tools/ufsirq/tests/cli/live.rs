// SPDX-License-Identifier: GPL-2.0

//! `ufsirq top` and `ufsirq suggest`: counters that change while the program looks.

use std::{
    fs,
    io::{
        BufRead,
        BufReader,
        Lines, //
    },
    process::{
        Child,
        ChildStdout, //
    },
    sync::atomic::{
        AtomicBool,
        Ordering, //
    },
    thread,
    time::{
        Duration,
        Instant, //
    },
};

use crate::tree::{
    replace,
    spawn,
    Tree,
    HARDIRQ_US,
    ONE,
    STATS,
    TWO, //
};

/// Long enough for a busy machine to get something done meanwhile, in seconds.
const WATCH: &str = "1";

/// Counters like [`STATS`] with some of them changed.
fn stats(changes: &[(&str, u64)]) -> String {
    let mut text = STATS.to_owned();
    for (name, value) in changes {
        let line = STATS.lines().find(|l| l.starts_with(&format!("{name} ")));
        text = text.replace(line.unwrap(), &format!("{name} {value}"));
    }
    text
}

#[test]
fn top_prints_a_line_for_each_host_and_interval() {
    let tree = Tree::full();
    let out = tree.run(&["top", "0.05", "3"]).well();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 7, "{out}");
    assert!(
        lines[0].contains("irq/s") && lines[0].contains("req/run"),
        "{out}"
    );
    assert_eq!(out.matches(ONE).count(), 3, "{out}");
    assert_eq!(out.matches(TWO).count(), 3, "{out}");
    assert!(!out.contains('\x1b'), "{out}");
    // Nothing changed: no rate, and no average of nothing.
    let words: Vec<_> = lines[1].split_whitespace().collect();
    assert_eq!(
        words[1..],
        [ONE, "adaptive", "0", "0", "-", "-", "-", "0.0", "0"],
        "{out}"
    );
}

/// `ufsirq top` while it runs, without an end.
struct Top {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Top {
    /// Starts it; when this returns it has looked for the first time.
    fn start(tree: &Tree) -> Self {
        let mut child = spawn(&mut tree.command(&["top", "0.1"]));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().unwrap().unwrap();
        Self { child, lines }
    }

    /// Returns the next line that is meant, of the many that it prints until then.
    #[track_caller]
    fn wait_for(&mut self, is_meant: impl Fn(&str) -> bool) -> String {
        let mut lines = self.lines.by_ref().take(200).map(Result::unwrap);
        lines.find(|l| is_meant(l)).expect("it was never printed")
    }
}

impl Drop for Top {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn top_shows_rates_and_goes_on_after_a_reset() {
    let tree = Tree::full();
    let mut top = Top::start(&tree);
    let more = [
        ("interrupts", 3000),
        ("inline_runs", 1900),
        ("inline_requests", 1945),
    ];
    tree.set_stats(ONE, &stats(&more));
    let line = top.wait_for(|l| l.contains(" 100.0 "));
    let words: Vec<_> = line.split_whitespace().collect();
    let rate: f64 = words[3].parse().unwrap();
    // 2000 interrupts in a tenth of a second, or a little more where the machine is busy.
    assert!((1.0..=20100.0).contains(&rate), "{line}");
    assert_eq!((words[5], words[6]), ("1.0", "100.0"), "{line}");

    tree.set_stats(ONE, "interrupts 10\ninline_requests 10\n");
    top.wait_for(|l| l.ends_with("(counters were reset)"));
    top.wait_for(|l| l.contains(ONE) && !l.ends_with("(counters were reset)"));
}

#[test]
fn top_tells_of_hosts_that_come_and_go() {
    let tree = Tree::full();
    let mut top = Top::start(&tree);
    tree.remove_host(TWO);
    top.wait_for(|l| l.contains("22100000.ufs     was unbound"));
    tree.add_counters(TWO);
    tree.add_host(TWO);
    top.wait_for(|l| l.contains("22100000.ufs     is new"));
    tree.remove_host(ONE);
    tree.remove_host(TWO);
    top.wait_for(|l| l.contains("no host is bound"));
}

#[test]
fn top_ends_quietly_when_nobody_reads_any_more() {
    let tree = Tree::full();
    let mut child = spawn(&mut tree.command(&["top", "0.05"]));
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let end = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "still running");
        thread::sleep(Duration::from_millis(20));
    }
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), done.stderr), (Some(0), Vec::new()));
}

#[test]
fn top_needs_counters() {
    Tree::without_debugfs()
        .run(&["top", "0.05", "1"])
        .badly(1, "mount -t debugfs");
}

#[test]
fn nothing_is_recommended_without_io() {
    let done = Tree::full().run_and_meanwhile(&["suggest", "--seconds", WATCH], |_| {});
    assert_eq!(
        done.out.matches("recommendation     none").count(),
        2,
        "{done:?}"
    );
    assert_eq!(done.out.matches("No I/O was seen").count(), 2, "{done:?}");
}

#[test]
fn threaded_single_requests_are_better_off_in_adaptive() {
    let tree = Tree::full();
    tree.set_mode(ONE, "hardirq [threaded] adaptive\n");
    let done = tree.run_and_meanwhile(&["suggest", ONE, "--seconds", WATCH], |tree| {
        tree.set_stats(
            ONE,
            &stats(&[
                ("interrupts", 2000),
                ("thread_runs", 1040),
                ("thread_requests", 1210),
            ]),
        );
        replace(&tree.counter(ONE, "wakeup_us"), "16 32 1030\n32 64 15\n");
    });
    let out = done.well();
    assert!(out.starts_with("22000000.ufs: 1."), "{out}");
    assert!(out.contains("recommendation     adaptive\n"), "{out}");
    assert!(out.contains("1.01 for each run"), "{out}");
    assert!(out.contains("16-32 us (median)"), "{out}");
    assert!(
        out.contains("to do so           ufsirq mode 22000000.ufs adaptive\n"),
        "{out}"
    );
    assert!(!out.contains(TWO), "{out}");
}

#[test]
fn adaptive_that_does_well_stays() {
    let tree = Tree::full();
    let out = tree
        .run_and_meanwhile(&["suggest", ONE, "--seconds=1.0"], |tree| {
            tree.set_stats(
                ONE,
                &stats(&[
                    ("interrupts", 2000),
                    ("inline_runs", 1900),
                    ("inline_requests", 1945),
                ]),
            );
        })
        .well();
    assert!(
        out.contains("recommendation     stay with adaptive\n"),
        "{out}"
    );
    assert!(!out.contains("to do so"), "{out}");
}

#[test]
fn long_sections_are_counted_from_when_it_began_to_watch() {
    let tree = Tree::full();
    let changed = stats(&[("inline_runs", 1900), ("inline_requests", 1945)]);
    tree.set_mode(ONE, "[hardirq] threaded adaptive\n");
    let before = HARDIRQ_US.replace("1024 inf 0", "1024 inf 5");
    replace(&tree.counter(ONE, "hardirq_us"), &before);
    let out = tree
        .run_and_meanwhile(&["suggest", ONE, "--seconds", WATCH], |tree| {
            tree.set_stats(ONE, &changed);
        })
        .well();
    assert!(out.contains("stay with hardirq"), "{out}");

    tree.set_stats(ONE, STATS);
    let out = tree
        .run_and_meanwhile(&["suggest", ONE, "--seconds", WATCH], |tree| {
            tree.set_stats(ONE, &changed);
            let after = before.replace("1024 inf 5", "1024 inf 6");
            replace(&tree.counter(ONE, "hardirq_us"), &after);
        })
        .flat();
    assert!(out.contains("recommendation adaptive why"), "{out}");
    assert!(out.contains("1 of 1 hard-IRQ section took"), "{out}");
}

#[test]
fn a_reset_or_a_switch_meanwhile_is_told() {
    let tree = Tree::full();
    let args = ["suggest", ONE, "--seconds", WATCH];
    let out = tree
        .run_and_meanwhile(&args, |tree| {
            tree.set_stats(ONE, &STATS.replace("000", "00"))
        })
        .well();
    assert!(out.contains("counters were reset meanwhile"), "{out}");
    let out = tree
        .run_and_meanwhile(&args, |tree| {
            tree.set_mode(ONE, "[hardirq] threaded adaptive\n")
        })
        .well();
    assert!(out.contains("The mode was changed while"), "{out}");
}

#[test]
fn a_host_that_goes_away_does_not_keep_the_other_from_it() {
    let tree = Tree::full();
    let done = tree.run_and_meanwhile(&["suggest", "--seconds", WATCH], |t| t.remove_host(ONE));
    assert!(done.out.contains("22100000.ufs: 1."), "{done:?}");
    done.badly(
        1,
        "22000000.ufs: no counters: the host was unbound meanwhile",
    );
}

#[test]
fn hosts_that_come_and_go_all_the_time_do_no_harm() {
    let (tree, stop) = (Tree::full(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                tree.remove_host(ONE);
                tree.add_host(ONE);
                tree.add_counters(ONE);
                fs::write(tree.counter(TWO, "stats"), "").unwrap();
                tree.set_stats(TWO, STATS);
            }
        });
        for _ in 0..20 {
            for args in [
                &["list"][..],
                &["top", "0.01", "2"],
                &["hist", "all"],
                &["mode", "all", "hardirq"],
                &["suggest", "--seconds", "0.01"],
            ] {
                let done = tree.run(args);
                assert!(done.code <= 1, "{args:?} {done:?}");
                assert!(!done.err.contains("panicked"), "{args:?} {done:?}");
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
