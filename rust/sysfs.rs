// SPDX-License-Identifier: GPL-2.0

//! Device attributes: files in the sysfs directory of a device, one value each.
//!
//! A file is a type that implements [`Attribute`]; [`device_attributes!`](super::device_attributes)
//! makes a static [`Groups`] of such types, which a bus abstraction puts into its driver's
//! `dev_groups`. The driver core then adds the files after a successful probe and removes them
//! before the driver is unbound, waiting for running callbacks.
//!
//! Not supported: binary files, files that are visible for some devices only.
//!
//! C headers: [`include/linux/device.h`](srctree/include/linux/device.h),
//! [`include/linux/sysfs.h`](srctree/include/linux/sysfs.h)

use core::marker::PhantomData;

use kernel::{
    bindings,
    fmt::Write,
    page::PAGE_SIZE,
    prelude::*,
    str::Formatter, //
};

/// What the files of a device show.
///
/// # Safety
///
/// [`Owner::from_device`] must be right for every device that is bound to a driver whose
/// `dev_groups` hold a `Groups<Self>`.
pub(crate) unsafe trait Owner: 'static {
    /// Returns what belongs to `dev`.
    ///
    /// # Safety
    ///
    /// `dev` must be bound to a driver whose `dev_groups` hold a `Groups<Self>`, and stay so for
    /// the lifetime `'a`.
    unsafe fn from_device<'a>(dev: *mut bindings::device) -> &'a Self;
}

/// A file.
#[vtable]
pub(crate) trait Attribute<O: Owner>: 'static {
    /// The file's name.
    const NAME: &'static CStr;

    /// Writes the value, without a newline.
    ///
    /// Context: may sleep; concurrently with itself and [`Attribute::store`].
    ///
    /// # Errors
    ///
    /// Given to the reader.
    fn show(owner: &O, f: &mut Formatter<'_>) -> Result;

    /// Takes a value: the bytes of one `write()`, up to a page, without one trailing newline.
    ///
    /// A file without this is read-only.
    ///
    /// Context: as [`Attribute::show`].
    ///
    /// # Errors
    ///
    /// Given to the writer. Must have changed nothing then.
    fn store(_owner: &O, _text: &[u8]) -> Result {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }
}

/// The C side of a file.
#[repr(transparent)]
pub(crate) struct DeviceAttribute(bindings::device_attribute);

// SAFETY: Names and function pointers, never written.
unsafe impl Sync for DeviceAttribute {}

impl DeviceAttribute {
    /// Makes the C side of `A`.
    pub(crate) const fn of<O: Owner, A: Attribute<O>>() -> Self {
        // Field by field: with lockdep there are more of them, and with CFI what are unions here
        // are structures. Zeroes are right for the rest.
        let mut file: bindings::device_attribute = pin_init::zeroed();

        file.attr.name = kernel::str::as_char_ptr_in_const_context(A::NAME);
        file.attr.mode = if A::HAS_STORE { 0o644 } else { 0o444 };
        file.__bindgen_anon_1.show = Some(show::<O, A>);
        if A::HAS_STORE {
            file.__bindgen_anon_2.store = Some(store::<O, A>);
        }
        Self(file)
    }

    /// Returns what a list of attributes points to.
    pub(crate) const fn as_attribute(&'static self) -> *mut bindings::attribute {
        (&raw const self.0.attr).cast_mut()
    }
}

/// # Safety
///
/// Only as the `show` callback of a file in a `Groups<O>`.
unsafe extern "C" fn show<O: Owner, A: Attribute<O>>(
    dev: *mut bindings::device,
    _attr: *mut bindings::device_attribute,
    buf: *mut c_char,
) -> isize {
    // SAFETY: The file is in the `dev_groups` of the driver that `dev` is bound to. The driver core
    // removes it before unbinding, and sysfs waits for this callback then.
    let owner = unsafe { O::from_device(dev) };
    // SAFETY: sysfs passes a page to write to. It takes no more than this, and complains.
    let page = unsafe { core::slice::from_raw_parts_mut(buf.cast::<u8>(), PAGE_SIZE - 1) };
    let mut f = Formatter::new(page);

    match A::show(owner, &mut f).and_then(|()| Ok(f.write_str("\n")?)) {
        // CAST: At most a page.
        Ok(()) => f.bytes_written() as isize,
        // CAST: From a negative `int` to a wider type.
        Err(err) => err.to_errno() as isize,
    }
}

/// # Safety
///
/// Only as the `store` callback of a file in a `Groups<O>`.
unsafe extern "C" fn store<O: Owner, A: Attribute<O>>(
    dev: *mut bindings::device,
    _attr: *mut bindings::device_attribute,
    buf: *const c_char,
    count: usize,
) -> isize {
    // SAFETY: As in `show`.
    let owner = unsafe { O::from_device(dev) };
    // SAFETY: sysfs passes `count` bytes.
    let text = unsafe { core::slice::from_raw_parts(buf.cast::<u8>(), count) };

    match A::store(owner, text.strip_suffix(b"\n").unwrap_or(text)) {
        // CAST: At most a page.
        Ok(()) => count as isize,
        // CAST: From a negative `int` to a wider type.
        Err(err) => err.to_errno() as isize,
    }
}

