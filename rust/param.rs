// SPDX-License-Identifier: GPL-2.0

//! Module parameters of any type, readable and writable at runtime.
//!
//! The kernel crate's `module!` knows integer parameters that are set at load and never shown. A
//! [`Param`] is read and written through sysfs as well, and its type decides what a text means.
//!
//! The kernel holds its parameter lock around every access it makes, from the load of the module
//! on. [`Param::lock`] takes the same lock, so what a setter changes and what the module reads are
//! never out of step.
//!
//! # Locks
//!
//! The parameter lock is a mutex. Setters run under it, so nothing that is held while calling
//! [`Param::lock`] may be taken by one.
//!
//! C header: [`include/linux/moduleparam.h`](srctree/include/linux/moduleparam.h)

use core::{
    cell::UnsafeCell,
    marker::PhantomData,
    ops::{
        Deref,
        DerefMut, //
    },
};

use kernel::{
    bindings,
    error::from_result,
    fmt::Write,
    page::PAGE_SIZE,
    prelude::*,
    str::Formatter, //
};

/// What a parameter's texts mean.
pub(crate) trait Value: Send + 'static {
    /// Takes over a text. On an error, must have changed nothing.
    ///
    /// Context: may sleep; under the parameter lock. Runs at the load of the module before its
    /// `init`, and from sysfs at any time later, even while the module is being unloaded.
    ///
    /// # Errors
    ///
    /// Given to whoever wrote; at load, the load fails with it.
    fn set(&mut self, text: &CStr) -> Result;

    /// Writes the text that reading the parameter gives, without a newline.
    ///
    /// Context: as [`Value::set`].
    fn show(&self, f: &mut Formatter<'_>) -> Result;
}

/// A module parameter.
///
/// Place one with [`module_param!`](super::module_param).
pub(crate) struct Param<T> {
    value: UnsafeCell<T>,
}

// SAFETY: The value is only reached under the parameter lock, from whatever thread that is.
unsafe impl<T: Send> Sync for Param<T> {}

impl<T: Value> Param<T> {
    /// The C operations for parameters with this type of value.
    const OPS: bindings::kernel_param_ops = bindings::kernel_param_ops {
        flags: 0,
        set: Some(Self::set_callback),
        get: Some(Self::get_callback),
        free: None,
    };

    /// Makes a parameter that holds `value` until somebody sets it.
    pub(crate) const fn new(value: T) -> Self {
        Self {
            value: UnsafeCell::new(value),
        }
    }

    /// Takes the parameter lock, and gives access to the value.
    ///
    /// Context: may sleep. Not from [`Value::set`] or [`Value::show`]: they run under it.
    pub(crate) fn lock(&'static self) -> Guard<T> {
        // SAFETY: The module, if it is one, is this one, hence valid as long as this code runs.
        unsafe { bindings::kernel_param_lock(owner()) };
        Guard {
            param: self,
            _not_send: PhantomData,
        }
    }

    /// # Safety
    ///
    /// Only as the `set` callback of a parameter whose argument is a `Param<T>`.
    unsafe extern "C" fn set_callback(
        val: *const c_char,
        kp: *const bindings::kernel_param,
    ) -> c_int {
        from_result(|| {
            if val.is_null() {
                return Err(EINVAL);
            }
            // SAFETY: The kernel passes a C string that lives during the call.
            let text = unsafe { CStr::from_char_ptr(val) };
            // SAFETY: By this function's requirements the argument is a static `Param<T>`.
            let param = unsafe { &*(*kp).__bindgen_anon_1.arg.cast::<Self>() };
            // SAFETY: The kernel holds the parameter lock, under which alone the value is reached.
            let value = unsafe { &mut *param.value.get() };
            value.set(text)?;
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Only as the `get` callback of a parameter whose argument is a `Param<T>`.
    unsafe extern "C" fn get_callback(
        buffer: *mut c_char,
        kp: *const bindings::kernel_param,
    ) -> c_int {
        from_result(|| {
            // SAFETY: The kernel passes a page to write to. It takes no more than this, and
            // complains.
            let page =
                unsafe { core::slice::from_raw_parts_mut(buffer.cast::<u8>(), PAGE_SIZE - 1) };
            // SAFETY: By this function's requirements the argument is a static `Param<T>`.
            let param = unsafe { &*(*kp).__bindgen_anon_1.arg.cast::<Self>() };
            // SAFETY: The kernel holds the parameter lock, under which alone the value is reached.
            let value = unsafe { &*param.value.get() };
            let mut f = Formatter::new(page);
            value.show(&mut f)?;
            f.write_str("\n")?;
            Ok(c_int::try_from(f.bytes_written())?)
        })
    }
}

/// Access to a parameter's value, under the parameter lock.
pub(crate) struct Guard<T: 'static> {
    param: &'static Param<T>,
    /// Not `Send`: a mutex is released by the task that took it.
    _not_send: PhantomData<*mut ()>,
}

impl<T> Deref for Guard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: This guard stands for the parameter lock, under which alone the value is reached.
        unsafe { &*self.param.value.get() }
    }
}

