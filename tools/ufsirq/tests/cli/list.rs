// SPDX-License-Identifier: GPL-2.0

//! `ufsirq list` and `ufsirq hist`.

use std::{
    fs,
    process::{
        Command,
        Stdio, //
    },
};

use crate::tree::{
    run,
    Tree,
    ONE,
    TWO, //
};

#[test]
fn every_host_is_shown_with_all_that_is_known() {
    let tree = Tree::full();
    tree.set_mode(TWO, "hardirq [threaded] adaptive\n");
    let out = tree.run(&[]).well();
    let (one, two) = out.split_once("\n\n").unwrap();
    let expected = "\
22000000.ufs
  irq_mode             adaptive (of hardirq, threaded, adaptive)
  irq_context          hardirq
  max_bytes            32768
  max_time_us          30
  max_cpu_percent      25
  interrupts           1000
  in the handler       945 requests in 900 interrupts, 1.05 at a time
  in the thread        200 requests in 40 runs, 5.00 at a time
  left to the thread   bytes 10, time 20, share 0, busy 30, mode 0
  handed to the core   7
  for nothing          0
  mode switches        2
  time in the handler  2.50 ms, 2500 ns an interrupt
  estimated cost       1870 ns a request, 52 ns a KiB";
    assert_eq!(one, expected);
    assert!(two.starts_with(&format!("{TWO}\n  irq_mode             threaded (of")));
    assert_eq!(tree.run(&["list"]).well(), out);
    assert_eq!(tree.run(&["list", ONE]).well().trim_end(), expected);
}

#[test]
fn what_a_driver_does_not_tell_is_a_dash() {
    let tree = Tree::full();
    tree.set_stats(ONE, "interrupts 5\nbrand_new 77\n");
    let out = tree.run(&["list", ONE]).well();
    assert!(out.contains("interrupts           5\n"), "{out}");
    assert!(
        out.contains("in the handler       - requests in - interrupts\n"),
        "{out}"
    );
    assert!(out.contains("time in the handler  -\n"), "{out}");
    assert!(
        !out.contains("brand_new") && !out.contains("made no sense"),
        "{out}"
    );
}

#[test]
fn modes_are_listed_without_debugfs_and_it_is_said_what_to_mount() {
    let tree = Tree::without_debugfs();
    let out = tree.run(&["list"]).well();
    assert_eq!(out.matches("irq_mode             adaptive").count(), 2);
    assert_eq!(out.matches("interrupts           -").count(), 2);
    assert_eq!(out.matches("mount -t debugfs none ").count(), 1, "{out}");
}

#[test]
fn an_older_driver_has_modes_and_no_counters() {
    let tree = Tree::without_debugfs();
    fs::create_dir(tree.root.join("sys/kernel/debug/ufs_board")).unwrap();
    fs::remove_dir_all(tree.file(ONE, "irq_fastpath")).unwrap();
    let out = tree.run(&["list", ONE]).well();
    assert!(out.contains("older than ufsirq"), "{out}");
    assert!(out.contains("max_bytes            -\n"), "{out}");
    tree.run(&["hist", ONE]).badly(1, "older than ufsirq");
}

#[test]
fn hosts_that_leave_transfers_to_the_core_say_so() {
    let tree = Tree::full();
    tree.set_mode(ONE, "[core]\n");
    let out = tree.run(&["list", ONE]).well();
    assert!(
        out.contains("irq_mode             core (completion queues"),
        "{out}"
    );
}

#[test]
fn a_machine_without_the_driver_is_told_what_to_do() {
    let tree = Tree::bare();
    for args in [
        &["list"][..],
        &["mode", "all", "hardirq"],
        &["limit", "all", "max_bytes", "1"],
        &["top", "0.1", "1"],
        &["hist", ONE],
        &["suggest", "--seconds", "0.1"],
        &["reset", "all"],
    ] {
        tree.run(args).badly(1, "insmod ufs_unisoc.ko");
    }
    fs::remove_dir_all(tree.root.join("sys")).unwrap();
    tree.run(&["list"]).badly(1, "mount -t sysfs");
}

#[test]
fn a_driver_without_a_host_is_told_apart() {
    Tree::driver().run(&["list"]).badly(1, "bound to no host");
    Tree::driver()
        .run(&["top", "0.1", "1"])
        .badly(1, "bound to no host");
}

#[test]
fn an_unknown_host_is_told_which_there_are() {
    let tree = Tree::full();
    for args in [
        &["list", "x"][..],
        &["mode", "x", "hardirq"],
        &["limit", "x", "max_bytes", "1"],
        &["hist", "x"],
        &["suggest", "x", "--seconds", "0.1"],
        &["reset", "x"],
    ] {
        let err = tree.run(args).badly(1, "no host is called 'x'");
        assert!(err.contains("22000000.ufs, 22100000.ufs"), "{err}");
    }
    tree.run(&["list", "bind"]).badly(1, "no host is called");
    tree.run(&["list", "../ufs_unisoc"])
        .badly(1, "no host is called");
}