/// A null-terminated array of pointers, as C wants it, as a static.
#[repr(transparent)]
pub(crate) struct PointerList<T, const N: usize>(pub(crate) [*mut T; N]);

// SAFETY: Never written; points to statics.
unsafe impl<T, const N: usize> Sync for PointerList<T, N> {}

/// A group of files, as a static.
#[repr(transparent)]
pub(crate) struct Group(bindings::attribute_group);

// SAFETY: Never written; points to statics.
unsafe impl Sync for Group {}

impl Group {
    /// Makes a group of a list that ends with a null pointer: in a directory of that name if there
    /// is one.
    ///
    /// For [`device_attributes!`](super::device_attributes), which makes such lists.
    pub(crate) const fn new<const N: usize>(
        name: Option<&'static CStr>,
        list: &'static PointerList<bindings::attribute, N>,
    ) -> Self {
        assert!(list.0[N - 1].is_null());
        let mut group: bindings::attribute_group = pin_init::zeroed();

        if let Some(name) = name {
            group.name = kernel::str::as_char_ptr_in_const_context(name);
        }
        group.__bindgen_anon_2.attrs = list.0.as_ptr().cast_mut();
        Self(group)
    }

    /// Returns what a list of groups points to.
    pub(crate) const fn as_ptr(&'static self) -> *mut bindings::attribute_group {
        (&raw const self.0).cast_mut()
    }
}

/// The files of the devices of a driver.
///
/// # Invariants
///
/// `groups` is null-terminated and static, and its files are `Attribute<O>`s.
pub(crate) struct Groups<O> {
    groups: *const *const bindings::attribute_group,
    _owner: PhantomData<fn(&O)>,
}

// SAFETY: Never written; points to statics.
unsafe impl<O> Sync for Groups<O> {}

impl<O: Owner> Groups<O> {
    /// Makes a `Groups` of lists that end with a null pointer.
    ///
    /// # Safety
    ///
    /// For [`device_attributes!`](super::device_attributes) only: the files must be
    /// `Attribute<O>`s.
    pub(crate) const unsafe fn new<const N: usize>(
        groups: &'static PointerList<bindings::attribute_group, N>,
    ) -> Self {
        assert!(groups.0[N - 1].is_null());
        // INVARIANT: As just checked, and by this function's requirements.
        Self {
            groups: groups.0.as_ptr().cast(),
            _owner: PhantomData,
        }
    }

    /// Returns what `struct device_driver::dev_groups` wants; with the lifetime of a static.
    pub(crate) const fn as_ptr(&'static self) -> *const *const bindings::attribute_group {
        self.groups
    }
}

/// Makes a static [`Groups`] of [`Attribute`] types: some in the device's directory, some in
/// subdirectories of it.
///
/// ```ignore
/// device_attributes! {
///     static FILES: Groups<MyHost> = {
///         [Speed, Mode];
///         c"limits": [Most, Longest];
///     };
/// }
/// ```
#[macro_export]
macro_rules! device_attributes {
    (
        $(#[$attr:meta])* $vis:vis static $name:ident: Groups<$owner:ty> = {
            [$($file:ty),+ $(,)?];
            $($dir:literal: [$($inner:ty),+ $(,)?];)*
        };
    ) => {
        $(#[$attr])*
        $vis static $name: $crate::abi::sysfs::Groups<$owner> = {
            use $crate::abi::sysfs;

            const COUNT: usize = [c"", $($dir),*].len();
            static GROUPS: sysfs::PointerList<::kernel::bindings::attribute_group, { COUNT + 1 }> =
                sysfs::PointerList([
                    $crate::device_attributes!(@group $owner, None, [$($file),+]),
                    $($crate::device_attributes!(@group $owner, Some($dir), [$($inner),+]),)*
                    ::core::ptr::null_mut(),
                ]);

            #[allow(unsafe_code)]
            // SAFETY: The groups were made of `Attribute`s of this owner.
            let groups = unsafe { sysfs::Groups::new(&GROUPS) };
            groups
        };
    };
    (@group $owner:ty, $dir:expr, [$($file:ty),+]) => {{
        const FILES_COUNT: usize = [$(stringify!($file)),+].len();
        static FILES: [sysfs::DeviceAttribute; FILES_COUNT] =
            [$(sysfs::DeviceAttribute::of::<$owner, $file>()),+];
        static LIST: sysfs::PointerList<::kernel::bindings::attribute, { FILES_COUNT + 1 }> = {
            let mut list = [::core::ptr::null_mut(); FILES_COUNT + 1];
            let mut i = 0;
            while i < FILES_COUNT {
                list[i] = FILES[i].as_attribute();
                i += 1;
            }
            sysfs::PointerList(list)
        };
        static GROUP: sysfs::Group = sysfs::Group::new($dir, &LIST);
        GROUP.as_ptr()
    }};
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/sysfs.rs"]
mod kunit;
