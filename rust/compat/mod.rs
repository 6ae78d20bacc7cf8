// SPDX-License-Identifier: GPL-2.0

//! Differences between the supported kernel series, and nothing else.
//!
//! `Kbuild` sets one `--cfg have_*` per feature:
//!
//! | cfg | since | what |
//! |---|---|---|
//! | `have_irq_no_dev` | 7.3 | irq handlers without a device argument, registrations with a lifetime |
//! | `have_mmio_view` | 7.3 | `Mmio` is a view with a lifetime, of a typed region |
//! | `have_literal_id_tables` | 7.3 | device tables are made of a literal list, without a second name |

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

/// Makes a device table of a literal list, as `kernel::of_device_table!` of 7.3 does.
#[macro_export]
macro_rules! of_id_table {
    ($table:ident, $alias:ident, $info:ty, [$($entry:tt),+ $(,)?]) => {
        #[cfg(have_literal_id_tables)]
        ::kernel::of_device_table!($table, $info, [$($entry),+]);
        #[cfg(not(have_literal_id_tables))]
        ::kernel::of_device_table!($table, $alias, $info, [$($entry),+]);
    };
}
