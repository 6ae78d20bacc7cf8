// SPDX-License-Identifier: GPL-2.0

//! What a host's interrupts have been doing: `/sys/kernel/debug/ufs_unisoc/<host>/`.

use kernel::{
    debugfs::{
        Dir,
        Scope,
        ScopedDir, //
    },
    fmt,
    new_mutex,
    prelude::*,
    sync::{
        Arc,
        Mutex, //
    },
    uaccess::UserSliceReader, //
};

use super::{
    histogram::{
        self,
        BUCKETS, //
    },
    host_irq::HostIrq,
    stats::Snapshot, //
};

/// What the files show: a host, and the counters when they were last set to zero.
#[pin_data]
pub(crate) struct Observed {
    host: Arc<HostIrq>,
    #[pin]
    start: Mutex<Snapshot>,
}

impl Observed {
    fn new(host: Arc<HostIrq>) -> impl PinInit<Self> {
        pin_init!(Self {
            host,
            start <- new_mutex!(Snapshot::default()),
        })
    }

    fn counted(&self) -> Snapshot {
        Snapshot::of(self.host.stats()).since(&self.start.lock())
    }

    fn show_stats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.counted().counters() {
            writeln!(f, "{name} {value}")?;
        }
        for (name, value) in self.host.stats().costs() {
            writeln!(f, "{name} {value}")?;
        }
        Ok(())
    }

    fn reset(&self, _text: &mut UserSliceReader) -> Result {
        *self.start.lock() = Snapshot::of(self.host.stats());
        Ok(())
    }
}

/// A line for each bucket: the first time in it, the first that is too long, in us, and how many.
fn show_histogram(f: &mut fmt::Formatter<'_>, counts: &[u64; BUCKETS]) -> fmt::Result {
    for (bucket, count) in counts.iter().enumerate() {
        match histogram::range(bucket) {
            (low, Some(high)) => writeln!(f, "{low} {high} {count}")?,
            (low, None) => writeln!(f, "{low} inf {count}")?,
        }
    }
    Ok(())
}

/// A host's directory; dropping it removes it.
pub(crate) type Directory = Pin<KBox<Scope<Observed>>>;

/// Makes the directory of a host in `parent`.
///
/// Without debugfs, or if the directory cannot be made, there is none, and that is all.
///
/// # Errors
///
/// `ENOMEM`.
pub(crate) fn directory(parent: &Dir, host: Arc<HostIrq>) -> Result<Directory> {
    let named = host.clone();

    KBox::pin_init(
        parent.scope(Observed::new(host), named.display_name(), populate),
        GFP_KERNEL,
    )
}

/// Makes the files of a host.
fn populate<'data>(host: &'data Observed, dir: &ScopedDir<'data, '_>) {
    dir.read_callback_file(
        c"stats",
        host,
        &|host: &Observed, f: &mut fmt::Formatter<'_>| host.show_stats(f),
    );
    dir.read_callback_file(
        c"hardirq_us",
        host,
        &|host: &Observed, f: &mut fmt::Formatter<'_>| show_histogram(f, &host.counted().sections),
    );
    dir.read_callback_file(
        c"wakeup_us",
        host,
        &|host: &Observed, f: &mut fmt::Formatter<'_>| show_histogram(f, &host.counted().wakeups),
    );
    dir.write_only_callback_file(
        c"reset",
        host,
        &|host: &Observed, text: &mut UserSliceReader| host.reset(text),
    );
}
