// SPDX-License-Identifier: GPL-2.0

//! The program itself, run against a tree of files that looks like the driver's.

mod list;
mod live;
mod set;
mod tree;
