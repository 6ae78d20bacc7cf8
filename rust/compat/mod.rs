// SPDX-License-Identifier: GPL-2.0

//! Differences between the supported kernel series, and nothing else.
//!
//! `Kbuild` sets one `--cfg have_*` per feature:
//!
//! | cfg | since | what |
//! |---|---|---|
//! | `have_irq_no_dev` | 7.3 | irq handlers without a device argument, registrations with a lifetime |

pub(crate) mod errno;
pub(crate) mod io;
pub(crate) mod irq;

use kernel::{
    bindings,
    device::{
        Bound,
        Device, //
    },
    fmt,
    prelude::*, //
};

/// Says why a probe failed, unless it only has to be tried again later.
///
/// No release has a wrapper for `dev_err_probe()` yet.
pub(crate) fn dev_err_probe(dev: &Device<Bound>, err: Error, args: fmt::Arguments<'_>) {
    // SAFETY: A valid device, a format that takes one pointer to `fmt::Arguments`, and that pointer.
    // CAST: `Device` is a transparent wrapper of the C type.
    unsafe {
        bindings::dev_err_probe(
            core::ptr::from_ref(dev).cast(),
            err.to_errno(),
            c"%pA".as_char_ptr(),
            (&raw const args).cast::<c_void>(),
        )
    };
}
