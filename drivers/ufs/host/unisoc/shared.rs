// SPDX-License-Identifier: GPL-2.0

//! What the interrupt's handlers of a host, its files, and the core's callbacks share.
//!
//! Words, each of which any of them may read or write at any time, without a lock.

use kernel::{
    prelude::*,
    str::CString, //
};

use super::{
    burst::{
        Burst,
        Shared, //
    },
    limit::{
        Limit,
        Limits, //
    },
    mode::{
        Context,
        IrqMode, //
    },
    state::State,
    stats::Stats, //
};
use crate::abi::word::{
    Counter,
    Word, //
};

impl Shared for Word {
    fn swap(&self, new: u32) -> u32 {
        self.swap(new)
    }

    fn replace(&self, old: u32, new: u32) -> bool {
        self.replace(old, new)
    }

    fn peek(&self) -> u32 {
        self.load()
    }
}

/// Requests that a host with a doorbell can have at once.
const TAGS: usize = 32;

/// What the interrupt handlers and the user's files of a host share.
///
/// Lives as long as the interrupt does. The state is a word, complete in itself: a handler that
/// reads it just before the mode is switched behaves as before for this one interrupt, and loses
/// nothing.
pub(crate) struct HostShared {
    name: CString,
    state: Word,
    burst: Burst<Word>,
    limits: [Word; Limit::ALL.len()],
    /// The bytes of each request that was rung in, by its tag.
    sizes: [Word; TAGS],
    /// Requests that the interrupt leaves to their pollers, a bit for each tag.
    polled: Word,
    /// How many were rung in.
    requests: Counter,
    resets: Counter,
    stats: Stats,
}

impl HostShared {
    /// Makes the state of a host of this name, with the default mode.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(name: &CStr) -> Result<Self> {
        Ok(Self {
            name: CString::try_from(name)?,
            state: Word::new(State::new(IrqMode::DEFAULT).into_raw()),
            burst: Burst::new(Word::new(Burst::<Word>::INITIAL)),
            limits: Limit::ALL.map(|limit| Word::new(limit.default())),
            sizes: [const { Word::new(0) }; TAGS],
            polled: Word::new(0),
            requests: Counter::new(),
            resets: Counter::new(),
            stats: Stats::new(),
        })
    }

    /// Returns the host's name, which is its device's.
    pub(crate) fn name(&self) -> &[u8] {
        self.name.to_bytes()
    }

    /// Returns the host's name for messages.
    pub(crate) fn display_name(&self) -> &CStr {
        &self.name
    }

    /// Returns the state.
    pub(crate) fn state(&self) -> State {
        State::from_raw(self.state.load())
    }

    /// Changes the state at once with respect to others who do. Returns what it was.
    pub(crate) fn update(&self, change: impl Fn(State) -> State) -> State {
        let old = self
            .state
            .update(|raw| change(State::from_raw(raw)).into_raw());
        State::from_raw(old)
    }

    /// Sets where transfers shall complete at first.
    pub(crate) fn begin_with(&self, mode: IrqMode) {
        self.update(|state| state.with_mode(mode));
    }

    /// Sets where transfers shall complete, from the next interrupt on.
    pub(crate) fn set_mode(&self, mode: IrqMode) {
        if self.update(|state| state.with_mode(mode)).mode() != mode {
            self.stats.count_mode_switch();
        }
    }

    /// Remembers where a transfer has completed. `state` is what it was at the interrupt.
    #[inline]
    pub(crate) fn completed_in(&self, state: State, context: Context) {
        if state.context() != context {
            self.update(|state| state.with_context(context));
        }
    }

    /// Returns who serves a burst.
    pub(crate) fn burst(&self) -> &Burst<Word> {
        &self.burst
    }

    /// Returns a limit of the fast path.
    pub(crate) fn limit(&self, limit: Limit) -> u32 {
        self.limits[limit.index()].load()
    }

    /// Sets a limit of the fast path, from the next interrupt on.
    pub(crate) fn set_limit(&self, limit: Limit, value: u32) {
        self.limits[limit.index()].store(value);
    }

    /// Returns all limits of the fast path.
    #[inline]
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            max_bytes: self.limit(Limit::Bytes),
            max_time_us: self.limit(Limit::TimeUs),
            max_cpu_percent: self.limit(Limit::CpuPercent),
        }
    }

    /// Remembers how much data the request of a tag moves, and whether it is polled, before it is
    /// rung in.
    ///
    /// Context: one at a time for each host: the core's `setup_xfer_req` callback.
    #[inline]
    pub(crate) fn note_request(&self, tag: u32, bytes: u32, polled: bool) {
        // CAST: To a type that is as wide.
        let Some(size) = self.sizes.get(tag as usize) else {
            return;
        };
        let (others, bit) = (self.polled.load() & !(1 << tag), u32::from(polled) << tag);

        size.store(bytes);
        self.polled.store(others | bit);
        self.requests.add(1);
    }

    /// Returns `requests`, a bit for each tag, without those that are polled.
    #[inline]
    pub(crate) fn not_polled(&self, requests: u32) -> u32 {
        requests & !self.polled.load()
    }

    /// Remembers that the controller was reset.
    ///
    /// Context: one at a time for each host.
    pub(crate) fn note_reset(&self) {
        self.resets.add(1);
    }

    /// Returns how often the controller was reset so far, modulo 2^32.
    pub(crate) fn resets(&self) -> u32 {
        // CAST: To the lower half.
        self.resets.get() as u32
    }

    /// Returns how many requests were rung in so far, modulo 2^32.
    pub(crate) fn requests(&self) -> u32 {
        // CAST: To the lower half.
        self.requests.get() as u32
    }

    /// Returns how much data the request of a tag moves.
    #[inline]
    pub(crate) fn size(&self, tag: u32) -> u32 {
        // CAST: To a type that is as wide.
        self.sizes.get(tag as usize).map_or(0, Word::load)
    }

    /// Returns what is counted.
    pub(crate) fn stats(&self) -> &Stats {
        &self.stats
    }
}
