// SPDX-License-Identifier: GPL-2.0

//! A controller, as much of genirq as it takes, and the driver's two handlers.
//!
//! What is atomic here is so in the kernel or in the device: registers, the core's completion of
//! transfers under its lock, the interrupt descriptor under its own, flags. Whatever these are not
//! about is left out. What only the checks at the end look at is in ordinary atomics, which are no
//! steps.

use std::sync::atomic::{
    AtomicU32 as Plain,
    Ordering::SeqCst, //
};

use loom::{
    cell::UnsafeCell,
    sync::{
        atomic::{
            AtomicU32,
            Ordering::{
                AcqRel,
                Acquire,
                Relaxed, //
            }, //
        },
        Arc, //
    }, //
};

use crate::burst::{
    Burst,
    Shared, //
};

/// A mistake to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// All is right.
    None,
    /// Transfers are completed, then acknowledged.
    InlineAcksLate,
    /// The thread is told, then transfers are acknowledged.
    DeferAcksLate,
    /// The thread says that it is going to look after it has looked.
    LooksLate,
    /// The thread ends the burst whatever has been handed over.
    EndsBlindly,
    /// The handler does not wake the thread when it is told to.
    NeverWakes,
    /// It does not while it believes the thread to run.
    TrustsTheHint,
    /// It says nothing while it believes the thread to run.
    SaysNothing,
    /// The thread looks once only.
    LooksOnce,
    /// The thread does not end the burst.
    NeverEnds,
    /// Who disables the interrupt does not wait for the thread.
    DoesNotWait,
}

/// How the primary handler deals with a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Hardirq, and wherever the driver completes in the handler: suspend, forced threads, and the
    /// core's own handler when the interrupt is forwarded.
    Inline,
    /// Threaded.
    Defer,
    /// Adaptive, small work.
    Small,
    /// Adaptive, large work.
    Large,
}

pub(crate) const MODES: [Mode; 4] = [Mode::Inline, Mode::Defer, Mode::Small, Mode::Large];

/// The word of a burst.
struct Word {
    value: Arc<AtomicU32>,
    mutant: Mutant,
}

impl Shared for Word {
    fn swap(&self, new: u32) -> u32 {
        self.value.swap(new, AcqRel)
    }

    fn replace(&self, old: u32, new: u32) -> bool {
        if self.mutant == Mutant::EndsBlindly {
            self.value.swap(new, AcqRel);
            return true;
        }
        self.value
            .compare_exchange(old, new, AcqRel, Acquire)
            .is_ok()
    }

    fn peek(&self) -> u32 {
        self.value.load(Relaxed)
    }
}

/// The descriptor: a handler runs.
const IN_PROGRESS: u32 = 1 << 0;
/// The descriptor: the interrupt is disabled.
const DISABLED: u32 = 1 << 1;

pub(crate) struct Machine {
    mutant: Mutant,
    mode: AtomicU32,
    burst: Burst<Word>,
    /// That of the burst.
    word: Arc<AtomicU32>,
    /// A bit for each request that is outstanding and not in the doorbell any more. That is what
    /// the core takes at once, under its lock. Requests are submitted from the beginning.
    done: AtomicU32,
    /// `IS.UTRCS`, which is the level of the line.
    status: AtomicU32,
    /// `IRQTF_RUNTHREAD`.
    run_thread: AtomicU32,
    /// How often each request has completed.
    completed: [Plain; 2],
    /// What only matters where the interrupt is disabled now and then.
    gate: Option<Gate>,
}

struct Gate {
    /// The interrupt's descriptor.
    desc: AtomicU32,
    /// `threads_active`.
    active: AtomicU32,
    /// Read by those who access registers, written by who turns their clocks off: `loom` objects if
    /// one is not over before the other.
    clocks: UnsafeCell<()>,
}

impl Machine {
    fn with(mode: Mode, mutant: Mutant, gate: Option<Gate>) -> Arc<Self> {
        let word = Arc::new(AtomicU32::new(Burst::<Word>::INITIAL));
        Arc::new(Self {
            mutant,
            mode: AtomicU32::new(mode as u32),
            burst: Burst::new(Word {
                value: word.clone(),
                mutant,
            }),
            word,
            done: AtomicU32::new(0),
            status: AtomicU32::new(0),
            run_thread: AtomicU32::new(0),
            completed: Default::default(),
            gate,
        })
    }

    pub(crate) fn new(mode: Mode, mutant: Mutant) -> Arc<Self> {
        Self::with(mode, mutant, None)
    }

    /// One whose interrupt may be disabled.
    pub(crate) fn with_gate(mode: Mode, mutant: Mutant) -> Arc<Self> {
        let gate = Gate {
            desc: AtomicU32::new(0),
            active: AtomicU32::new(0),
            clocks: UnsafeCell::new(()),
        };
        Self::with(mode, mutant, Some(gate))
    }

    /// The user switches the mode.
    pub(crate) fn switch(&self, mode: Mode) {
        self.mode.store(mode as u32, Relaxed);
    }

