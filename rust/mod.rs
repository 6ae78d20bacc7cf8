// SPDX-License-Identifier: GPL-2.0

//! Safe abstractions that the kernel crate lacks.
//!
//! The only place of this module with `unsafe` code and with calls of C. One file per C interface,
//! without policy of the driver; each is meant to be usable by another driver as it is.

pub(crate) mod bindings;
pub(crate) mod compat;
pub(crate) mod context;
pub(crate) mod debugfs;
pub(crate) mod irq_gate;
mod irq_line;
pub(crate) mod irq_switch;
#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
mod kunit;
pub(crate) mod modinfo;
pub(crate) mod param;
pub(crate) mod regmap;
pub(crate) mod reset;
pub(crate) mod sysfs;
pub(crate) mod ufshcd;
pub(crate) mod word;
pub(crate) mod workqueue;
