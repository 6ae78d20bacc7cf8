// SPDX-License-Identifier: GPL-2.0

//! Error codes that `kernel::error::code` lacks before 7.3.

use kernel::{
    bindings,
    prelude::*, //
};

/// Operation not supported by this host.
pub(crate) fn eopnotsupp() -> Error {
    // CAST: A small positive constant.
    Error::from_errno(-(bindings::EOPNOTSUPP as c_int))
}
