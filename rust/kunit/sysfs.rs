// SPDX-License-Identifier: GPL-2.0

//! Tests of device attributes, as sysfs shows and stores them.

use core::ptr;

use kernel::{
    bindings,
    fmt::Write,
    page::PAGE_SIZE,
    prelude::*,
    str::Formatter,
    sync::atomic::{
        Atomic,
        Relaxed, //
    }, //
};

use super::{
    show,
    store,
    Attribute,
    Owner, //
};

/// What a device's files show.
struct Number {
    value: Atomic<u32>,
    stored: Atomic<u32>,
}

// SAFETY: No driver has a `Groups<Number>`; the tests call what takes a device themselves, with a
// pointer to a `Number`.
unsafe impl Owner for Number {
    unsafe fn from_device<'a>(dev: *mut bindings::device) -> &'a Self {
        // SAFETY: See above.
        unsafe { &*dev.cast::<Self>() }
    }
}

struct Writable;
struct ReadOnly;

#[vtable]
impl Attribute<Number> for Writable {
    const NAME: &'static CStr = c"writable";

    fn show(owner: &Number, f: &mut Formatter<'_>) -> Result {
        for _ in 0..owner.value.load(Relaxed) {
            f.write_str("a")?;
        }
        Ok(())
    }

    fn store(owner: &Number, text: &[u8]) -> Result {
        if text == b"no" {
            return Err(EBUSY);
        }
        // CAST: At most a page.
        owner.stored.store(text.len() as u32, Relaxed);
        Ok(())
    }
}

#[vtable]
impl Attribute<Number> for ReadOnly {
    const NAME: &'static CStr = c"read_only";

    fn show(_owner: &Number, _f: &mut Formatter<'_>) -> Result {
        Err(ENODATA)
    }
}

crate::device_attributes! {
    static FILES: Groups<Number> = {
        [Writable, ReadOnly];
        c"below": [ReadOnly];
    };
}

fn number(value: u32) -> Number {
    Number {
        value: Atomic::new(value),
        stored: Atomic::new(u32::MAX),
    }
}

/// Shows `A` of `owner` as sysfs does.
fn shown<A: Attribute<Number>>(owner: &Number) -> Result<(isize, KVec<u8>)> {
    let mut page = KVec::from_elem(0xa5, PAGE_SIZE, GFP_KERNEL)?;
    let dev = ptr::from_ref(owner).cast_mut().cast();
    // SAFETY: What `Number::from_device` takes, and a page.
    let ret = unsafe { show::<Number, A>(dev, ptr::null_mut(), page.as_mut_ptr().cast()) };

    Ok((ret, page))
}

/// Stores a text to the writable file as sysfs does.
fn stored(owner: &Number, text: &[u8]) -> isize {
    let dev = ptr::from_ref(owner).cast_mut().cast();

    // SAFETY: What `Number::from_device` takes, and a text with its length.
    unsafe { store::<Number, Writable>(dev, ptr::null_mut(), text.as_ptr().cast(), text.len()) }
}

/// Returns the files of a group: their names' and modes.
fn files_of(group: &bindings::attribute_group) -> Result<KVec<(&'static CStr, u16)>> {
    let mut files = KVec::new();
    // SAFETY: Groups made here have a list of files.
    let mut entry = unsafe { group.__bindgen_anon_2.attrs };

    // SAFETY: The list ends with a null pointer.
    while let Some(file) = unsafe { (*entry).as_ref() } {
        // SAFETY: Files have names, which are static.
        let name = unsafe { CStr::from_char_ptr(file.name) };

        files.push((name, file.mode), GFP_KERNEL)?;
        entry = entry.wrapping_add(1);
    }
    Ok(files)
}

#[kunit_tests(ufs_unisoc_sysfs)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_with_a_newline() -> Result {
        let (len, page) = shown::<Writable>(&number(3))?;

        assert_eq!(len, 4);
        assert!(page[..4] == *b"aaa\n");
        assert_eq!(page[4], 0xa5);
        Ok(())
    }

    #[test]
    fn an_error_of_showing_is_passed_on() -> Result {
        let (ret, _) = shown::<ReadOnly>(&number(0))?;

        assert_eq!(ret, ENODATA.to_errno() as isize);
        Ok(())
    }

    #[test]
    fn a_value_longer_than_sysfs_takes_is_an_error() -> Result {
        // The newline is part of it, and sysfs wants room behind it.
        let (len, _) = shown::<Writable>(&number(4094))?;
        assert_eq!(len, 4095);

        for letters in [4095, 4096, 100_000] {
            let (len, _) = shown::<Writable>(&number(letters))?;
            assert!(len < 0);
        }
        Ok(())
    }

    #[test]
    fn one_newline_is_taken_off_what_is_stored() {
        let owner = number(0);

        for (text, expected) in [
            (&b"ab\n"[..], 2),
            (b"ab", 2),
            (b"ab\n\n", 3),
            (b"\n", 0),
            (b"", 0),
            (b"a\0b", 3),
        ] {
            assert_eq!(stored(&owner, text), text.len() as isize);
            assert_eq!(owner.stored.load(Relaxed), expected);
        }
    }

    #[test]
    fn an_error_of_storing_is_passed_on() {
        let owner = number(0);

        assert_eq!(stored(&owner, b"no\n"), EBUSY.to_errno() as isize);
        assert_eq!(owner.stored.load(Relaxed), u32::MAX);
    }

    #[test]
    fn groups_hold_the_files_and_who_may_write_them() -> Result {
        let groups = FILES.as_ptr();
        // SAFETY: The list has two groups and ends with a null pointer.
        let [first, second, end] =
            unsafe { *groups.cast::<[*const bindings::attribute_group; 3]>() };
        assert!(end.is_null());
        // SAFETY: Static groups.
        let (first, second) = unsafe { (&*first, &*second) };

        assert!(first.name.is_null());
        let files = files_of(first)?;
        assert_eq!(files.len(), 2);
        assert!(files[0] == (c"writable", 0o644));
        assert!(files[1] == (c"read_only", 0o444));

        // SAFETY: The second one has a name.
        assert!(unsafe { CStr::from_char_ptr(second.name) } == c"below");
        assert!(files_of(second)?.len() == 1);
        Ok(())
    }
}
