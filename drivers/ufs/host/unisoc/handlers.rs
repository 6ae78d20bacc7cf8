// SPDX-License-Identifier: GPL-2.0

//! The two handlers of a host's interrupt: where its transfers complete.

use kernel::prelude::*;

use super::{
    decide::{
        decide,
        Action,
        Moment,
        ERRORS,
        UIC,
        UTRCS, //
    },
    fastpath::{
        self,
        Choice,
        FastPath,
        Reason,
        Work, //
    },
    host::Unisoc,
    mode::Context,
    shared::HostShared,
    state::State,
    stats::Primary,
    storm::Storm, //
};
use crate::abi::{
    context::{
        cond_resched,
        local_clock,
        BhDisabled, //
    },
    irq_gate::Verdict,
    ufshcd::{
        Circumstances,
        Interrupt,
        InterruptOps, //
    }, //
};

/// What the primary handler of a host keeps for itself.
#[derive(Default)]
pub(crate) struct Local {
    fast: FastPath,
    storm: Storm,
}

/// A run of the primary handler.
struct Section<'a> {
    irq: &'a Interrupt<Unisoc>,
    host: &'a HostShared,
    now: Circumstances,
    opened: u64,
    state: State,
}

impl Section<'_> {
    /// Does what there is to do.
    ///
    /// In adaptive mode also returns what was finished here, which is maybe nothing.
    #[inline]
    fn serve(&self, local: &mut Local) -> (Verdict, Option<Work>) {
        if self.now.core_must_see_transfers() {
            return (self.forward(0, &mut local.storm), None);
        }
        let moment = Moment {
            in_thread: !self.now.in_hardirq(),
            pm_op_in_progress: self.now.pm_op_in_progress(),
        };
        let status = self.irq.status().into_raw();
        let verdict = match decide(status, self.state.mode(), moment) {
            Action::NotOurs => self.not_ours(),
            Action::Gone => self.gone(),
            Action::Forward => self.forward(status, &mut local.storm),
            Action::CompleteHere => {
                self.irq.ack_transfers();
                if self.complete() == 0 {
                    self.unexplained(status, &mut local.storm);
                }
                Verdict::Handled
            }
            Action::Defer => {
                self.irq.ack_transfers();
                self.hand_over(Primary::DeferredMode, &mut local.storm)
            }
            Action::Weigh => {
                self.irq.ack_transfers();
                return self.weigh(local);
            }
        };
        (verdict, None)
    }

    fn not_ours(&self) -> Verdict {
        self.host.stats().count(Primary::Spurious, 1);
        Verdict::NotOurs
    }

    #[cold]
    #[inline(never)]
    fn gone(&self) -> Verdict {
        if !self.host.update(State::with_gone).gone() {
            dev_err!(
                self.irq.device(),
                "the controller does not answer (interrupt status reads all ones)\n"
            );
        }
        self.not_ours()
    }

    /// Hands the interrupt to the core. `status` is what was asserted, as far as it was read.
    #[inline(never)]
    fn forward(&self, status: u32, storm: &mut Storm) -> Verdict {
        let stats = self.host.stats();

        if !self.irq.has_queues() && self.unexplained(status, storm) {
            return Verdict::Handled;
        }
        stats.count(Primary::Forwarded, 1);
        if status & UIC != 0 {
            stats.count(Primary::ForwardedUic, 1);
        }
        if status & ERRORS != 0 {
            stats.count(Primary::ForwardedErrors, 1);
        }
        Verdict::Forward
    }

    /// Accounts for an interrupt that completed nothing. Switches the line off, and returns that it
    /// has, if there is no end to them.
    #[cold]
    #[inline(never)]
    fn unexplained(&self, status: u32, storm: &mut Storm) -> bool {
        let is_storm = storm.note(
            self.now.time(),
            self.opened,
            self.host.requests(),
            self.host.resets(),
        );

        if is_storm {
            self.irq.switch_off();
            dev_err!(
                self.irq.device(),
                "the interrupt does not stop (status {:#x}): switched off; requests now time out, and the reset after that switches it on\n",
                status
            );
        }
        is_storm
    }

    /// Returns the requests that are outstanding, without those that are polled.
    #[inline]
    fn outstanding(&self) -> u32 {
        self.host.not_polled(self.irq.outstanding())
    }

    /// Completes transfers here. Returns which were outstanding before and are not any more.
    #[inline]
    fn complete(&self) -> u32 {
        let before = self.outstanding();

        if !self.irq.complete_transfers() {
            return 0;
        }
        let done = before & !self.irq.outstanding();
        let context = if self.now.in_hardirq() {
            Context::Hardirq
        } else {
            Context::Thread
        };
        self.host.completed_in(self.state, context);
        self.host.stats().count(Primary::InlineRuns, 1);
        self.host
            .stats()
            .count(Primary::InlineRequests, fastpath::count(done));
        done
    }

    /// Leaves acknowledged transfers to the thread; `why` counts it, if the thread has to be woken.
    #[inline(never)]
    fn hand_over(&self, why: Primary, storm: &mut Storm) -> Verdict {
        let stats = self.host.stats();

        if !self.host.burst().hand_over() {
            stats.count(Primary::DeferredBusy, 1);
            self.unexplained(UTRCS, storm);
            return Verdict::Handled;
        }
        stats.count(why, 1);
        stats.waking(self.now.time());
        Verdict::WakeThread
    }

    /// Completes acknowledged transfers here if that is little work, and leaves them to the thread
    /// otherwise.
    // Not inlined: the other modes' path is shorter without it.
    #[inline(never)]
    fn weigh(&self, local: &mut Local) -> (Verdict, Option<Work>) {
        let Local { fast, storm } = local;
        let limits = self.host.limits();

        fast.begin(self.now.time(), &limits);
        // A thread at work will come to these as well, as soon as this handler is done.
        if self.host.burst().is_on() {
            let verdict = self.hand_over(Primary::DeferredBusy, storm);
            return (verdict, Some(Work::default()));
        }
        let choice = fast.choose(
            self.now.cpu(),
            self.outstanding(),
            || self.irq.doorbell(),
            |tag| self.host.size(tag),
            &limits,
        );
        match choice {
            Choice::Inline => {
                let done = self.complete();
                if done == 0 {
                    self.unexplained(UTRCS, storm);
                }
                (Verdict::Handled, Some(self.work(done)))
            }
            Choice::Defer(reason) => {
                let why = match reason {
                    Reason::Bytes => Primary::DeferredBytes,
                    Reason::Time => Primary::DeferredTime,
                    Reason::Share => Primary::DeferredShare,
                };
                (self.hand_over(why, storm), Some(Work::default()))
            }
        }
    }

    /// Accounts for a section of the adaptive mode that took `spent` ns and finished `work`.
    #[inline(never)]
    fn settle(&self, fast: &mut FastPath, work: Work, spent: u64) {
        let cpu = self.now.cpu();

        fast.end(cpu, work, spent);
        self.host.stats().show_cost(fast.cost(cpu));
    }

    fn work(&self, requests: u32) -> Work {
        fastpath::sum(requests, |tag| self.host.size(tag))
    }

    /// Returns how long this has taken, in ns.
    fn spent(&self) -> u64 {
        local_clock().saturating_sub(self.now.time())
    }
}

