// SPDX-License-Identifier: GPL-2.0

//! Register maps of system controllers (syscons).
//!
//! A system controller is a block of registers whose bits belong to several devices, so nobody maps
//! it alone: it has one [`Regmap`], which orders accesses, and device tree nodes refer to it.
//!
//! Not supported: register maps of other buses than MMIO, ranges, caches, bulk accesses.
//!
//! C headers: [`include/linux/regmap.h`](srctree/include/linux/regmap.h),
//! [`include/linux/mfd/syscon.h`](srctree/include/linux/mfd/syscon.h)

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

/// The register map of a system controller.
///
/// # Invariants
///
/// The pointer is that of a system controller's register map. The kernel never frees those that it
/// makes itself; drivers that bring their own (`of_syscon_register_regmap()`) have no way to take
/// it back, so they must not free it either.
#[derive(Clone, Copy)]
pub(crate) struct Regmap(NonNull<bindings::regmap>);

// SAFETY: A register map has its own lock.
unsafe impl Send for Regmap {}
// SAFETY: As above.
unsafe impl Sync for Regmap {}

/// Whether to write a register that would not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// Only if it changes.
    IfChanged,
    /// In any case.
    Always,
}

impl Regmap {
    /// Returns the register map of the system controller that `property` of the device's node
    /// refers to, and the `N` numbers behind the reference.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENODEV` or `ENOENT` without the property, `EPROBE_DEFER` if the controller is not there
    /// yet, `EINVAL` if the property has too few numbers.
    pub(crate) fn from_phandle<const N: usize>(
        dev: &Device<Bound>,
        property: &CStr,
    ) -> Result<(Self, [u32; N])> {
        const { assert!(N <= 16, "more numbers than a reference can have") };

        let mut args = [0; N];
        let dev: *mut kernel::bindings::device = core::ptr::from_ref(dev).cast_mut().cast();
        // SAFETY: A bound device keeps its node.
        let node = unsafe { (*dev).of_node };
        let map = if N == 0 {
            // SAFETY: The node may be null, and `property` is a C string.
            unsafe {
                bindings::syscon_regmap_lookup_by_phandle(node.cast(), property.as_char_ptr())
            }
        } else {
            // SAFETY: As above, and `args` has room for `N` numbers.
            unsafe {
                bindings::syscon_regmap_lookup_by_phandle_args(
                    node.cast(),
                    property.as_char_ptr(),
                    c_int::try_from(N)?,
                    args.as_mut_ptr(),
                )
            }
        };
        // INVARIANT: As looked up.
        let map = Self(NonNull::new(from_err_ptr(map)?).ok_or(ENODEV)?);
        Ok((map, args))
    }

    /// Reads a register.
    ///
    /// Context: may sleep, as the map may be one that a driver brought.
    ///
    /// # Errors
    ///
    /// `EIO` or `EINVAL` for an offset outside the controller, or one that is not aligned.
    pub(crate) fn read(&self, offset: u32) -> Result<u32> {
        let mut value = 0;
        // SAFETY: By the invariants a valid register map; `value` may be written.
        to_result(unsafe { bindings::regmap_read(self.0.as_ptr(), offset, &mut value) })?;
        Ok(value)
    }

    /// Replaces the bits of `mask` in a register by those of `value`, at once with respect to other
    /// users of the controller.
    ///
    /// Context and errors: as [`Regmap::read`].
    pub(crate) fn update_bits(&self, offset: u32, mask: u32, value: u32, write: Write) -> Result {
        // The kernel checks it for whole registers only. The offset may come from a device tree,
        // and an access across two registers may be an abort.
        //
        // SAFETY: By the invariants a valid register map.
        let stride = unsafe { bindings::regmap_get_reg_stride(self.0.as_ptr()) };
        if !matches!(u32::try_from(stride), Ok(stride @ 1..) if offset % stride == 0) {
            return Err(EINVAL);
        }
        // SAFETY: By the invariants a valid register map; nobody asks whether it changed.
        to_result(unsafe {
            bindings::regmap_update_bits_base(
                self.0.as_ptr(),
                offset,
                mask,
                value,
                core::ptr::null_mut(),
                false,
                write == Write::Always,
            )
        })
    }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/regmap.rs"]
mod kunit;
