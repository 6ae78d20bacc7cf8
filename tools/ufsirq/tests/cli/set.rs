// SPDX-License-Identifier: GPL-2.0

//! `ufsirq mode`, `ufsirq limit` and `ufsirq reset`.

use std::fs;

use crate::tree::{
    Tree,
    ONE,
    TWO, //
};

fn content(path: impl AsRef<std::path::Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_mode_is_written_to_the_host_that_is_meant() {
    let tree = Tree::full();
    assert_eq!(
        tree.run(&["mode", ONE, "threaded"]).well(),
        "22000000.ufs: mode was adaptive, is threaded from the next interrupt on\n"
    );
    assert_eq!(content(tree.file(ONE, "irq_mode")), "threaded\n");
    assert_eq!(
        content(tree.file(TWO, "irq_mode")),
        "hardirq threaded [adaptive]\n"
    );
}

#[test]
fn all_are_set_and_told_if_nothing_was_to_do() {
    let tree = Tree::full();
    tree.set_mode(ONE, "[hardirq] threaded\n");
    let out = tree.run(&["mode", "all", "hardirq"]).well();
    assert!(
        out.contains("22000000.ufs: mode is hardirq already\n"),
        "{out}"
    );
    assert!(
        out.contains("22100000.ufs: mode was adaptive, is hardirq"),
        "{out}"
    );
    assert_eq!(content(tree.file(ONE, "irq_mode")), "[hardirq] threaded\n");
    assert_eq!(content(tree.file(TWO, "irq_mode")), "hardirq\n");
}

#[test]
fn a_mode_that_is_none_is_told_which_there_are() {
    let tree = Tree::full();
    let err = tree
        .run(&["mode", ONE, "sometimes"])
        .badly(1, "'sometimes' is no mode");
    assert!(
        err.contains("valid are: hardirq, threaded, adaptive"),
        "{err}"
    );
    tree.run(&["mode", ONE, "Hardirq"]).badly(1, "is no mode");
    tree.run(&["mode", ONE, "[hardirq]"]).badly(1, "is no mode");
    tree.run(&["mode", ONE, ""]).badly(1, "is no mode");
    assert_eq!(
        content(tree.file(ONE, "irq_mode")),
        "hardirq threaded [adaptive]\n"
    );
}

#[test]
fn a_host_that_refuses_does_not_keep_the_others_from_it() {
    let tree = Tree::full();
    tree.set_mode(ONE, "[core]\n");
    let done = tree.run(&["mode", "all", "threaded"]);
    assert!(
        done.out
            .contains("22100000.ufs: mode was adaptive, is threaded"),
        "{done:?}"
    );
    done.badly(1, "22000000.ufs: uses completion queues (MCQ)");
    assert_eq!(content(tree.file(ONE, "irq_mode")), "[core]\n");
    assert_eq!(content(tree.file(TWO, "irq_mode")), "threaded\n");
}

#[test]
fn a_write_that_fails_is_told() {
    let tree = Tree::full();
    fs::remove_file(tree.file(ONE, "irq_mode")).unwrap();
    tree.run(&["mode", ONE, "threaded"])
        .badly(1, "22000000.ufs: was unbound meanwhile");
    let limit = tree.file(ONE, "irq_fastpath/max_bytes");
    fs::remove_file(&limit).unwrap();
    std::os::unix::fs::symlink("/dev/full", &limit).unwrap();
    tree.run(&["limit", ONE, "max_bytes", "4096"])
        .badly(1, "max_bytes cannot be set: No space");
}

#[test]
fn a_limit_is_written_to_the_host_that_is_meant() {
    let tree = Tree::full();
    assert_eq!(
        tree.run(&["limit", ONE, "max_time_us", "50"]).well(),
        "22000000.ufs: max_time_us was 30, is 50\n"
    );
    assert_eq!(content(tree.file(ONE, "irq_fastpath/max_time_us")), "50\n");
    assert_eq!(content(tree.file(TWO, "irq_fastpath/max_time_us")), "30\n");
    let out = tree.run(&["limit", "all", "max_time_us", "50"]).well();
    assert!(
        out.contains("22000000.ufs: max_time_us is 50 already\n"),
        "{out}"
    );
    assert_eq!(content(tree.file(TWO, "irq_fastpath/max_time_us")), "50\n");
}

#[test]
fn a_limit_that_is_none_is_told_which_there_are() {
    let tree = Tree::full();
    let err = tree
        .run(&["limit", ONE, "max_fun", "1"])
        .badly(1, "'max_fun' is no limit");
    assert!(
        err.contains("valid are: max_bytes, max_time_us, max_cpu_percent"),
        "{err}"
    );
    tree.run(&["limit", ONE, "../irq_mode", "1"])
        .badly(1, "is no limit");
    tree.run(&["limit", ONE, "max_bytes", "lots"])
        .badly(2, "'lots' for '<VALUE>': no whole number");
    fs::remove_dir_all(tree.file(TWO, "irq_fastpath")).unwrap();
    tree.run(&["limit", TWO, "max_bytes", "1"])
        .badly(1, "has no limits");
}

#[test]
fn counters_are_reset_by_writing_to_their_file() {
    let tree = Tree::full();
    assert_eq!(
        tree.run(&["reset", ONE]).well(),
        "22000000.ufs: counters begin at zero\n"
    );
    assert_eq!(content(tree.counter(ONE, "reset")), "1\n");
    assert_eq!(content(tree.counter(TWO, "reset")), "");
    tree.run(&["reset", "all"]).well();
    assert_eq!(content(tree.counter(TWO, "reset")), "1\n");
    Tree::without_debugfs()
        .run(&["reset", "all"])
        .badly(1, "mount -t debugfs");
}
