// SPDX-License-Identifier: GPL-2.0

//! The bring-up of the host as data: tables of steps, and what runs them.
//!
//! | file | what |
//! |---|---|
//! | `dco.rs` | the check of the M-PHY's DCO |
//! | `fields.rs` | bit fields of the system controllers, and where they are |
//! | `tables.rs` | the sequences |
//! | `unipro.rs` | UniPro attributes and the arithmetic on them |
//!
//! Nothing here knows how a register is reached: [`run`] works on a [`Hardware`], which is the
//! kernel's regmaps, resets and delays in the module and a recorder in the host tests.
//!
//! Source of all values: `Documentation/bring-up.rst`, which says where they come
//! from in turn.
//!
//! Plain `core`, so that the host tests run this very file.

pub(crate) mod dco;
pub(crate) mod fields;
pub(crate) mod tables;
pub(crate) mod unipro;

use core::fmt;

use fields::Field;

/// A reset line of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The controller's soft reset.
    Controller,
    /// The global reset.
    Global,
}

/// How to change registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Set all bits of a field.
    Set(Field),
    /// As [`Op::Set`], with a write even if they are set already.
    ForceSet(Field),
    /// Clear all bits of a field.
    Clear(Field),
    /// Replace bits of a register of the analog PHY block.
    Phy {
        /// Offset from the block's start, in bytes.
        offset: u32,
        /// The bits to replace.
        mask: u32,
        /// What they become; has no bits outside `mask`.
        value: u32,
    },
    /// Write a register of the host controller.
    Hci {
        /// Offset from the window's start, in bytes.
        offset: u32,
        /// What to write.
        value: u32,
    },
    /// Assert a reset line.
    Assert(Line),
    /// Deassert a reset line.
    Deassert(Line),
}

/// As `Documentation/bring-up.rst` writes it.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |field: Field| field.property().to_str().unwrap_or_default();

        match *self {
            Self::Set(field) => write!(f, "set       {}", name(field)),
            Self::ForceSet(field) => {
                write!(f, "set       {} (written in any case)", name(field))
            }
            Self::Clear(field) => write!(f, "clear     {}", name(field)),
            Self::Phy {
                offset,
                mask,
                value,
            } => write!(
                f,
                "M-PHY     {offset:#06x}  mask {mask:#010x}  value {value:#010x}"
            ),
            Self::Hci { offset, value } => write!(f, "host      {offset:#04x} = {value:#x}"),
            Self::Assert(line) => write!(f, "assert    {line:?} reset"),
            Self::Deassert(line) => write!(f, "deassert  {line:?} reset"),
        }
    }
}

/// On which chips a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// All of them.
    Every,
    /// Those whose version id is known and not 0.
    Versioned,
    /// "AB" silicon: version id 1.
    Ab,
}

/// The version id of "AB" silicon.
pub(crate) const VERSION_AB: u32 = 1;

impl On {
    /// Returns whether a step is for a chip with this version id; `None` if it cannot be read.
    pub(crate) const fn applies(self, version: Option<u32>) -> bool {
        match (self, version) {
            (Self::Every, _) => true,
            (Self::Versioned, Some(id)) => id != 0,
            (Self::Ab, Some(id)) => id == VERSION_AB,
            (_, None) => false,
        }
    }
}

/// A wait after a step, in us; none if both are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// At least this long.
    pub(crate) min_us: u32,
    /// Not much longer than this.
    pub(crate) max_us: u32,
}

/// A step of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) op: Op,
    pub(crate) wait: Wait,
    pub(crate) on: On,
}

impl Step {
    const fn new(op: Op) -> Self {
        Self {
            op,
            wait: Wait {
                min_us: 0,
                max_us: 0,
            },
            on: On::Every,
        }
    }

    /// With a wait after it.
    const fn then_wait(mut self, min_us: u32, max_us: u32) -> Self {
        self.wait = Wait { min_us, max_us };
        self
    }

    /// For some chips only.
    const fn only(mut self, on: On) -> Self {
        self.on = on;
        self
    }
}

/// What a sequence works on.
pub(crate) trait Hardware {
    /// Why something could not be done.
    type Error;

    /// Sets or clears all bits of a field. With `force`, writes even if that changes nothing.
    ///
    /// A field that this board does not describe is left as it is.
    fn field(&self, field: Field, set: bool, force: bool) -> Result<(), Self::Error>;

    /// Replaces the bits of `mask` in a register of the analog PHY block.
    fn phy(&self, offset: u32, mask: u32, value: u32) -> Result<(), Self::Error>;

    /// Writes a register of the host controller.
    fn hci(&self, offset: u32, value: u32) -> Result<(), Self::Error>;

    /// Asserts or deasserts a reset line.
    fn reset(&self, line: Line, asserted: bool) -> Result<(), Self::Error>;

    /// Sleeps.
    fn wait(&self, wait: Wait);
}

/// A sequence that did not get to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stopped<E> {
    /// The step that failed.
    pub(crate) op: Op,
    /// Why.
    pub(crate) error: E,
}

/// Runs a sequence for a chip with this version id, up to the first step that fails.
pub(crate) fn run<'a, H: Hardware>(
    hardware: &H,
    version: Option<u32>,
    sequence: impl IntoIterator<Item = &'a Step>,
) -> Result<(), Stopped<H::Error>> {
    for step in sequence {
        if !step.on.applies(version) {
            continue;
        }
        let done = match step.op {
            Op::Set(field) => hardware.field(field, true, false),
            Op::ForceSet(field) => hardware.field(field, true, true),
            Op::Clear(field) => hardware.field(field, false, false),
            Op::Phy {
                offset,
                mask,
                value,
            } => hardware.phy(offset, mask, value),
            Op::Hci { offset, value } => hardware.hci(offset, value),
            Op::Assert(line) => hardware.reset(line, true),
            Op::Deassert(line) => hardware.reset(line, false),
        };
        done.map_err(|error| Stopped { op: step.op, error })?;
        if step.wait.min_us != 0 {
            hardware.wait(step.wait);
        }
    }
    Ok(())
}
