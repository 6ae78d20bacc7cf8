// SPDX-License-Identifier: GPL-2.0

//! Proves that no completed request is forgotten, whatever the order in which things happen.
//!
//! `loom` runs each model once for every order in which its threads can take their steps, and for
//! every value that a weakly ordered read may return. In each of them:
//!
//! - every request completes, and none twice;
//! - none waits for a thread that was not woken: when all is quiet, all is done;
//! - then the interrupt status is clear and the burst has ended;
//! - who has disabled the interrupt finds no handler at work, and no burst.
//!
//! The code under test is the driver's own `burst.rs`. What calls it in the driver's handlers is
//! repeated in `machine.rs`, beside a small controller and a small genirq. The mutants show that
//! the models can fail: each has one mistake in it, and each is found.

#![cfg(test)]

#[path = "../../drivers/ufs/host/unisoc/burst.rs"]
mod burst;
mod machine;

mod burst_test;
mod mutant_test;
mod order_test;
