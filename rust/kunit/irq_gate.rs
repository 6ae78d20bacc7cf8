// SPDX-License-Identifier: GPL-2.0

//! Tests of the interrupt gate and of its virtual line, with interrupts that are raised by hand.

use kernel::{
    prelude::*,
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    }, //
};

use super::{
    Gate,
    Handler,
    Verdict, //
};
use crate::abi::{
    context::local_clock,
    kunit::{
        beside,
        device::TestDevice,
        sleep_ms,
        wait_until,
        wire::{
            self,
            Kind,
            Requester,
            Wire, //
        }, //
    }, //
};

/// What the gate's handler shall do, and what it has seen.
struct Probe {
    verdict: Atomic<u32>,
    /// As long as this is set neither half ends.
    hold: Atomic<bool>,
    primaries: Atomic<u32>,
    threads: Atomic<u32>,
    /// How many of either half run at this moment.
    running: Atomic<u32>,
    primaries_running: Atomic<u32>,
    /// What the last primary half was told of when a forwarded one had been served.
    opened: Atomic<u64>,
    /// How often one primary half has begun inside another, or found what the last one did undone.
    intruders: Atomic<u32>,
}

const VERDICTS: [Verdict; 4] = [
    Verdict::NotOurs,
    Verdict::Handled,
    Verdict::WakeThread,
    Verdict::Forward,
];

impl Probe {
    fn new() -> Result<Arc<Self>> {
        Ok(Arc::new(
            Self {
                verdict: Atomic::new(0),
                hold: Atomic::new(false),
                primaries: Atomic::new(0),
                threads: Atomic::new(0),
                running: Atomic::new(0),
                primaries_running: Atomic::new(0),
                opened: Atomic::new(0),
                intruders: Atomic::new(0),
            },
            GFP_KERNEL,
        )?)
    }

    fn decide(&self, verdict: Verdict) {
        let number = VERDICTS.iter().position(|v| *v == verdict).unwrap_or(0);
        // CAST: Below 4.
        self.verdict.store(number as u32, Relaxed);
    }
}

struct ProbeHandler(Arc<Probe>);

impl Handler for ProbeHandler {
    /// How often [`Handler::primary`] has run.
    type Local = u32;

    fn primary(&self, local: &mut u32, opened: u64) -> Verdict {
        let probe = &*self.0;

        probe.opened.store(opened, Relaxed);
        probe.running.add(1, Relaxed);
        if probe.primaries_running.fetch_add(1, Relaxed) != 0 {
            probe.intruders.add(1, Relaxed);
        }
        let before = core::hint::black_box(*local);
        // In hard IRQ: the time must pass without sleeping, and is bounded.
        for _ in 0..100 {
            core::hint::spin_loop();
        }
        *local = before + 1;
        probe.primaries.add(1, Relaxed);
        if *local != probe.primaries.load(Relaxed) {
            probe.intruders.add(1, Relaxed);
        }
        probe.primaries_running.fetch_sub(1, Relaxed);
        probe.running.fetch_sub(1, Relaxed);
        VERDICTS[probe.verdict.load(Relaxed) as usize % VERDICTS.len()]
    }

    fn thread(&self) {
        let probe = &*self.0;

        probe.running.add(1, Relaxed);
        wait_until(|| !probe.hold.load(Relaxed));
        probe.threads.add(1, Relaxed);
        probe.running.fetch_sub(1, Relaxed);
    }
}

/// A gate with all that it needs.
///
/// The gate goes first, then the device, then the wire: the order of the fields.
struct Bench {
    gate: Pin<KBox<Gate<ProbeHandler>>>,
    _device: TestDevice,
    wire: Wire,
    probe: Arc<Probe>,
}

impl Bench {
    fn new() -> Result<Self> {
        let wire = Wire::new(Kind::Level)?;
        let device = TestDevice::new(&[wire.irq()])?;
        let probe = Probe::new()?;
        let gate = gate_on(&device, &probe)?;

        Ok(Self {
            gate,
            _device: device,
            wire,
            probe,
        })
    }

    fn primaries(&self) -> u32 {
        self.probe.primaries.load(Relaxed)
    }
}

fn gate_on(device: &TestDevice, probe: &Arc<Probe>) -> Result<Pin<KBox<Gate<ProbeHandler>>>> {
    let request = device.irq_by_index(0)?;
    // SAFETY: The callers' gates are dropped, before the device is.
    let gate = unsafe { Gate::new(request, c"kunit-gate", ProbeHandler(probe.clone()), 0) };

    KBox::pin_init(gate, GFP_KERNEL)
}

