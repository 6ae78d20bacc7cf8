// SPDX-License-Identifier: GPL-2.0

//! Types of the core that variant operations get to see.

use kernel::{
    bindings as kernel_bindings,
    types::Opaque, //
};

use crate::abi::bindings;

/// A link's power mode (`struct ufs_pa_layer_attr`).
#[repr(transparent)]
pub(crate) struct PowerMode(bindings::ufs_pa_layer_attr);

impl PowerMode {
    /// Makes a reference of the core's pointer.
    ///
    /// # Safety
    ///
    /// `mode` must be valid, and not change, for the lifetime `'a`.
    pub(super) unsafe fn from_raw<'a>(mode: *mut bindings::ufs_pa_layer_attr) -> &'a Self {
        // SAFETY: This function's requirements; the type is a transparent wrapper.
        unsafe { &*mode.cast() }
    }

    /// Returns receiver's and transmitter's gear.
    pub(crate) fn gears(&self) -> (u32, u32) {
        (self.0.gear_rx, self.0.gear_tx)
    }

    /// Returns receiver's and transmitter's number of lanes.
    pub(crate) fn lanes(&self) -> (u32, u32) {
        (self.0.lane_rx, self.0.lane_tx)
    }

    /// Returns whether the receiver is in a high-speed mode.
    pub(crate) fn is_high_speed(&self) -> bool {
        /// `FAST_MODE` and `FASTAUTO_MODE`.
        const FAST: [u32; 2] = [1, 4];

        FAST.contains(&self.0.pwr_rx)
    }

    /// Returns the letter of the high-speed series.
    pub(crate) fn series(&self) -> char {
        if self.0.hs_rate == 2 {
            'B'
        } else {
            'A'
        }
    }
}

/// A logical unit that is being configured (`struct scsi_device`).
#[repr(transparent)]
pub(crate) struct ScsiDevice(Opaque<bindings::scsi_device>);

impl ScsiDevice {
    /// Makes a reference of the core's pointer.
    ///
    /// # Safety
    ///
    /// `dev` must be valid, and be configured by the caller alone, for the lifetime `'a`.
    pub(super) unsafe fn from_raw<'a>(dev: *mut bindings::scsi_device) -> &'a mut Self {
        // SAFETY: This function's requirements; the type is a transparent wrapper.
        unsafe { &mut *dev.cast() }
    }

    /// Keeps FUA from being used: the cache is flushed instead.
    pub(crate) fn set_broken_fua(&mut self) {
        // SAFETY: A valid device that only we configure.
        unsafe { (*self.0.get()).set_broken_fua(1) };
    }

    /// Has requests complete on the CPU that submitted them, like `rq_affinity` 2; users may change
    /// it there.
    pub(crate) fn complete_on_submitting_cpu(&mut self) {
        // SAFETY: A valid device has a queue. CAST: The same C type.
        let queue = unsafe { (*self.0.get()).request_queue }.cast();

        for flag in [
            kernel_bindings::QUEUE_FLAG_SAME_COMP,
            kernel_bindings::QUEUE_FLAG_SAME_FORCE,
        ] {
            // SAFETY: A valid queue and a flag of queues.
            unsafe { kernel_bindings::blk_queue_flag_set(flag, queue) };
        }
    }
}