impl<T> DerefMut for Guard<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: As in `deref`; the lock is exclusive.
        unsafe { &mut *self.param.value.get() }
    }
}

impl<T> Drop for Guard<T> {
    fn drop(&mut self) {
        // SAFETY: Taken in `Param::lock`, by this task since a guard is not `Send`.
        unsafe { bindings::kernel_param_unlock(owner()) };
    }
}

/// Returns the module that owns the parameters: null if it is built in, which has its own lock.
fn owner() -> *mut bindings::module {
    #[cfg(MODULE)]
    {
        (&raw const bindings::__this_module).cast_mut()
    }
    #[cfg(not(MODULE))]
    {
        core::ptr::null_mut()
    }
}

/// A `struct kernel_param` that may be a static.
#[repr(transparent)]
pub(crate) struct KernelParam(bindings::kernel_param);

// SAFETY: The kernel reads it under its own rules; nobody writes it.
unsafe impl Sync for KernelParam {}

impl KernelParam {
    /// Describes `param` to the kernel.
    pub(crate) const fn new<T: Value>(
        name: &'static CStr,
        param: &'static Param<T>,
        ops: &'static Ops<T>,
        mode: u16,
    ) -> Self {
        Self(bindings::kernel_param {
            name: kernel::str::as_char_ptr_in_const_context(name),
            #[cfg(MODULE)]
            // CAST: The kernel wants it mutable and does not write through it.
            mod_: (&raw const bindings::__this_module).cast_mut(),
            #[cfg(not(MODULE))]
            mod_: core::ptr::null_mut(),
            ops: &ops.0,
            perm: mode,
            level: -1,
            flags: 0,
            __bindgen_anon_1: bindings::kernel_param__bindgen_ty_1 {
                arg: core::ptr::from_ref(param).cast_mut().cast(),
            },
        })
    }
}

/// Places a [`Param`] where the kernel finds it.
///
/// `type` is what `modinfo` shows in brackets, `mode` that of the file below
/// `/sys/module/<module>/parameters/`.
#[macro_export]
macro_rules! module_param {
    (
        module: $module:literal,
        name: $name:literal,
        type: $type:literal,
        mode: $mode:literal,
        param: $param:ident: $value:ty,
        description: $description:literal $(,)?
    ) => {
        const _: () = {
            use $crate::abi::param;

            static OPS: param::Ops<$value> = param::Ops::new();

            // The section is what the kernel expects there.
            #[allow(unsafe_code)]
            #[link_section = "__param"]
            #[used(compiler)]
            static KERNEL_PARAM: param::KernelParam = param::KernelParam::new(
                if cfg!(MODULE) {
                    match ::core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => panic!(),
                    }
                } else {
                    match ::core::ffi::CStr::from_bytes_with_nul(
                        concat!($module, ".", $name, "\0").as_bytes(),
                    ) {
                        Ok(name) => name,
                        Err(_) => panic!(),
                    }
                },
                &$param,
                &OPS,
                $mode,
            );

            $crate::module_info!($module, "parmtype=", $name, ":", $type);
            $crate::module_info!($module, "parm=", $name, ":", $description);
        };
    };
}

/// The operations of parameters with this type of value, as a static.
pub(crate) struct Ops<T>(bindings::kernel_param_ops, PhantomData<fn(T)>);

// SAFETY: Function pointers and numbers, never written.
unsafe impl<T> Sync for Ops<T> {}

impl<T: Value> Ops<T> {
    /// Makes them.
    pub(crate) const fn new() -> Self {
        Self(Param::<T>::OPS, PhantomData)
    }
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/param.rs"]
mod kunit;
