// SPDX-License-Identifier: GPL-2.0

//! The models: what goes on at the same time as the interrupt's thread.

use std::{
    sync::{
        atomic::{
            AtomicUsize,
            Ordering::SeqCst, //
        },
        Arc as Plain, //
    },
    time::Instant, //
};

use loom::{
    model::Builder,
    sync::Arc,
    thread, //
};

use crate::machine::{
    Machine,
    Mode,
    Mutant,
    MODES, //
};

/// Runs a model in every order of its steps, with so many preemptions at most if that is limited.
pub(crate) fn explore(
    name: &str,
    preemptions: Option<usize>,
    model: impl Fn() + Send + Sync + 'static,
) {
    let orders = Plain::new(AtomicUsize::new(0));
    let start = Instant::now();
    let mut builder = Builder::new();
    builder.preemption_bound = preemptions;
    let counter = orders.clone();
    builder.check(move || {
        counter.fetch_add(1, SeqCst);
        model();
    });
    let orders = orders.load(SeqCst);
    eprintln!("{name}: {orders} orders in {:.1?}", start.elapsed());
    assert!(orders > 100, "not much of a model");
}

/// Runs `f` at the same time as the rest.
fn meanwhile(machine: &Arc<Machine>, f: impl FnOnce(&Machine) + 'static) -> thread::JoinHandle<()> {
    let machine = machine.clone();
    thread::spawn(move || f(&machine))
}

/// The CPU that has the interrupt: gets to handle it so many times meanwhile. Being late is no
/// mistake; what is left when the others are done is done then.
fn interrupts(machine: &Arc<Machine>, times: usize) -> thread::JoinHandle<()> {
    meanwhile(machine, move |m| (0..times).for_each(|_| m.interrupt()))
}

/// The interrupt's thread, in the same way.
fn thread_runs(machine: &Arc<Machine>, times: usize) -> thread::JoinHandle<()> {
    meanwhile(machine, move |m| {
        for _ in 0..times {
            m.run_thread();
        }
    })
}

/// Two requests complete, and the mode is switched.
pub(crate) fn two_requests(from: Mode, to: Mode, runs: usize, mutant: Mutant) {
    let machine = Machine::new(from, mutant);
    let others = [interrupts(&machine, 2), thread_runs(&machine, runs)];
    machine.complete(0);
    if from != to {
        machine.switch(to);
    }
    machine.complete(1);
    others.into_iter().for_each(|other| other.join().unwrap());
    machine.check([1, 1]);
}

/// A request completes, and so does the next one that is given its tag, if there is one.
pub(crate) fn a_tag_is_used_again(mode: Mode, mutant: Mutant) {
    let machine = Machine::new(mode, mutant);
    let others = [interrupts(&machine, 2), thread_runs(&machine, 2)];
    machine.complete(0);
    let again = machine.is_taken(0);
    if again {
        machine.complete(0);
    }
    others.into_iter().for_each(|other| other.join().unwrap());
    machine.check([1 + u32::from(again), 0]);
}

/// The core gates the clocks while a request completes.
pub(crate) fn clocks_are_gated(mode: Mode, mutant: Mutant) {
    let machine = Machine::with_gate(mode, mutant);
    let others = [interrupts(&machine, 2), thread_runs(&machine, 1)];
    machine.complete(0);
    machine.turn_clocks_off_and_on();
    others.into_iter().for_each(|other| other.join().unwrap());
    machine.check([1, 0]);
}

#[test]
fn every_request_completes_in_every_mode() {
    for mode in MODES {
        explore(&format!("{mode:?}"), None, move || {
            two_requests(mode, mode, 2, Mutant::None);
        });
    }
}

#[test]
fn the_mode_may_be_switched_at_any_moment() {
    for from in MODES {
        for to in MODES.into_iter().filter(|&to| to != from) {
            explore(&format!("{from:?} to {to:?}"), None, move || {
                two_requests(from, to, 1, Mutant::None);
            });
        }
    }
}

#[test]
fn tags_may_be_used_again() {
    for mode in MODES {
        explore(&format!("{mode:?}"), None, move || {
            a_tag_is_used_again(mode, Mutant::None);
        });
    }
}

#[test]
fn nobody_works_while_the_interrupt_is_disabled() {
    for mode in MODES {
        explore(&format!("{mode:?}"), None, move || {
            clocks_are_gated(mode, Mutant::None);
        });
    }
}
