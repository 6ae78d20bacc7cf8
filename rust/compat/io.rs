// SPDX-License-Identifier: GPL-2.0

//! I/O memory.

use kernel::{
    io::{
        mem::ExclusiveIoMem,
        IoBackend,
        IoBase,
        MmioBackend, //
    },
    prelude::*, //
};

/// Returns the address of a mapping, for C code that does its own accesses.
pub(crate) fn base<const SIZE: usize>(io: &ExclusiveIoMem<'_, SIZE>) -> *mut c_void {
    MmioBackend::as_ptr(io.as_view()).cast()
}