#[kunit_tests(ufs_unisoc_irq_gate)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_is_off_until_the_virtual_line_is_requested() -> Result {
        let bench = Bench::new()?;

        assert!(bench.wire.is_off());
        wire::raise(bench.wire.irq());
        assert_eq!(bench.primaries(), 0);

        let core = Requester::plain(bench.gate.virq())?;
        assert!(!bench.wire.is_off());
        wire::raise(bench.wire.irq());
        assert_eq!(bench.primaries(), 1);

        drop(core);
        assert!(bench.wire.is_off());
        wire::raise(bench.wire.irq());
        assert_eq!(bench.primaries(), 1);
        Ok(())
    }

    #[test]
    fn the_core_sees_what_is_forwarded_and_nothing_else() -> Result {
        let bench = Bench::new()?;
        let core = Requester::plain(bench.gate.virq())?;

        for verdict in VERDICTS {
            let before = core.seen().handled.load(Relaxed);

            bench.probe.decide(verdict);
            wire::raise(bench.wire.irq());
            let expected = if verdict == Verdict::Forward { 1 } else { 0 };
            assert_eq!(core.seen().handled.load(Relaxed) - before, expected);
        }
        assert_eq!(bench.primaries(), 4);
        Ok(())
    }

    #[test]
    fn the_thread_runs_when_woken_and_only_then() -> Result {
        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;

        for verdict in [Verdict::Handled, Verdict::NotOurs, Verdict::Forward] {
            bench.probe.decide(verdict);
            wire::raise(bench.wire.irq());
        }
        sleep_ms(50);
        assert_eq!(bench.probe.threads.load(Relaxed), 0);

        bench.probe.decide(Verdict::WakeThread);
        wire::raise(bench.wire.irq());
        assert!(wait_until(|| bench.probe.threads.load(Relaxed) == 1));
        Ok(())
    }

    #[test]
    fn the_wire_stays_on_while_the_thread_runs() -> Result {
        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;

        bench.probe.hold.store(true, Relaxed);
        bench.probe.decide(Verdict::WakeThread);
        wire::raise(bench.wire.irq());
        assert!(wait_until(|| bench.probe.running.load(Relaxed) == 1));
        wire::raise(bench.wire.irq());
        assert_eq!(bench.primaries(), 2);
        bench.probe.hold.store(false, Relaxed);
        Ok(())
    }

    #[test]
    fn nothing_runs_while_the_virtual_line_is_disabled() -> Result {
        let bench = Bench::new()?;
        let core = Requester::plain(bench.gate.virq())?;

        bench.probe.decide(Verdict::Forward);
        wire::disable(bench.gate.virq());
        assert!(bench.wire.is_off());
        wire::raise(bench.wire.irq());
        assert_eq!(bench.primaries(), 0);

        wire::enable(bench.gate.virq());
        assert!(!bench.wire.is_off());
        wire::raise(bench.wire.irq());
        assert_eq!(core.seen().handled.load(Relaxed), bench.primaries());
        assert!(bench.primaries() > 0);
        Ok(())
    }

    #[test]
    fn disabling_the_virtual_line_waits_for_the_thread() -> Result {
        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;
        let virq = bench.gate.virq();

        bench.probe.hold.store(true, Relaxed);
        bench.probe.decide(Verdict::WakeThread);
        wire::raise(bench.wire.irq());
        assert!(wait_until(|| bench.probe.running.load(Relaxed) == 1));

        let disabling = beside(move || wire::disable(virq))?;
        assert!(wait_until(|| bench.wire.is_off()));
        sleep_ms(50);
        let early = disabling.is_done();
        bench.probe.hold.store(false, Relaxed);
        assert!(wait_until(|| disabling.is_done()));
        assert!(!early);
        assert_eq!(bench.probe.running.load(Relaxed), 0);
        wire::enable(virq);
        Ok(())
    }

    #[test]
    fn disabling_without_waiting_does_not_wait() -> Result {
        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;

        bench.probe.hold.store(true, Relaxed);
        bench.probe.decide(Verdict::WakeThread);
        wire::raise(bench.wire.irq());
        assert!(wait_until(|| bench.probe.running.load(Relaxed) == 1));

        // With bottom halves off, as at the end of a forced thread. Waiting would never end here,
        // and sleeping is not allowed.
        let bh = crate::abi::context::BhDisabled::new();
        wire::disable_nosync(bench.gate.virq());
        drop(bh);
        assert!(bench.wire.is_off());
        assert_eq!(bench.probe.running.load(Relaxed), 1);

        bench.probe.hold.store(false, Relaxed);
        wire::enable(bench.gate.virq());
        assert!(!bench.wire.is_off());
        Ok(())
    }

    #[test]
    fn disabling_nests() -> Result {
        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;

        wire::disable(bench.gate.virq());
        wire::disable(bench.gate.virq());
        wire::enable(bench.gate.virq());
        assert!(bench.wire.is_off());
        wire::enable(bench.gate.virq());
        assert!(!bench.wire.is_off());
        Ok(())
    }

    #[test]
    fn a_core_with_a_thread_keeps_the_wire_quiet_until_it_is_done() -> Result {
        let bench = Bench::new()?;
        let core = Requester::threaded(bench.gate.virq())?;

        core.seen().hold_thread.store(true, Relaxed);
        bench.probe.decide(Verdict::Forward);
        wire::raise(bench.wire.irq());
        assert_eq!(core.seen().handled.load(Relaxed), 1);
        assert!(bench.wire.is_off());

        core.seen().hold_thread.store(false, Relaxed);
        assert!(wait_until(|| core.seen().threaded.load(Relaxed) == 1));
        assert!(wait_until(|| !bench.wire.is_off()));
        Ok(())
    }

    #[test]
    fn the_primary_is_told_when_the_core_was_done() -> Result {
        let bench = Bench::new()?;
        let core = Requester::threaded(bench.gate.virq())?;

        core.seen().hold_thread.store(true, Relaxed);
        bench.probe.decide(Verdict::Forward);
        wire::raise(bench.wire.irq());
        sleep_ms(5);
        let before = local_clock();
        core.seen().hold_thread.store(false, Relaxed);
        assert!(wait_until(|| !bench.wire.is_off()));

        bench.probe.decide(Verdict::Handled);
        wire::raise(bench.wire.irq());
        assert!(bench.probe.opened.load(Relaxed) >= before);
        Ok(())
    }

    #[test]
    fn one_primary_at_a_time() -> Result {
        const ROUNDS: u32 = 2000;

        let bench = Bench::new()?;
        let _core = Requester::plain(bench.gate.virq())?;
        let irq = bench.wire.irq();
        let mut jobs = KVec::new();

        bench.probe.decide(Verdict::Handled);
        for _ in 0..4 {
            let raising = beside(move || {
                for _ in 0..ROUNDS {
                    wire::raise(irq);
                }
            })?;
            jobs.push(raising, GFP_KERNEL)?;
        }
        assert!(wait_until(|| jobs.iter().all(|job| job.is_done())));
        // An interrupt that arrives while another is handled is noted, and handled once.
        assert!(bench.primaries() > ROUNDS);
        assert_eq!(bench.probe.intruders.load(Relaxed), 0);
        Ok(())
    }

    #[test]
    fn an_edge_is_refused() -> Result {
        let wire = Wire::new(Kind::Edge)?;
        let device = TestDevice::new(&[wire.irq()])?;

        assert!(gate_on(&device, &Probe::new()?).err() == Some(EINVAL));
        Ok(())
    }

    #[test]
    fn an_interrupt_of_one_cpu_is_refused() -> Result {
        let wire = Wire::new(Kind::PerCpu)?;
        let device = TestDevice::new(&[wire.irq()])?;

        assert!(gate_on(&device, &Probe::new()?).err() == Some(EINVAL));
        Ok(())
    }

    #[test]
    fn a_wire_that_is_taken_is_refused_and_nothing_stays() -> Result {
        let wire = Wire::new(Kind::Level)?;
        let device = TestDevice::new(&[wire.irq()])?;
        let probe = Probe::new()?;
        let other = Requester::plain(wire.irq())?;

        // Were the first one's domain still there, the second could not have its name.
        for _ in 0..2 {
            assert!(gate_on(&device, &probe).err() == Some(EBUSY));
        }
        wire::raise(wire.irq());
        assert_eq!(other.seen().handled.load(Relaxed), 1);
        assert_eq!(probe.primaries.load(Relaxed), 0);

        drop(other);
        assert!(gate_on(&device, &probe).is_ok());
        Ok(())
    }

    #[test]
    fn a_gate_that_goes_gives_everything_back() -> Result {
        let wire = Wire::new(Kind::Level)?;
        let device = TestDevice::new(&[wire.irq()])?;
        let probe = Probe::new()?;

        for _ in 0..3 {
            let gate = gate_on(&device, &probe)?;
            let virq = gate.virq();
            let core = Requester::plain(virq)?;

            assert!(wire::exists(virq));
            drop(core);
            drop(gate);
            assert!(!wire::exists(virq));
            let taken = Requester::plain(wire.irq())?;
            wire::raise(wire.irq());
            assert_eq!(taken.seen().handled.load(Relaxed), 1);
        }
        assert_eq!(probe.primaries.load(Relaxed), 0);
        // Nothing has the handler any more.
        assert!(Arc::into_unique_or_drop(probe).is_some());
        Ok(())
    }
}
