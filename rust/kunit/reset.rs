// SPDX-License-Identifier: GPL-2.0

//! Tests of reset lines, with a controller that only notes what it is asked for.

use core::{
    mem::size_of,
    ptr::{
        self,
        NonNull, //
    }, //
};

use kernel::{
    bindings as kernel_bindings,
    error::{
        from_err_ptr,
        to_result, //
    },
    prelude::*,
    sync::atomic::{
        Atomic,
        Relaxed, //
    },
    types::Opaque, //
};

use super::Control;
use crate::abi::{
    bindings,
    kunit::{
        self,
        device::TestDevice, //
    }, //
};

/// The line that the device's node calls "global", and how many there are.
const GLOBAL: u64 = 3;
const LINE_COUNT: u32 = 5;

/// A controller, and what it was asked for last.
#[repr(C)]
struct Controller {
    rcdev: bindings::reset_controller_dev,
    /// A line, and 1 more if it was asserted: twice the line's number, plus that.
    asked: Atomic<u64>,
    error: Atomic<i32>,
}

impl Controller {
    /// # Safety
    ///
    /// `rcdev` must be the field of a `Controller`.
    unsafe fn note(rcdev: *mut bindings::reset_controller_dev, line: u64, assert: bool) -> c_int {
        // SAFETY: By this function's requirements; it is the first field.
        let this = unsafe { &*rcdev.cast::<Self>() };

        this.asked.store(2 * line + u64::from(assert), Relaxed);
        this.error.load(Relaxed)
    }
}

/// # Safety
///
/// Only as a callback of [`OPS`].
unsafe extern "C" fn assert_line(
    rcdev: *mut bindings::reset_controller_dev,
    line: c_ulong,
) -> c_int {
    // SAFETY: By this function's requirements.
    unsafe { Controller::note(rcdev, line as u64, true) }
}

/// # Safety
///
/// Only as a callback of [`OPS`].
unsafe extern "C" fn deassert_line(
    rcdev: *mut bindings::reset_controller_dev,
    line: c_ulong,
) -> c_int {
    // SAFETY: By this function's requirements.
    unsafe { Controller::note(rcdev, line as u64, false) }
}

static OPS: bindings::reset_control_ops = bindings::reset_control_ops {
    reset: None,
    assert: Some(assert_line),
    deassert: Some(deassert_line),
    status: None,
};

/// A controller that is registered, under a node of its own.
///
/// # Invariants
///
/// `node` is ours; if `registered`, so is the controller.
struct Bench {
    node: NonNull<kernel_bindings::fwnode_handle>,
    controller: KBox<Opaque<Controller>>,
    registered: bool,
}

impl Bench {
    fn new(registered: bool) -> Result<Self> {
        let controller = KBox::new(
            Opaque::new(Controller {
                // SAFETY: Numbers, lists and optional pointers, for which zeroes mean "none".
                rcdev: unsafe { core::mem::zeroed() },
                asked: Atomic::new(u64::MAX),
                error: Atomic::new(0),
            }),
            GFP_KERNEL,
        )?;
        let mut cells = entry(
            c"#reset-cells",
            kernel_bindings::dev_prop_type_DEV_PROP_U32,
            size_of::<u32>(),
        );
        cells.is_inline = true;
        cells.__bindgen_anon_1.value =
            kernel_bindings::property_entry__bindgen_ty_1__bindgen_ty_1 { u32_data: [1, 0] };
        let properties = [cells, pin_init::zeroed()];
        // SAFETY: A list that ends with an empty entry, and is copied.
        let node = from_err_ptr(unsafe {
            kernel_bindings::fwnode_create_software_node(properties.as_ptr(), ptr::null())
        })?;
        // INVARIANT: Just made, and not registered yet.
        let mut this = Self {
            node: NonNull::new(node).ok_or(ENOMEM)?,
            controller,
            registered: false,
        };
        if registered {
            let rcdev = this.rcdev();
            // SAFETY: Ours, and not registered.
            unsafe {
                (*rcdev).ops = &OPS;
                (*rcdev).owner = kunit::this_module().cast();
                (*rcdev).fwnode = node.cast();
                (*rcdev).nr_resets = LINE_COUNT;
            }
            // SAFETY: Complete, and unregistered before it goes.
            to_result(unsafe { bindings::reset_controller_register(rcdev) })?;
            // INVARIANT: Just registered.
            this.registered = true;
        }
        Ok(this)
    }

    fn rcdev(&self) -> *mut bindings::reset_controller_dev {
        // The first field.
        self.controller.get().cast()
    }