impl InterruptOps for Unisoc {
    type Local = Local;

    fn primary(irq: &Interrupt<Self>, local: &mut Local, opened: u64) -> Verdict {
        let host = irq.data().shared();
        let section = Section {
            irq,
            host,
            now: irq.circumstances(),
            opened,
            state: host.state(),
        };

        if !section.now.in_hardirq() && !section.state.forced_threads() {
            host.update(State::with_forced_threads);
        }
        let (verdict, finished) = section.serve(local);
        let spent = section.spent();
        // What the core does with a forwarded one comes after this, and is its own.
        if verdict != Verdict::Forward {
            host.stats().count_section(spent);
        }
        host.stats().count(Primary::Interrupts, 1);
        if let Some(work) = finished {
            section.settle(&mut local.fast, work, spent);
        }
        verdict
    }

    fn thread(irq: &Interrupt<Self>) {
        let host = irq.data().shared();

        host.stats().count_run(local_clock());
        loop {
            host.burst().look();
            look(irq, host);
            if host.burst().finished() {
                break;
            }
            cond_resched();
        }
    }
}

/// Completes transfers in the thread.
fn look(irq: &Interrupt<Unisoc>, host: &HostShared) {
    // The block softirq that completions raise runs here, at the end, instead of in yet another
    // thread.
    let _bh = BhDisabled::new();
    let before = host.not_polled(irq.outstanding());

    if irq.complete_transfers() {
        let done = before & !irq.outstanding();
        host.stats().count_look(fastpath::count(done));
        host.completed_in(host.state(), Context::Thread);
    } else {
        host.stats().count_look(0);
    }
}