#[test]
fn files_that_make_no_sense_do_no_harm() {
    let tree = Tree::full();
    let huge = "interrupts 99999999999999999999999999\nspurious -1\nforwarded\n";
    let long = "interrupts 1\n".repeat(1 << 17);
    for text in ["", "\n\n", "\0\0\0", "?", "interrupts", huge, &long] {
        for name in ["stats", "hardirq_us", "wakeup_us"] {
            fs::write(tree.counter(ONE, name), text).unwrap();
        }
        for name in ["irq_mode", "irq_context", "irq_fastpath/max_bytes"] {
            fs::write(tree.file(ONE, name), text).unwrap();
        }
        for args in [
            &["list"][..],
            &["hist", ONE],
            &["top", "0.01", "1"],
            &["suggest", ONE, "--seconds", "0.01"],
        ] {
            let done = tree.run(args);
            assert_eq!(done.code, 0, "{text:?} {args:?} {done:?}");
        }
    }
    fs::write(tree.counter(ONE, "stats"), [0xff, 0xfe, b'\n', 0x80]).unwrap();
    let out = tree.run(&["list", ONE]).well();
    assert!(out.contains("2 lines of stats made no sense"), "{out}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let tree = Tree::full();
    fs::remove_file(tree.file(ONE, "irq_mode")).unwrap();
    fs::create_dir(tree.file(ONE, "irq_mode")).unwrap();
    tree.run(&["list"])
        .badly(1, "22000000.ufs: irq_mode cannot be read");
    fs::remove_file(tree.counter(TWO, "stats")).unwrap();
    fs::create_dir(tree.counter(TWO, "stats")).unwrap();
    let out = tree.run(&["list", TWO]).well();
    assert!(out.contains("their file cannot be read"), "{out}");
}

#[test]
fn a_host_that_is_being_bound_is_not_taken_for_an_old_driver() {
    let tree = Tree::full();
    fs::remove_dir_all(tree.counter(ONE, "")).unwrap();
    let out = tree.run(&["list", ONE]).well();
    assert!(out.contains("is it being bound or unbound?"), "{out}");
    let out = tree.run(&["top", "0.01", "1"]).well();
    assert!(!out.contains(ONE) && out.contains(TWO), "{out}");
    fs::remove_file(tree.file(ONE, "irq_mode")).unwrap();
    let out = tree.run(&["list", ONE]).well();
    assert_eq!(out, "22000000.ufs\n  is being bound or unbound\n");
}

#[test]
fn histograms_are_bars() {
    let tree = Tree::full();
    let out = tree.run(&["hist", ONE]).well();
    let expected = "\
22000000.ufs
  length of hard-IRQ sections: 1000, median 1-2 us, 99th percentile 4-8 us
           1 - 2 us            700  ########################################
           2 - 4 us            250  ###############
           4 - 8 us             49  ###
          64 - 128 us            1  #
  hard IRQ to start of the thread: 40, median 16-32 us, 99th percentile 32-64 us
           8 - 16 us             5  #######
          16 - 32 us            30  ########################################
          32 - 64 us             5  #######
";
    assert_eq!(out, expected);
    fs::write(tree.counter(ONE, "hardirq_us"), "0 1 0\n").unwrap();
    fs::remove_file(tree.counter(ONE, "wakeup_us")).unwrap();
    let out = tree.run(&["hist", ONE]).well();
    assert!(out.contains("sections: none yet\n"), "{out}");
    assert!(
        out.contains("thread: not counted by this driver\n"),
        "{out}"
    );
}

#[test]
fn the_roots_can_be_moved_by_variables() {
    let tree = Tree::full();
    let elsewhere = tree.root.join("elsewhere");
    fs::rename(tree.root.join("sys/kernel/debug"), &elsewhere).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ufsirq"));
    command
        .env_clear()
        .env("UFSIRQ_SYSFS", tree.root.join("sys"))
        .env("UFSIRQ_DEBUGFS", &elsewhere);
    assert!(run(&mut command)
        .well()
        .contains("interrupts           1000"));
}

#[test]
fn usage_errors_are_2() {
    let tree = Tree::full();
    let err = tree.run(&["frobnicate"]).badly(2, "'frobnicate'");
    assert!(
        err.contains("there are: list, mode, limit, top, hist, suggest, reset\n"),
        "{err}"
    );
    tree.run(&["mode", ONE])
        .badly(2, "Usage: ufsirq mode <HOST|all> <MODE>");
    tree.run(&["list", "--seconds", "1"])
        .badly(2, "unexpected argument '--seconds'");
}

#[test]
fn help_and_version_are_printed() {
    let tree = Tree::full();
    let help = tree.run(&["--help"]).well();
    for text in [
        "Usage: ufsirq ",
        "\n  suggest  ",
        "UFSIRQ_SYSFS",
        "Exit code",
    ] {
        assert!(help.contains(text), "{help}");
    }
    assert_eq!(tree.run(&["help"]).well(), help);
    let help = tree.run(&["top", "--help"]).well();
    assert!(help.contains("Usage: ufsirq top "), "{help}");
    assert_eq!(tree.run(&["--version"]).well(), "ufsirq 0.1.0\n");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let tree = Tree::full();
    for args in ["list", "--help", "--version"] {
        let mut command = tree.command(&[args]);
        command.stdout(fs::File::create("/dev/full").unwrap());
        run(&mut command).badly(1, "the output cannot be written");
    }
}

#[test]
fn nobody_who_reads_the_output_is_no_error() {
    let tree = Tree::full();
    for args in ["list", "--help", "--version"] {
        let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
        let pipe = reader.stdin.take().unwrap();
        reader.wait().unwrap();
        let mut command = tree.command(&[args]);
        command.stdout(pipe);
        assert_eq!(run(&mut command).well(), "");
    }
}
