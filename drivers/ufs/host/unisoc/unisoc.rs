// SPDX-License-Identifier: GPL-2.0

//! UFS host driver for Unisoc T615-class (UMS9230) hosts, whose owner decides where transfers
//! complete.
//!
//! Where code runs: "handler" is the primary handler of a host's interrupt, in hard IRQ unless
//! handlers are force-threaded; "any" includes that, and whatever has interrupts off.
//!
//! | module | what it is for | where its code runs |
//! |---|---|---|
//! | **a host** | | |
//! | `host` | probe and removal, and what is kept for a host | may sleep |
//! | `vops` | what the core asks of a host: bring-up, power states | may sleep; requests: any |
//! | `shared` | what handlers, files and core callbacks have in common | any |
//! | **its interrupt** | | |
//! | `handlers` | the two handlers: who completes transfers, and where | handler; the thread |
//! | `decide` | what an interrupt leads to, a pure function | handler |
//! | `fastpath` | adaptive: what is finished in the handler | handler |
//! | `burst` | hand-over from the handler to the thread | handler; the thread |
//! | `storm` | whether an interrupt does not stop | handler |
//! | `state` | mode, last context and the like, in one word | any |
//! | `stats` | counters | handler and the thread write; files read |
//! | `histogram` | histograms of short times | as `stats` |
//! | **its files** | | |
//! | `mode` | the modes and their names | any |
//! | `mode_list` | the syntax of `irq_mode=` | may sleep |
//! | `limit` | the limits of `fastpath`: names, ranges, defaults | may sleep |
//! | `param` | module parameters | may sleep, under the parameter lock |
//! | `sysfs` | files of the device | may sleep |
//! | `debugfs` | files of counters | may sleep |
//! | **its SoC** | | |
//! | `bringup` | sequences of registers as tables, and what runs them | may sleep |
//! | `soc` | the registers, resets and fields they work on | may sleep |
//! | **below** | | |
//! | `abi` | `rust/`: safe abstractions, and all unsafe code | as each says |

#![deny(unsafe_code)]

#[allow(unsafe_code)]
#[path = "rust/mod.rs"]
mod abi;

mod bringup;
mod burst;
mod debugfs;
mod decide;
mod fastpath;
mod handlers;
mod histogram;
mod host;
mod limit;
mod mode;
mod mode_list;
mod param;
mod shared;
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
