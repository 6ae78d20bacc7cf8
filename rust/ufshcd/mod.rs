// SPDX-License-Identifier: GPL-2.0

//! UFS host controllers on top of the ufshcd core.
//!
//! | file | what |
//! |---|---|
//! | `vops.rs` | [`VariantOps`]: what a host driver adds to the core, and the C table made of it |
//! | `host.rs` | [`Hba`], and [`NewHost`]: a host from allocation to registration |
//! | `firmware.rs` | clocks, regulators and lanes as `ufs-common.yaml` describes them |
//! | `interrupt.rs` | [`InterruptOps`]: which transfers complete where, through an interrupt gate |
//! | `platform.rs` | [`Registration`]: a platform driver for such hosts |
//!
//! The core keeps the host in the device's driver data and reads it back in its power management
//! callbacks, so `kernel::platform::Adapter`, which keeps its own data there, cannot be used.
//!
//! C header: [`include/ufs/ufshcd.h`](srctree/include/ufs/ufshcd.h)

mod firmware;
mod host;
mod interrupt;
mod platform;
mod vops;

pub(crate) use host::{
    Hba,
    NewHost,
    Registered, //
};
pub(crate) use interrupt::{
    Interrupt,
    InterruptOps, //
};
pub(crate) use platform::{
    PlatformDriver,
    Registration, //
};
pub(crate) use vops::VariantOps;
