// SPDX-License-Identifier: GPL-2.0

//! The module's source files that need no kernel, built for the host from where they are.

#![cfg(test)]

// Constants that only the module uses are dead code here.
#[allow(dead_code)]
#[path = "../../drivers/ufs/host/unisoc/bringup/mod.rs"]
mod bringup;
#[allow(dead_code)]
#[path = "../../drivers/ufs/host/unisoc/decide.rs"]
mod decide;
#[allow(dead_code)]
#[path = "../../drivers/ufs/host/unisoc/fastpath/mod.rs"]
mod fastpath;
#[path = "../../drivers/ufs/host/unisoc/histogram.rs"]
mod histogram;
#[path = "../../drivers/ufs/host/unisoc/limit.rs"]
mod limit;
#[path = "../../drivers/ufs/host/unisoc/mode.rs"]
mod mode;
#[path = "../../drivers/ufs/host/unisoc/mode_list.rs"]
mod mode_list;
#[path = "../../drivers/ufs/host/unisoc/state.rs"]
mod state;
#[path = "../../drivers/ufs/host/unisoc/storm.rs"]
mod storm;

mod bringup_test;
mod decide_test;
mod fastpath_test;
mod histogram_test;
mod limit_test;
mod mode_list_test;
mod mode_test;
mod state_test;
mod storm_test;
mod unipro_test;