    /// Makes a device whose node calls line `line` "global".
    fn device(&self, line: u64) -> Result<TestDevice> {
        let mut reference: kernel_bindings::software_node_ref_args = pin_init::zeroed();
        reference.fwnode = self.node.as_ptr();
        reference.nargs = 1;
        reference.args[0] = line;

        let mut resets = entry(
            c"resets",
            kernel_bindings::dev_prop_type_DEV_PROP_REF,
            size_of::<kernel_bindings::software_node_ref_args>(),
        );
        resets.__bindgen_anon_1.pointer = (&raw const reference).cast();
        let mut names = entry(
            c"reset-names",
            kernel_bindings::dev_prop_type_DEV_PROP_STRING,
            size_of::<*const c_char>(),
        );
        names.is_inline = true;
        names.__bindgen_anon_1.value =
            kernel_bindings::property_entry__bindgen_ty_1__bindgen_ty_1 {
                str_: [c"global".as_char_ptr()],
            };

        TestDevice::with_properties(&[], &[resets, names, pin_init::zeroed()])
    }

    fn asked(&self) -> u64 {
        // SAFETY: An atomic field of what is ours.
        unsafe { (*self.controller.get()).asked.load(Relaxed) }
    }

    fn fail_with(&self, err: Error) {
        // SAFETY: As above.
        unsafe {
            (*self.controller.get())
                .error
                .store(err.to_errno(), Relaxed)
        };
    }
}

fn entry(
    name: &'static CStr,
    kind: kernel_bindings::dev_prop_type,
    length: usize,
) -> kernel_bindings::property_entry {
    let mut entry: kernel_bindings::property_entry = pin_init::zeroed();

    entry.name = name.as_char_ptr();
    entry.type_ = kind;
    entry.length = length;
    entry
}

impl Drop for Bench {
    fn drop(&mut self) {
        if self.registered {
            // SAFETY: By the invariants.
            unsafe { bindings::reset_controller_unregister(self.rcdev()) };
        }
        // SAFETY: By the invariants.
        unsafe { kernel_bindings::fwnode_remove_software_node(self.node.as_ptr()) };
    }
}

#[kunit_tests(ufs_unisoc_reset)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_asserted_and_deasserted() -> Result {
        let bench = Bench::new(true)?;
        let device = bench.device(GLOBAL)?;
        let line = Control::exclusive(device.as_ref(), c"global")?;

        line.assert()?;
        assert_eq!(bench.asked(), 2 * GLOBAL + 1);
        line.deassert()?;
        assert_eq!(bench.asked(), 2 * GLOBAL);
        Ok(())
    }

    #[test]
    fn an_error_of_the_controller_is_passed_on() -> Result {
        let bench = Bench::new(true)?;
        let device = bench.device(GLOBAL)?;
        let line = Control::exclusive(device.as_ref(), c"global")?;

        bench.fail_with(EREMOTEIO);
        assert!(line.assert() == Err(EREMOTEIO));
        assert!(line.deassert() == Err(EREMOTEIO));
        Ok(())
    }

    #[test]
    fn a_line_that_was_given_back_can_be_had_again() -> Result {
        let bench = Bench::new(true)?;
        let device = bench.device(GLOBAL)?;

        // An exclusive line that somebody still had would be a warning, and EBUSY.
        for _ in 0..3 {
            drop(Control::exclusive(device.as_ref(), c"global")?);
        }
        Ok(())
    }

    #[test]
    fn a_line_of_another_name_is_not_there() -> Result {
        let bench = Bench::new(true)?;
        let device = bench.device(GLOBAL)?;

        assert!(Control::exclusive(device.as_ref(), c"other").err() == Some(ENOENT));
        assert_eq!(bench.asked(), u64::MAX);
        Ok(())
    }

    #[test]
    fn a_line_that_the_controller_has_not_is_refused() -> Result {
        let bench = Bench::new(true)?;
        let device = bench.device(LINE_COUNT.into())?;

        assert!(Control::exclusive(device.as_ref(), c"global").err() == Some(EINVAL));
        Ok(())
    }

    #[test]
    fn a_controller_that_is_not_there_yet_defers() -> Result {
        let bench = Bench::new(false)?;
        let device = bench.device(GLOBAL)?;

        assert!(Control::exclusive(device.as_ref(), c"global").err() == Some(EPROBE_DEFER));
        Ok(())
    }

    #[test]
    fn a_device_without_a_node_has_no_lines() -> Result {
        let device = TestDevice::new(&[])?;

        assert!(Control::exclusive(device.as_ref(), c"global").err() == Some(ENOENT));
        Ok(())
    }
}
