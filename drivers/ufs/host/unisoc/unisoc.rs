// SPDX-License-Identifier: GPL-2.0

//! UFS host driver for Unisoc T615-class (UMS9230) hosts, whose owner decides where transfers
//! complete.

#![deny(unsafe_code)]

#[allow(unsafe_code)]
#[path = "rust/mod.rs"]
mod abi;

mod bringup;
mod burst;
mod debugfs;
mod decide;
mod fastpath;
mod histogram;
mod host;
mod host_irq;
mod irq;
mod limit;
mod mode;
mod mode_list;
mod param;
mod soc;
mod state;
mod stats;
mod storm;
mod sysfs;
mod vops;

use kernel::prelude::*;

#[pin_data]
struct UnisocModule {
    #[pin]
    _driver: abi::ufshcd::Registration<host::Unisoc>,
}

impl kernel::InPlaceModule for UnisocModule {
    fn init(module: &'static ThisModule) -> impl PinInit<Self, Error> {
        try_pin_init!(Self {
            _driver <- abi::ufshcd::Registration::new(c"ufs_unisoc", module),
        }? Error)
    }
}

module! {
    type: UnisocModule,
    name: "ufs_unisoc",
    authors: ["The ufs_unisoc developers"],
    description: "Unisoc UMS9230 UFS host driver, with a choice of completion context",
    license: "GPL",
}

// In a kernel's tree the version is the kernel's.
#[cfg(ufs_unisoc_version)]
module_info!("ufs_unisoc", "version=", env!("UFS_UNISOC_VERSION"));
