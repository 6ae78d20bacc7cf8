// SPDX-License-Identifier: GPL-2.0

//! Differences between the supported kernel series, and nothing else.
//!
//! `Makefile.bindings` sets one `--cfg have_*` per feature:
//!
//! | cfg | since | what |
//! |---|---|---|
//! | `have_irq_no_dev` | 7.3 | irq handlers take no device, registrations have a lifetime |
//! | `have_mmio_view` | 7.3 | `Mmio` is a view with a lifetime, of a typed region |
//! | `have_literal_id_tables` | 7.3 | device tables are made of a literal list, with one name |

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
    of,
    prelude::*, //
};

/// Says why a probe failed, unless it only has to be tried again later.
///
/// No release has a wrapper for `dev_err_probe()` yet.
pub(crate) fn dev_err_probe(dev: &Device<Bound>, err: Error, args: fmt::Arguments<'_>) {
    // SAFETY: A valid device, a format that takes one pointer to `fmt::Arguments`, and that
    // pointer.
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

/// Returns what `table` has for the device's node; `None` if the node is not in it, as with
/// `driver_override`.
///
/// A table's entry has a pointer to it from 7.3 on, and its place in the table before.
///
/// Context: probe.
pub(crate) fn of_id_info<U: 'static>(
    dev: &Device<Bound>,
    table: of::IdTable<U>,
) -> Option<&'static U> {
    #[cfg(not(CONFIG_OF))]
    let id = {
        let _ = (dev, &table);
        core::ptr::null::<bindings::of_device_id>()
    };
    #[cfg(CONFIG_OF)]
    // SAFETY: A static table and a valid device. CAST: `Device` is a transparent wrapper of the C
    // type.
    let id = unsafe { bindings::of_match_device(table.as_ptr(), core::ptr::from_ref(dev).cast()) };
    if id.is_null() {
        return None;
    }
    // SAFETY: A match is an entry of the table.
    let data = unsafe { (*id).data };

    #[cfg(have_literal_id_tables)]
    // SAFETY: The table was made of references to such values.
    return unsafe { data.cast::<U>().as_ref() };
    #[cfg(not(have_literal_id_tables))]
    Some(table.info(data.addr()))
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
