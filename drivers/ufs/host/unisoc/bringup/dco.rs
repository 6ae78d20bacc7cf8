// SPDX-License-Identifier: GPL-2.0

//! The check of the M-PHY's DCO while the link starts, of the newer tuning.
//!
//! The PHY calibrates its DCO when the link starts. Where that comes to nothing the vendor sets the
//! DCO by hand, while the command still runs.
//!
//! Plain `core`, so that the host tests run this very file.

use super::{
    tables::DCO_MANUAL,
    Step,
    Wait, //
};

/// From DME_LINK_STARTUP to the check: the vendor has more than 1000 us.
pub(crate) const AFTER_COMMAND: Wait = Wait {
    min_us: 1200,
    max_us: 1500,
};

/// The register with the calibration's result in bits 31:24.
pub(crate) const CALIBRATION: u32 = 0xc0f8;

/// A register that the vendor has in the log beside it.
pub(crate) const DETAILS: u32 = 0xc108;

/// The least result that is one.
pub(crate) const LEAST_GOOD: u32 = 0x0a;

/// Returns the calibration's result, of the value of its register.
pub(crate) const fn result(register: u32) -> u32 {
    register >> 24
}

/// Returns the details, bits 26:18, of the value of their register.
pub(crate) const fn details(register: u32) -> u32 {
    (register >> 18) & 0x1ff
}

/// Returns what is to be done about a result; `None` if it is good.
pub(crate) const fn correction(result: u32) -> Option<&'static [Step]> {
    if result < LEAST_GOOD {
        Some(&DCO_MANUAL)
    } else {
        None
    }
}
