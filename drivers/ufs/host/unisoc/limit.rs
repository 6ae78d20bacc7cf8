// SPDX-License-Identifier: GPL-2.0

//! The limits of the fast path: names, ranges, defaults, and the syntax.
//!
//! Plain `core`, so that the host tests run this very file.

use core::ops::RangeInclusive;

/// One of the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// [`Limits::max_bytes`].
    Bytes,
    /// [`Limits::max_time_us`].
    TimeUs,
    /// [`Limits::max_cpu_percent`].
    CpuPercent,
}

impl Limit {
    /// Every limit.
    pub(crate) const ALL: [Self; 3] = [Self::Bytes, Self::TimeUs, Self::CpuPercent];

    /// Returns the name of its file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "max_bytes",
            Self::TimeUs => "max_time_us",
            Self::CpuPercent => "max_cpu_percent",
        }
    }

    /// Returns its place in [`Limit::ALL`].
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Bytes => 0,
            Self::TimeUs => 1,
            Self::CpuPercent => 2,
        }
    }

    /// Returns what it may be.
    ///
    /// No bytes: only what moves no data completes in hard IRQ. All requests that a host can have
    /// at once move less than the greatest value.
    pub(crate) const fn range(self) -> RangeInclusive<u32> {
        match self {
            Self::Bytes => 0..=64 << 20,
            Self::TimeUs => 1..=10_000,
            Self::CpuPercent => 1..=100,
        }
    }

    /// Returns what it is at first; `Documentation/admin-guide/ufs-unisoc.rst` has the reasons.
    pub(crate) const fn default(self) -> u32 {
        match self {
            Self::Bytes => 32 << 10,
            Self::TimeUs => 30,
            Self::CpuPercent => 25,
        }
    }

    /// Returns the value that `text` is, a decimal number; `None` if it is none, or out of range.
    pub(crate) fn parse(self, text: &[u8]) -> Option<u32> {
        // No sign: `str::parse` would take a plus.
        if !text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let value = core::str::from_utf8(text).ok()?.parse().ok()?;

        self.range().contains(&value).then_some(value)
    }
}

/// What the owner of a host allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Most data that may complete in one hard interrupt, in bytes.
    pub(crate) max_bytes: u32,
    /// Longest predicted hard interrupt section, in us.
    pub(crate) max_time_us: u32,
    /// Most of a CPU's time that the handler may take in any 10 ms, in percent; 100 is no limit.
    pub(crate) max_cpu_percent: u32,
}