    /// The controller is done with a request: it clears the doorbell, then sets the status.
    pub(crate) fn complete(&self, request: u32) {
        let before = self.done.fetch_or(1 << request, AcqRel);
        assert!(before >> request & 1 == 0, "the model is wrong");
        self.status.fetch_or(1, AcqRel);
    }

    /// Returns whether a request that the controller was done with has been completed.
    pub(crate) fn is_taken(&self, request: u32) -> bool {
        self.done.fetch_or(0, AcqRel) >> request & 1 == 0
    }

    /// genirq handles an interrupt if there is one. The caller does not do so twice at a time, as
    /// genirq does not.
    pub(crate) fn interrupt(&self) {
        let Some(gate) = &self.gate else {
            self.primary();
            return;
        };
        if gate.desc.fetch_or(IN_PROGRESS, AcqRel) & DISABLED == 0 {
            self.primary();
        }
        gate.desc.fetch_and(!IN_PROGRESS, AcqRel);
    }

    /// Disables the interrupt, turns the clocks off if that was done without having to wait, and
    /// enables it again. Where it would have to wait, another order has the rest later.
    pub(crate) fn turn_clocks_off_and_on(&self) {
        let gate = self.gate.as_ref().expect("the model has no gate");
        let waits = gate.desc.fetch_or(DISABLED, AcqRel) & IN_PROGRESS != 0
            || (self.mutant != Mutant::DoesNotWait && gate.active.fetch_add(0, AcqRel) != 0);

        if !waits {
            gate.clocks.with_mut(|_| ());
            assert!(self.is_idle(), "a burst, and nobody is at work");
        }
        gate.desc.fetch_and(!DISABLED, AcqRel);
    }

    /// Returns whether there is no burst. Unlike the hint this is never out of date.
    fn is_idle(&self) -> bool {
        self.word.fetch_add(0, AcqRel) == Burst::<Word>::INITIAL
    }

    fn access_registers(&self) {
        if let Some(gate) = &self.gate {
            gate.clocks.with(|_| ());
        }
    }

    fn status(&self) -> bool {
        self.access_registers();
        self.status.fetch_or(0, AcqRel) != 0
    }

    fn ack(&self) {
        self.access_registers();
        self.status.fetch_and(0, AcqRel);
    }

    /// The core completes what is outstanding and not in the doorbell.
    fn poll(&self) {
        self.access_registers();
        let taken = self.done.swap(0, AcqRel);
        for (request, completed) in self.completed.iter().enumerate() {
            completed.fetch_add(taken >> request & 1, SeqCst);
        }
    }

    /// The driver's hard interrupt handler.
    fn primary(&self) {
        if !self.status() {
            return;
        }
        let mode = self.mode.load(Relaxed);
        let mode = MODES[mode as usize];

        match mode {
            Mode::Inline => self.inline(),
            Mode::Defer => self.defer(Mutant::NeverWakes),
            Mode::Small | Mode::Large if self.burst.is_on() => match self.mutant {
                Mutant::SaysNothing => self.ack(),
                _ => self.defer(Mutant::TrustsTheHint),
            },
            Mode::Small => self.inline(),
            Mode::Large => self.defer(Mutant::NeverWakes),
        }
    }

    fn inline(&self) {
        if self.mutant == Mutant::InlineAcksLate {
            self.poll();
            self.ack();
        } else {
            self.ack();
            self.poll();
        }
    }

    fn defer(&self, wakes_not: Mutant) {
        let wake = if self.mutant == Mutant::DeferAcksLate {
            let wake = self.burst.hand_over();
            if wake {
                self.wake();
            }
            self.ack();
            return;
        } else {
            self.ack();
            self.burst.hand_over()
        };
        if wake && self.mutant != wakes_not {
            self.wake();
        }
    }

    /// genirq wakes the interrupt's thread.
    fn wake(&self) {
        if self.run_thread.swap(1, AcqRel) == 0 {
            if let Some(gate) = &self.gate {
                gate.active.fetch_add(1, AcqRel);
            }
        }
    }

    /// genirq runs the interrupt's thread if it was woken; returns whether it was.
    pub(crate) fn run_thread(&self) -> bool {
        if self.run_thread.swap(0, AcqRel) == 0 {
            return false;
        }
        self.thread();
        if let Some(gate) = &self.gate {
            gate.active.fetch_sub(1, AcqRel);
        }
        true
    }

    /// The driver's threaded handler.
    fn thread(&self) {
        loop {
            if self.mutant == Mutant::LooksLate {
                self.poll();
                self.burst.look();
            } else {
                self.burst.look();
                self.poll();
            }
            if self.mutant == Mutant::NeverEnds
                || self.burst.finished()
                || self.mutant == Mutant::LooksOnce
            {
                break;
            }
        }
    }

    /// Checks what must hold when all is quiet, after what is left to be done for that.
    pub(crate) fn check(&self, completions: [u32; 2]) {
        while self.status() || self.run_thread.load(Relaxed) != 0 {
            self.interrupt();
            self.run_thread();
        }
        for (completed, expected) in self.completed.iter().zip(completions) {
            let completed = completed.load(SeqCst);
            assert!(completed >= expected, "a request was forgotten");
            assert!(completed <= expected, "a request completed twice");
        }
        assert!(self.is_idle(), "the burst has not ended");
    }
}
