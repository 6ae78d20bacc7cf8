// SPDX-License-Identifier: GPL-2.0

//! Reset lines.
//!
//! Not supported: shared lines, arrays of lines, self-deasserting lines.
//!
//! C header: [`include/linux/reset.h`](srctree/include/linux/reset.h)

use core::ptr::NonNull;

use kernel::{
    device::{
        Bound,
        Device, //
    },
    error::{
        from_err_ptr,
        to_result, //
    },
    prelude::*, //
};

use super::bindings;

/// A reset line that nobody else controls.
///
/// # Invariants
///
/// The pointer is that of a reset control of which this holds a reference.
pub(crate) struct Control(NonNull<bindings::reset_control>);

// SAFETY: Reset controls may be used from any thread.
unsafe impl Send for Control {}
// SAFETY: Asserting and deasserting are for the controller's driver to order.
unsafe impl Sync for Control {}

impl Control {
    /// Returns the line that the device's node names `id`.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOENT` without such a line, `EPROBE_DEFER` if its controller is not there yet, `EBUSY` if
    /// somebody else has it.
    pub(crate) fn exclusive(dev: &Device<Bound>, id: &CStr) -> Result<Self> {
        // SAFETY: A valid device and a C string. CAST: A transparent wrapper of the C type.
        let control = from_err_ptr(unsafe {
            bindings::__reset_control_get(
                core::ptr::from_ref(dev).cast_mut().cast(),
                id.as_char_ptr(),
                0,
                bindings::reset_control_flags_RESET_CONTROL_EXCLUSIVE,
            )
        })?;
        // INVARIANT: As just got.
        Ok(Self(NonNull::new(control).ok_or(ENOENT)?))
    }

    /// Asserts the line.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// Those of the line's controller.
    pub(crate) fn assert(&self) -> Result {
        // SAFETY: By the invariants a valid reset control.
        to_result(unsafe { bindings::reset_control_assert(self.0.as_ptr()) })
    }

    /// Deasserts the line.
    ///
    /// Context and errors: as [`Control::assert`].
    pub(crate) fn deassert(&self) -> Result {
        // SAFETY: By the invariants a valid reset control.
        to_result(unsafe { bindings::reset_control_deassert(self.0.as_ptr()) })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // SAFETY: By the invariants this holds a reference.
        unsafe { bindings::reset_control_put(self.0.as_ptr()) };
    }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/reset.rs"]
mod kunit;
