// SPDX-License-Identifier: GPL-2.0

//! The file `stats`: a counter a line, `name value`.

/// Defines [`Counter`], with a doc line and the name in the file for each.
macro_rules! counters {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What the driver counts or estimates.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Counter {
            $($(#[$doc])* $variant,)*
        }

        impl Counter {
            /// Every one of them.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns its name in the file.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

counters! {
    /// Interrupts of the host.
    Interrupts = "interrupts",
    /// Interrupts whose requests completed in the hard handler.
    InlineRuns = "inline_runs",
    /// Requests that completed there.
    InlineRequests = "inline_requests",
    /// Interrupts left to the thread: more data than `max_bytes`.
    DeferredBytes = "deferred_bytes",
    /// Interrupts left to the thread: they would have taken longer than `max_time_us`.
    DeferredTime = "deferred_time",
    /// Interrupts left to the thread: `max_cpu_percent` was used up.
    DeferredShare = "deferred_share",
    /// Interrupts left to the thread because it was at work already.
    DeferredBusy = "deferred_busy",
    /// Interrupts left to the thread because the mode is threaded.
    DeferredMode = "deferred_mode",
    /// Times that the thread ran.
    ThreadRuns = "thread_runs",
    /// Requests that completed in it.
    ThreadRequests = "thread_requests",
    /// Interrupts handed to the UFS core: UIC commands, errors.
    Forwarded = "forwarded",
    /// Interrupts at which nothing was asserted.
    Spurious = "spurious",
    /// Changes of the mode.
    ModeSwitches = "mode_switches",
    /// Time in the hard handler, in ns.
    HardirqNs = "hardirq_ns",
    /// Estimate: what completing a request takes, in ns; 0 before the first measurement.
    NsPerRequest = "ns_per_request",
    /// Estimate: what a KiB adds to it, in ns.
    NsPerKib = "ns_per_kib",
}

impl Counter {
    /// Returns whether it is an estimate, which may go up and down.
    const fn is_estimate(self) -> bool {
        matches!(self, Self::NsPerRequest | Self::NsPerKib)
    }

    /// Returns the counter of that name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.name() == name)
    }
}

/// The counters of a host, at a moment or over a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// By the number of the variant; `None` if the file did not have it.
    values: [Option<u64>; Counter::ALL.len()],
    /// Lines that are not a name and a number.
    pub(crate) senseless_lines: usize,
}

impl Counters {
    /// Takes the file apart. Names that are not known are left out.
    pub(crate) fn parse(text: &str) -> Self {
        let mut counters = Self::default();

        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let mut words = line.split_whitespace();
            let (name, value) = (words.next(), words.next().map(str::parse::<u64>));
            match (name, value, words.next()) {
                (Some(name), Some(Ok(value)), None) => {
                    if let Some(counter) = Counter::from_name(name) {
                        counters.set(counter, Some(value));
                    }
                }
                _ => counters.senseless_lines += 1,
            }
        }
        counters
    }

    /// Returns a counter, if the file had it.
    pub(crate) fn get(&self, counter: Counter) -> Option<u64> {
        // CAST: The number of a variant.
        self.values.get(counter as usize).copied().flatten()
    }

    /// Returns a counter; one that is missing counts nothing.
    pub(crate) fn count(&self, counter: Counter) -> u64 {
        self.get(counter).unwrap_or(0)
    }

    /// Returns the sum of some counters; `None` if all are missing.
    pub(crate) fn sum(&self, counters: &[Counter]) -> Option<u64> {
        counters
            .iter()
            .filter_map(|&c| self.get(c))
            .reduce(u64::saturating_add)
    }

    /// Sets a counter.
    pub(crate) fn set(&mut self, counter: Counter, value: Option<u64>) {
        // CAST: The number of a variant.
        if let Some(slot) = self.values.get_mut(counter as usize) {
            *slot = value;
        }
    }

    /// Returns whether a counter is smaller than it was: they began at zero again since.
    pub(crate) fn restarted_since(&self, earlier: &Self) -> bool {
        Counter::ALL.iter().any(|&c| {
            !c.is_estimate() && matches!((earlier.get(c), self.get(c)), (Some(a), Some(b)) if b < a)
        })
    }

    /// Returns what was counted since `earlier`; all of it where the counters began at zero again.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let mut counters = self.clone();

        if !self.restarted_since(earlier) {
            for &c in Counter::ALL.iter().filter(|c| !c.is_estimate()) {
                let before = earlier.count(c);
                counters.set(c, self.get(c).map(|now| now.saturating_sub(before)));
            }
        }
        counters
    }
}

#[cfg(test)]
mod tests {
    use super::Counter::*;
    use super::*;

    #[test]
    fn every_name_means_its_counter() {
        for &counter in Counter::ALL {
            let counters = Counters::parse(&format!("{} 7\n", counter.name()));
            for &other in Counter::ALL {
                assert_eq!(counters.get(other), (other == counter).then_some(7));
            }
        }
    }

    #[test]
    fn new_names_are_left_out_and_missing_ones_are_missing() {
        let counters = Counters::parse("interrupts 3\nnovelty 9\n");
        assert_eq!(counters.get(Interrupts), Some(3));
        assert_eq!(counters.get(Spurious), None);
        assert_eq!(counters.senseless_lines, 0);
        assert_eq!(
            counters.sum(&[Interrupts, Spurious, InlineRuns, Interrupts]),
            Some(6)
        );
        assert_eq!(counters.sum(&[Spurious]), None);
    }

    #[test]
    fn what_is_no_number_is_missing() {
        for value in [
            "",
            "-1",
            "x",
            "1 2",
            "1.5",
            "99999999999999999999999",
            "0x1",
        ] {
            let counters = Counters::parse(&format!("interrupts {value}\nspurious 1\n"));
            assert_eq!(counters.get(Interrupts), None, "{value:?}");
            assert_eq!(counters.get(Spurious), Some(1), "{value:?}");
            assert_eq!(counters.senseless_lines, 1, "{value:?}");
        }
        assert_eq!(Counters::parse(""), Counters::default());
        assert_eq!(Counters::parse("\n \n"), Counters::default());
    }

    #[test]
    fn the_difference_is_what_happened_since() {
        let earlier = Counters::parse("interrupts 10\nns_per_request 900\nhardirq_ns 5\n");
        let now = Counters::parse("interrupts 25\nns_per_request 800\nspurious 2\n");
        let since = now.since(&earlier);
        assert!(!now.restarted_since(&earlier));
        assert_eq!(since.get(Interrupts), Some(15));
        assert_eq!(since.get(NsPerRequest), Some(800));
        assert_eq!(since.get(Spurious), Some(2));
        assert_eq!(since.get(HardirqNs), None);
    }

    #[test]
    fn after_a_reset_all_that_is_counted_is_new() {
        let earlier = Counters::parse("interrupts 1000\nspurious 1\n");
        let now = Counters::parse("interrupts 4\nspurious 3\n");
        assert!(now.restarted_since(&earlier));
        assert_eq!(now.since(&earlier), now);
    }

    #[test]
    fn the_largest_numbers_do_no_harm() {
        let most = Counters::parse(&format!("interrupts {0}\nspurious {0}\n", u64::MAX));
        assert_eq!(most.sum(&[Interrupts, Spurious]), Some(u64::MAX));
        assert_eq!(
            most.since(&Counters::default()).get(Interrupts),
            Some(u64::MAX)
        );
        assert_eq!(most.since(&most).get(Interrupts), Some(0));
    }
}
