// SPDX-License-Identifier: GPL-2.0

//! Bindings that `kernel::bindings` lacks, made by bindgen at build time.
//!
//! `bindings.h` says what bindgen reads, `Makefile.bindings` how it is called. A type
//! that exists in `kernel::bindings` too, such as `struct device`, is a second
//! Rust type for the same C type here; the modules beside this one cast between
//! the two, and nobody else sees either.

#![allow(
    clippy::all,
    clippy::as_underscore,
    clippy::cast_lossless,
    clippy::ptr_as_ptr,
    clippy::ref_as_ptr,
    clippy::undocumented_unsafe_blocks,
    dead_code,
    improper_ctypes,
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    unsafe_op_in_unsafe_fn
)]

type __kernel_size_t = usize;
type __kernel_ssize_t = isize;
type __kernel_ptrdiff_t = isize;

use kernel::ffi;

include!(env!("UFS_UNISOC_BINDINGS"));
