// SPDX-License-Identifier: GPL-2.0

//! UniPro attributes of both ends of the link.

use kernel::{
    error::to_result,
    prelude::*, //
};

use super::{
    Hba,
    VariantOps, //
};
use crate::abi::bindings;

/// An end of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// The host.
    Local,
    /// The device.
    Remote,
}

impl Peer {
    fn as_raw(self) -> u8 {
        match self {
            Self::Local => 0,
            Self::Remote => 1,
        }
    }
}

/// Returns the argument that selects an attribute: its id in bits 31:16, lane 0.
fn selector(attribute: u32) -> u32 {
    attribute << 16
}

impl<T: VariantOps> Hba<T> {
    /// Reads a UniPro attribute.
    ///
    /// Context: may sleep; only while the core expects it: from variant operations.
    ///
    /// # Errors
    ///
    /// `EIO` if the end refuses, `ETIMEDOUT`. The core says so in the log.
    pub(crate) fn dme_get(&self, peer: Peer, attribute: u32) -> Result<u32> {
        let mut value = 0;
        // SAFETY: A valid host; `value` may be written.
        let ret = unsafe {
            bindings::ufshcd_dme_get_attr(
                self.as_raw(),
                selector(attribute),
                &mut value,
                peer.as_raw(),
            )
        };
        check(ret)?;
        Ok(value)
    }

    /// Writes a UniPro attribute.
    ///
    /// Context and errors: as [`Hba::dme_get`].
    pub(crate) fn dme_set(&self, peer: Peer, attribute: u32, value: u32) -> Result {
        // SAFETY: A valid host.
        check(unsafe {
            bindings::ufshcd_dme_set_attr(
                self.as_raw(),
                selector(attribute),
                // Not kept over a reset of the link.
                0,
                value,
                peer.as_raw(),
            )
        })
    }
}

/// The core returns the end's own result code where that is what failed.
fn check(ret: c_int) -> Result {
    if ret > 0 {
        return Err(EIO);
    }
    to_result(ret)
}
