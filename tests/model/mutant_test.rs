// SPDX-License-Identifier: GPL-2.0

//! Proves that the models can fail: mistakes in how the burst is used, each of which is found.

use crate::{
    burst_test::{
        clocks_are_gated,
        explore,
        two_requests, //
    },
    machine::{
        Mode::{
            self,
            Defer,
            Inline,
            Large, //
        },
        Mutant, //
    },
};

fn two(mode: Mode, mutant: Mutant) {
    explore("not found", None, move || {
        two_requests(mode, mode, 1, mutant)
    });
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn completing_then_acknowledging() {
    two(Inline, Mutant::InlineAcksLate);
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn telling_the_thread_then_acknowledging() {
    two(Defer, Mutant::DeferAcksLate);
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn looking_then_saying_so() {
    two(Defer, Mutant::LooksLate);
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn ending_the_burst_whatever_was_handed_over() {
    two(Defer, Mutant::EndsBlindly);
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn not_waking_the_thread() {
    two(Defer, Mutant::NeverWakes);
}

#[test]
#[should_panic(expected = "the burst has not ended")]
fn not_waking_a_thread_that_seemed_to_run() {
    two(Large, Mutant::TrustsTheHint);
}

#[test]
#[should_panic(expected = "a request was forgotten")]
fn not_telling_a_thread_that_seems_to_run() {
    two(Large, Mutant::SaysNothing);
}

#[test]
#[should_panic(expected = "the burst has not ended")]
fn looking_once_only() {
    two(Defer, Mutant::LooksOnce);
}

#[test]
#[should_panic(expected = "the burst has not ended")]
fn not_ending_the_burst() {
    two(Defer, Mutant::NeverEnds);
}

#[test]
#[should_panic(expected = "nobody is at work")]
fn turning_clocks_off_while_the_thread_works() {
    explore("not found", None, || {
        clocks_are_gated(Defer, Mutant::DoesNotWait)
    });
}
