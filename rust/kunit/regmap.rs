// SPDX-License-Identifier: GPL-2.0

//! Tests of register maps, with one whose registers are an array.

use core::ptr::{
    self,
    NonNull, //
};

use kernel::{
    error::from_err_ptr,
    prelude::*,
    sync::atomic::{
        Atomic,
        Relaxed, //
    }, //
};

use super::{
    Regmap,
    Write, //
};
use crate::abi::{
    bindings,
    kunit::device::TestDevice, //
};

const REGISTERS: usize = 4;

/// Registers that count what is done with them.
struct Registers {
    values: [Atomic<u32>; REGISTERS],
    writes: Atomic<u32>,
    /// What each access returns.
    error: Atomic<i32>,
}

/// # Safety
///
/// Only as a callback of a register map with `Registers` as its context.
unsafe extern "C" fn read(context: *mut c_void, offset: c_uint, value: *mut c_uint) -> c_int {
    // SAFETY: By this function's requirements.
    let registers = unsafe { &*context.cast::<Registers>() };

    if let Some(register) = registers.values.get(offset as usize / 4) {
        // SAFETY: Valid, by this function's requirements.
        unsafe { value.write(register.load(Relaxed)) };
    }
    registers.error.load(Relaxed)
}

/// # Safety
///
/// As [`read`].
unsafe extern "C" fn write(context: *mut c_void, offset: c_uint, value: c_uint) -> c_int {
    // SAFETY: By this function's requirements.
    let registers = unsafe { &*context.cast::<Registers>() };

    registers.writes.add(1, Relaxed);
    if let Some(register) = registers.values.get(offset as usize / 4) {
        register.store(value, Relaxed);
    }
    registers.error.load(Relaxed)
}

/// A register map that goes again, unlike those of system controllers.
struct Bench {
    map: NonNull<bindings::regmap>,
    registers: KBox<Registers>,
}

impl Bench {
    fn new() -> Result<Self> {
        let registers = KBox::new(
            Registers {
                values: [const { Atomic::new(0) }; REGISTERS],
                writes: Atomic::new(0),
                error: Atomic::new(0),
            },
            GFP_KERNEL,
        )?;
        // SAFETY: Numbers, flags and optional pointers, for which zeroes mean "none".
        let mut config: bindings::regmap_config = unsafe { core::mem::zeroed() };
        config.reg_bits = 32;
        config.val_bits = 32;
        config.reg_stride = 4;
        config.max_register = 4 * (REGISTERS as c_uint - 1);
        config.reg_read = Some(read);
        config.reg_write = Some(write);
        // A lock of it needs a name for lockdep, and one task alone needs none.
        config.disable_locking = true;

        // SAFETY: The configuration is complete and copied, the registers live longer than the map.
        let map = from_err_ptr(unsafe {
            bindings::__regmap_init(
                ptr::null_mut(),
                ptr::null(),
                ptr::from_ref(&*registers).cast_mut().cast(),
                &config,
                ptr::null_mut(),
                ptr::null(),
            )
        })?;
        Ok(Self {
            map: NonNull::new(map).ok_or(ENOMEM)?,
            registers,
        })
    }

    /// Returns the map, which must not be used any more when this goes.
    fn map(&self) -> Regmap {
        // INVARIANT: Nearly: it is freed, but only after its last use.
        Regmap(self.map)
    }

    fn set(&self, register: usize, value: u32) {
        self.registers.values[register].store(value, Relaxed);
    }

    fn get(&self, register: usize) -> u32 {
        self.registers.values[register].load(Relaxed)
    }

    fn writes(&self) -> u32 {
        self.registers.writes.load(Relaxed)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: Ours.
        unsafe { bindings::regmap_exit(self.map.as_ptr()) };
    }
}

#[kunit_tests(ufs_unisoc_regmap)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_read() -> Result {
        let bench = Bench::new()?;

        bench.set(2, 0xdead_beef);
        assert_eq!(bench.map().read(8)?, 0xdead_beef);
        assert_eq!(bench.writes(), 0);
        Ok(())
    }

    #[test]
    fn only_the_bits_of_the_mask_change() -> Result {
        let bench = Bench::new()?;

        bench.set(1, 0xffff_0000);
        bench
            .map()
            .update_bits(4, 0x00ff_00ff, 0x1234_5678, Write::IfChanged)?;
        assert_eq!(bench.get(1), 0xff34_0078);
        assert_eq!(bench.get(0), 0);
        assert_eq!(bench.get(2), 0);
        Ok(())
    }

    #[test]
    fn a_register_that_would_not_change_is_written_only_if_asked_for() -> Result {
        let bench = Bench::new()?;

        bench.set(0, 3);
        bench.map().update_bits(0, 1, 1, Write::IfChanged)?;
        assert_eq!(bench.writes(), 0);
        bench.map().update_bits(0, 1, 1, Write::Always)?;
        assert_eq!(bench.writes(), 1);
        assert_eq!(bench.get(0), 3);
        Ok(())
    }

    #[test]
    fn what_is_no_register_is_an_error() -> Result {
        let bench = Bench::new()?;

        for offset in [2, 16, u32::MAX] {
            assert!(bench.map().read(offset).is_err());
            assert!(bench
                .map()
                .update_bits(offset, 1, 1, Write::Always)
                .is_err());
        }
        assert_eq!(bench.writes(), 0);
        Ok(())
    }

    #[test]
    fn an_error_of_the_access_is_passed_on() -> Result {
        let bench = Bench::new()?;

        bench.registers.error.store(EREMOTEIO.to_errno(), Relaxed);
        assert!(bench.map().read(0) == Err(EREMOTEIO));
        assert!(bench.map().update_bits(0, 1, 1, Write::Always) == Err(EREMOTEIO));
        assert_eq!(bench.writes(), 0);
        Ok(())
    }

    #[test]
    fn a_device_without_a_node_has_no_controller() -> Result {
        let device = TestDevice::new(&[])?;

        let none = Regmap::from_phandle::<0>(device.as_ref(), c"kunit,syscon").err();
        assert!(none == Some(ENODEV) || none == Some(ENOENT));
        let none = Regmap::from_phandle::<2>(device.as_ref(), c"kunit,syscon").err();
        assert!(none == Some(ENODEV) || none == Some(ENOENT));
        Ok(())
    }
}
