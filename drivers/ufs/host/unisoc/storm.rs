// SPDX-License-Identifier: GPL-2.0

//! An interrupt that does not stop: a cause that the controller keeps asserting, whatever is done
//! about it.
//!
//! Genirq switches a line off when its handlers say that the interrupts are not theirs. These are,
//! by their status: acknowledged, and there again at once. A level line then never lets its CPU go.
//!
//! Plain `core`, so that the host tests run this very file.

/// So many interrupts that nothing explains, one right after the other, are a storm.
///
/// More than the requests of a doorbell, 32: those rung in together may explain interrupts that
/// come much later, which [`Storm::note`] does not know. And not more than what takes a second or
/// two on a slow console, as the core dumps all registers for each one that it does not know what
/// to do with.
pub(crate) const LIMIT: u32 = 100;

/// A time as long as this in which nothing came, in ns, makes good for one of them: less than what
/// is between two commands of the link, and more than a level line needs to come back, be it
/// through two threads. If serving one takes longer, it has to be as long as that. A longer one
/// makes good for no more: it may be the time of a CPU that was not there, in a virtual machine.
pub(crate) const RESPITE_NS: u64 = 500_000;

/// But after such a time, in ns, nothing is left of it.
pub(crate) const PAUSE_NS: u64 = 100_000_000;

/// Tells a storm from work.
///
/// A transfer that completes asserts the interrupt once, and no more often than transfers were rung
/// in. Other causes, of the link and of errors, take their time.
#[derive(Debug, Default)]
pub(crate) struct Storm {
    unexplained: u32,
    /// When the last one began, in ns.
    begin: u64,
    /// How many requests had been rung in then.
    requests: u32,
    /// How often the host had been reset then.
    resets: u32,
}

impl Storm {
    /// Accounts for an interrupt at `now`, in ns of a clock that may jump, that completed nothing.
    /// The core had done with the last one that it was given at `served`, be it in a thread.
    /// `requests` were rung in so far, modulo 2^32, and the host was reset `resets` times, after
    /// each of which it starts from nothing. Returns whether it is one of a storm.
    #[must_use]
    pub(crate) fn note(&mut self, now: u64, served: u64, requests: u32, resets: u32) -> bool {
        if resets != self.resets {
            *self = Self {
                requests,
                resets,
                ..Self::default()
            };
        }
        let end = served.max(self.begin);
        let (service, gap) = (end - self.begin, now.saturating_sub(end));
        let forgiven = if gap >= service.max(PAUSE_NS) {
            self.unexplained
        } else if gap >= service.max(RESPITE_NS) {
            1
        } else {
            0
        };
        let explained = requests
            .wrapping_sub(self.requests)
            .saturating_add(forgiven);

        self.unexplained = self.unexplained.saturating_sub(explained) + 1;
        self.begin = now;
        self.requests = requests;
        self.unexplained > LIMIT
    }
}
