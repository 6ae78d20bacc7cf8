// SPDX-License-Identifier: GPL-2.0

//! The module's source files that need no kernel, built for the host from where they are.

#![cfg(test)]

#[path = "../../drivers/ufs/host/unisoc/decide.rs"]
mod decide;
#[path = "../../drivers/ufs/host/unisoc/mode.rs"]
mod mode;
#[path = "../../drivers/ufs/host/unisoc/mode_list.rs"]
mod mode_list;

mod decide_test;
mod mode_list_test;
mod mode_test;
