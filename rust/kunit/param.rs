// SPDX-License-Identifier: GPL-2.0

//! Tests of module parameters, as the kernel sets and gets them.

use core::ptr;

use kernel::{
    bindings,
    fmt::Write,
    page::PAGE_SIZE,
    prelude::*,
    str::Formatter, //
};

use super::{
    KernelParam,
    Ops,
    Param,
    Value, //
};

/// A number below 100, or as many letters as it says.
struct Number {
    value: u32,
    /// How often it was set.
    sets: u32,
}

impl Value for Number {
    fn set(&mut self, text: &CStr) -> Result {
        let value = text.to_str()?.parse().map_err(|_| EINVAL)?;

        if value == 13 {
            return Err(ERANGE);
        }
        self.value = value;
        self.sets += 1;
        Ok(())
    }

    fn show(&self, f: &mut Formatter<'_>) -> Result {
        if self.value < 100 {
            return Ok(write!(f, "{}", self.value)?);
        }
        for _ in 0..self.value {
            f.write_str("a")?;
        }
        Ok(())
    }
}

static NUMBER: Param<Number> = Param::new(Number { value: 7, sets: 0 });
static OPS: Ops<Number> = Ops::new();
static KERNEL_PARAM: KernelParam = KernelParam::new(c"number", &NUMBER, &OPS, 0o644);

/// Calls the parameter's `set` as the kernel does, under its lock.
fn set(text: *const c_char) -> c_int {
    let set = OPS.0.set.expect("a parameter can be set");

    // SAFETY: This module.
    unsafe { bindings::kernel_param_lock(super::owner()) };
    // SAFETY: Null or a C string, and the parameter that the function is for.
    let ret = unsafe { set(text, &KERNEL_PARAM.0) };
    // SAFETY: Locked above.
    unsafe { bindings::kernel_param_unlock(super::owner()) };
    ret
}

/// Calls the parameter's `get` as the kernel does, and returns what it returned and what it wrote.
fn get() -> Result<(c_int, KVec<u8>)> {
    let get = OPS.0.get.expect("a parameter can be shown");
    let mut page = KVec::from_elem(0xa5, PAGE_SIZE, GFP_KERNEL)?;

    // SAFETY: This module.
    unsafe { bindings::kernel_param_lock(super::owner()) };
    // SAFETY: A page, and the parameter that the function is for.
    let ret = unsafe { get(page.as_mut_ptr().cast(), &KERNEL_PARAM.0) };
    // SAFETY: Locked above.
    unsafe { bindings::kernel_param_unlock(super::owner()) };
    Ok((ret, page))
}

#[kunit_tests(ufs_unisoc_param)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_shown_with_a_newline() -> Result {
        assert_eq!(set(c"42".as_char_ptr()), 0);
        let (len, page) = get()?;

        assert_eq!(len, 3);
        assert!(page[..3] == *b"42\n");
        // Nothing behind it is written.
        assert_eq!(page[3], 0xa5);
        Ok(())
    }

    #[test]
    fn what_is_refused_changes_nothing_and_its_error_is_passed_on() {
        assert_eq!(set(c"8".as_char_ptr()), 0);
        let sets = NUMBER.lock().sets;

        assert_eq!(set(c"x".as_char_ptr()), EINVAL.to_errno());
        assert_eq!(set(c"13".as_char_ptr()), ERANGE.to_errno());
        assert_eq!(set(c"\xff".as_char_ptr()), EINVAL.to_errno());
        let number = NUMBER.lock();
        let (value, now) = (number.value, number.sets);
        drop(number);
        assert_eq!(value, 8);
        assert_eq!(now, sets);
    }

    #[test]
    fn a_name_without_a_value_is_refused() {
        assert_eq!(set(ptr::null()), EINVAL.to_errno());
    }

    #[test]
    fn the_module_sees_and_changes_the_value_under_the_lock() -> Result {
        NUMBER.lock().value = 9;
        let (len, page) = get()?;

        assert_eq!(len, 2);
        assert!(page[..2] == *b"9\n");
        assert_eq!(set(c"10".as_char_ptr()), 0);
        assert_eq!(NUMBER.lock().value, 10);
        Ok(())
    }

    #[test]
    fn a_text_longer_than_sysfs_takes_is_an_error_and_stays_in_the_page() -> Result {
        // The newline is part of it, and sysfs wants room behind it.
        NUMBER.lock().value = 4094;
        let (len, _) = get()?;
        assert_eq!(len, 4095);

        for letters in [4095, 4096, 100_000] {
            NUMBER.lock().value = letters;
            let (len, _) = get()?;
            assert!(len < 0);
        }
        NUMBER.lock().value = 7;
        Ok(())
    }
}
