// SPDX-License-Identifier: GPL-2.0

//! The commands, one file each.

pub(crate) mod hist;
pub(crate) mod list;
pub(crate) mod set;
pub(crate) mod suggest;
pub(crate) mod top;
