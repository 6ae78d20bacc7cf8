// SPDX-License-Identifier: GPL-2.0

//! What a host's interrupts have been doing: `/sys/kernel/debug/ufs_unisoc/<host>/`.

use kernel::{
    new_mutex,
    prelude::*,
    seq_file::{
        seq_print,
        SeqFile, //
    },
    sync::{
        Arc,
        Mutex, //
    }, //
};

use super::{
    histogram::{
        self,
        BUCKETS, //
    },
    shared::HostShared,
    stats::Snapshot, //
};
use crate::abi::debugfs::{
    Dir,
    File,
    Files,
    Show,
    Trigger, //
};

/// What the files show: a host, and the counters when they were last set to zero.
#[pin_data]
pub(crate) struct Observed {
    host: Arc<HostShared>,
    #[pin]
    start: Mutex<Snapshot>,
}

impl Observed {
    fn new(host: Arc<HostShared>) -> impl PinInit<Self> {
        pin_init!(Self {
            host,
            start <- new_mutex!(Snapshot::default()),
        })
    }

    fn counted(&self) -> Snapshot {
        // Not the other way round: the counters must not be older than where they start.
        let start = self.start.lock();

        Snapshot::of(self.host.stats()).since(&start)
    }
}

const FILES: [File<Observed>; 4] = [
    File::show::<Stats>(c"stats"),
    File::show::<HardirqUs>(c"hardirq_us"),
    File::show::<WakeupUs>(c"wakeup_us"),
    File::trigger::<Reset>(c"reset"),
];

/// `stats`: a name and a number in each line.
struct Stats;

impl Show<Observed> for Stats {
    fn show(observed: &Observed, m: &SeqFile) {
        for (name, value) in observed.counted().counters() {
            seq_print!(m, "{} {}\n", name, value);
        }
        for (name, value) in observed.host.stats().costs() {
            seq_print!(m, "{} {}\n", name, value);
        }
    }
}

/// `hardirq_us`: how long sections of the primary handler were.
struct HardirqUs;

impl Show<Observed> for HardirqUs {
    fn show(observed: &Observed, m: &SeqFile) {
        show_histogram(m, &observed.counted().sections);
    }
}

/// `wakeup_us`: how long it took from the handler to the thread's start.
struct WakeupUs;

impl Show<Observed> for WakeupUs {
    fn show(observed: &Observed, m: &SeqFile) {
        show_histogram(m, &observed.counted().wakeups);
    }
}

/// A line for each bucket: the first time in it, the first that is too long, in us, and how many.
fn show_histogram(m: &SeqFile, counts: &[u64; BUCKETS]) {
    for (bucket, count) in counts.iter().enumerate() {
        match histogram::range(bucket) {
            (low, Some(high)) => seq_print!(m, "{} {} {}\n", low, high, count),
            (low, None) => seq_print!(m, "{} inf {}\n", low, count),
        }
    }
}

/// `reset`: counters begin at zero.
struct Reset;

impl Trigger<Observed> for Reset {
    fn trigger(observed: &Observed) {
        *observed.start.lock() = Snapshot::of(observed.host.stats());
    }
}

/// A host's directory; dropping it removes it.
pub(crate) type Directory = Files<Observed>;

/// Makes the directory of a host in `parent`.
///
/// # Errors
///
/// `ENOMEM`.
pub(crate) fn directory(parent: Option<Arc<Dir>>, host: Arc<HostShared>) -> Result<Directory> {
    let named = host.clone();

    Files::new(parent, named.display_name(), Observed::new(host), &FILES)
}
