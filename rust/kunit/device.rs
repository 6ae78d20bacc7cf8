// SPDX-License-Identifier: GPL-2.0

//! Platform devices without hardware.

use core::{
    ops::Deref,
    ptr::{
        self,
        NonNull, //
    }, //
};

use kernel::{
    bindings,
    device::Bound,
    error::{
        from_err_ptr,
        to_result, //
    },
    platform,
    prelude::*,
    str::CString,
    sync::atomic::{
        Atomic,
        Relaxed, //
    },
    types::Opaque, //
};

/// How many devices there have been: each has a name of its own, so that one that a failed test
/// left behind is in nobody's way.
static COUNT: Atomic<u32> = Atomic::new(0);

/// A platform device that is bound, with interrupts as its resources.
///
/// # Invariants
///
/// `driver` is registered, and `pdev` is a registered device that is bound to it.
pub(crate) struct TestDevice {
    pdev: NonNull<bindings::platform_device>,
    driver: Pin<KBox<Opaque<bindings::platform_driver>>>,
    /// What both are called.
    _name: CString,
}

impl TestDevice {
    /// Makes a device that has these interrupts.
    pub(crate) fn new(wires: &[u32]) -> Result<Self> {
        Self::with_properties(wires, &[])
    }

    /// Makes a device that has these interrupts, and these properties: none, or a list that ends
    /// with an empty one.
    pub(crate) fn with_properties(
        wires: &[u32],
        properties: &[bindings::property_entry],
    ) -> Result<Self> {
        let mut resources = KVec::<bindings::resource>::new();
        for wire in wires {
            let mut resource: bindings::resource = pin_init::zeroed();
            resource.start = (*wire).into();
            resource.end = (*wire).into();
            resource.flags = bindings::IORESOURCE_IRQ as usize;
            resources.push(resource, GFP_KERNEL)?;
        }

        let name = CString::try_from_fmt(fmt!("ufs_unisoc_kunit{}", COUNT.fetch_add(1, Relaxed)))?;
        let driver = KBox::pin_init(
            Opaque::ffi_init(|driver: *mut bindings::platform_driver| {
                // SAFETY: `driver` may be written; zeroes mean "none".
                unsafe { driver.write(pin_init::zeroed()) };
                // SAFETY: Just initialised. Nobody but a test binds and unbinds its devices.
                unsafe { (*driver).driver.suppress_bind_attrs = true };
                // SAFETY: As above.
                unsafe { (*driver).driver.name = name.as_char_ptr() };
            }),
            GFP_KERNEL,
        )?;
        // SAFETY: A complete driver, pinned until it is unregistered in `drop`, or was not
        // registered.
        to_result(unsafe {
            bindings::__platform_driver_register(
                driver.get(),
                super::this_module(),
                name.as_char_ptr(),
            )
        })?;

        let info = bindings::platform_device_info {
            name: name.as_char_ptr(),
            // CAST: -1: without a number.
            id: bindings::PLATFORM_DEVID_NONE,
            res: resources.as_ptr(),
            // CAST: A handful.
            num_res: resources.len() as c_uint,
            properties: if properties.is_empty() {
                ptr::null()
            } else {
                properties.as_ptr()
            },
            ..pin_init::zeroed()
        };
        // SAFETY: Complete, and only read during the call. It probes the device in this task.
        let pdev = from_err_ptr(unsafe { bindings::platform_device_register_full(&info) })
            .and_then(|pdev| NonNull::new(pdev).ok_or(ENOMEM))
            .inspect_err(|_| {
                // SAFETY: Registered above.
                unsafe { bindings::platform_driver_unregister(driver.get()) }
            })?;
        // INVARIANT: As just registered; a driver without a probe function takes any device of its
        // name.
        Ok(Self {
            pdev,
            driver,
            _name: name,
        })
    }
}

impl Deref for TestDevice {
    type Target = platform::Device<Bound>;

    fn deref(&self) -> &Self::Target {
        // SAFETY: Bound until it is unregistered in `drop`, by the invariants. The type is a
        // transparent wrapper.
        unsafe { self.pdev.cast().as_ref() }
    }
}

impl Drop for TestDevice {
    fn drop(&mut self) {
        // SAFETY: By the invariants it is registered, and it is ours.
        unsafe { bindings::platform_device_unregister(self.pdev.as_ptr()) };
        // SAFETY: As above.
        unsafe { bindings::platform_driver_unregister(self.driver.get()) };
    }
}
