// SPDX-License-Identifier: GPL-2.0

//! UFS host controllers on top of the ufshcd core.
//!
//! | file | what |
//! |---|---|
//! | `dme.rs` | UniPro attributes of both ends |
//! | `quirks.rs`, `registers.rs` | what their names say |
//! | `stages.rs` | hosts at a stage of their life that allows more than usual |
//! | `types.rs` | smaller types of the core |
//! | `vops.rs` | [`VariantOps`]: what a host driver adds to the core, and the C table made of it |
//! | `hba.rs` | [`Hba`]: a host as the core knows it |
//! | `host.rs` | [`NewHost`]: a host from allocation to registration |
//! | `firmware.rs` | clocks, regulators and lanes as `ufs-common.yaml` describes them |
//! | `observer.rs` | a thread that looks on while the core starts the link |
//! | `interrupt.rs` | [`InterruptOps`]: which transfers complete where, through an interrupt gate |
//! | `platform.rs` | [`Registration`]: a platform driver for such hosts |
//!
//! The core keeps the host in the device's driver data and reads it back in its power management
//! callbacks, so `kernel::platform::Adapter`, which keeps its own data there, cannot be used.
//!
//! C header: [`include/ufs/ufshcd.h`](srctree/include/ufs/ufshcd.h)

mod dme;
mod firmware;
mod hba;
mod host;
mod interrupt;
mod observer;
mod platform;
pub(crate) mod quirks;
mod registers;
mod stages;
mod types;
mod vops;

pub(crate) use dme::Peer;
pub(crate) use hba::{
    Hba,
    WritableRegister, //
};
pub(crate) use host::{
    NewHost,
    Registered, //
};
pub(crate) use interrupt::{
    Circumstances,
    Interrupt,
    InterruptOps, //
};
pub(crate) use platform::{
    PlatformDriver,
    Registration, //
};
pub(crate) use stages::{
    McqSetup,
    Setup,
    XferReq, //
};
pub(crate) use types::{
    PowerMode,
    ScsiDevice, //
};
pub(crate) use vops::{
    Clocks,
    PmOp,
    VariantOps, //
};

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "../kunit/ufshcd.rs"]
mod kunit;
