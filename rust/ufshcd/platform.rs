// SPDX-License-Identifier: GPL-2.0

//! A platform driver for UFS hosts.

use core::marker::PhantomData;

use kernel::{
    bindings as kernel_bindings,
    device::Bound,
    error::{
        from_result,
        to_result, //
    },
    of,
    platform,
    prelude::*,
    types::Opaque, //
};

use super::{
    host,
    Hba,
    InterruptOps,
    Registered, //
};
use crate::abi::{
    bindings,
    compat,
    sysfs, //
};

/// A driver for UFS hosts on the platform bus.
pub(crate) trait PlatformDriver: InterruptOps {
    /// What the driver knows about each entry of its table.
    type IdInfo: 'static;

    /// The devices the driver is for.
    const OF_ID_TABLE: of::IdTable<Self::IdInfo>;

    /// The files each host has in sysfs.
    const FILES: &'static sysfs::Groups<Hba<Self>>;

    /// Brings up a host, up to [`NewHost::register`](super::NewHost::register).
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// The device stays unbound; what was taken is given back.
    fn probe<'a>(
        pdev: &'a platform::Device<Bound>,
        info: Option<&'static Self::IdInfo>,
    ) -> Result<Registered<'a, Self>>;
}

// SAFETY: `Groups<Hba<T>>` get into the `dev_groups` of a driver only through
// `Registration::<T>`, whose devices have a host of `T` as their driver data while they are bound.
unsafe impl<T: PlatformDriver> sysfs::Owner for Hba<T> {
    unsafe fn from_device<'a>(dev: *mut kernel_bindings::device) -> &'a Self {
        // SAFETY: By this function's requirements, a valid device.
        let hba = unsafe { kernel_bindings::dev_get_drvdata(dev) };
        // SAFETY: `Registration::probe` succeeded, so `NewHost::<T>::register` did, and that sets
        // the driver data to the host. It is alive until after the device was unbound.
        unsafe { Hba::from_raw(hba.cast()) }
    }
}

/// The registration of a [`PlatformDriver`]; dropping it unregisters the driver.
#[pin_data(PinnedDrop)]
pub(crate) struct Registration<T: PlatformDriver> {
    #[pin]
    driver: Opaque<kernel_bindings::platform_driver>,
    _driver: PhantomData<T>,
}

// SAFETY: Nothing can be done through a shared reference.
unsafe impl<T: PlatformDriver> Sync for Registration<T> {}
// SAFETY: A driver may be unregistered from any thread.
unsafe impl<T: PlatformDriver> Send for Registration<T> {}

impl<T: PlatformDriver> Registration<T> {
    /// The power management callbacks are the core's; they find the host in the driver data.
    const PM_OPS: kernel_bindings::dev_pm_ops = {
        let mut ops: kernel_bindings::dev_pm_ops = pin_init::zeroed();

        #[cfg(CONFIG_PM)]
        {
            ops.runtime_suspend = Some(pm::runtime_suspend);
            ops.runtime_resume = Some(pm::runtime_resume);
        }
        #[cfg(CONFIG_PM_SLEEP)]
        {
            ops.prepare = Some(pm::prepare);
            ops.complete = Some(pm::complete);
            ops.suspend = Some(pm::system_suspend);
            ops.resume = Some(pm::system_resume);
            ops.freeze = Some(pm::system_freeze);
            ops.thaw = Some(pm::system_thaw);
            ops.poweroff = Some(pm::system_suspend);
            ops.restore = Some(pm::system_restore);
        }
        ops
    };

    /// Registers the driver.
    pub(crate) fn new(
        name: &'static CStr,
        module: &'static ThisModule,
    ) -> impl PinInit<Self, Error> {
        try_pin_init!(Self {
            driver <- Opaque::try_ffi_init(|driver: *mut kernel_bindings::platform_driver| {
                // SAFETY: `driver` may be written.
                unsafe { driver.write(pin_init::zeroed()) };
                // SAFETY: Just initialised, and not registered yet.
                let fields = unsafe { &mut *driver };
                fields.probe = Some(Self::probe);
                fields.remove = Some(Self::remove);
                fields.driver.name = name.as_char_ptr();
                fields.driver.of_match_table = T::OF_ID_TABLE.as_ptr();
                fields.driver.dev_groups = T::FILES.as_ptr().cast_mut();
                fields.driver.pm = &Self::PM_OPS;
                // Removal waits for asynchronous calls, so it must not be in one: that is where it
                // would be if a probe in one failed late.
                fields.driver.probe_type = kernel_bindings::probe_type_PROBE_FORCE_SYNCHRONOUS;

                // SAFETY: A complete driver, pinned until it is unregistered in `drop`.
                to_result(unsafe {
                    kernel_bindings::__platform_driver_register(
                        driver,
                        module.as_ptr(),
                        name.as_char_ptr(),
                    )
                })
            }),
            _driver: PhantomData,
        }? Error)
    }

    /// # Safety
    ///
    /// Only as the `probe` callback of a driver registered by [`Registration::new`].
    unsafe extern "C" fn probe(pdev: *mut kernel_bindings::platform_device) -> c_int {
        // SAFETY: The bus calls this with a valid device, which counts as bound from here on, as
        // its resources are released even if this fails. The type is a transparent wrapper.
        let dev = unsafe { &*pdev.cast::<platform::Device<Bound>>() };

        from_result(|| {
            let info = compat::of_id_info(dev.as_ref(), T::OF_ID_TABLE);
            T::probe(dev, info)?.keep();

            // The core wants it so: the device is active, and may be suspended from now on.
            //
            // SAFETY: A valid device.
            unsafe {
                kernel_bindings::__pm_runtime_set_status(
                    &raw mut (*pdev).dev,
                    // CAST: A small constant.
                    kernel_bindings::rpm_status_RPM_ACTIVE as c_uint,
                )
            };
            // SAFETY: A valid device.
            unsafe { kernel_bindings::pm_runtime_enable(&raw mut (*pdev).dev) };
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Only as the `remove` callback of a driver registered by [`Registration::new`].
    unsafe extern "C" fn remove(pdev: *mut kernel_bindings::platform_device) {
        // SAFETY: The bus calls this with a valid device.
        let dev = unsafe { &raw mut (*pdev).dev };
        // SAFETY: As above; probe succeeded, so its driver data is the host.
        let hba = unsafe { kernel_bindings::dev_get_drvdata(dev) }.cast::<bindings::ufs_hba>();

        // CAST: A small constant.
        let get_sync = kernel_bindings::RPM_GET_PUT as c_int;
        // SAFETY: A valid device. The core wants its host resumed; an error is the core's to find.
        unsafe { kernel_bindings::__pm_runtime_resume(dev, get_sync) };
        // SAFETY: Kept with the core by `probe`, and removed here only.
        unsafe { host::remove(hba) };
        // SAFETY: Enabled in `probe`.
        unsafe { kernel_bindings::__pm_runtime_disable(dev, true) };
        // SAFETY: Gives back what was taken above.
        unsafe { bindings::ufs_unisoc_pm_runtime_put_noidle(dev.cast()) };
    }
}

#[pinned_drop]
impl<T: PlatformDriver> PinnedDrop for Registration<T> {
    fn drop(self: Pin<&mut Self>) {
        // SAFETY: Registered in `new`.
        unsafe { kernel_bindings::platform_driver_unregister(self.driver.get()) };
    }
}

/// The core's power management callbacks, with the kernel crate's type for a device.
mod pm {
    use super::*;

    macro_rules! forward {
        ($(#[$cfg:meta] $name:ident => $core:ident $(-> $ret:ty)?;)*) => {$(
            /// # Safety
            ///
            /// Only as a callback for devices with a host of the core.
            #[$cfg]
            pub(super) unsafe extern "C" fn $name(
                dev: *mut kernel_bindings::device,
            ) $(-> $ret)? {
                // SAFETY: By this function's requirements.
                unsafe { bindings::$core(dev.cast()) }
            }
        )*};
    }

    forward! {
        #[cfg(CONFIG_PM_SLEEP)] prepare => ufshcd_suspend_prepare -> c_int;
        #[cfg(CONFIG_PM_SLEEP)] complete => ufshcd_resume_complete;
        #[cfg(CONFIG_PM_SLEEP)] system_suspend => ufshcd_system_suspend -> c_int;
        #[cfg(CONFIG_PM_SLEEP)] system_resume => ufshcd_system_resume -> c_int;
        #[cfg(CONFIG_PM_SLEEP)] system_freeze => ufshcd_system_freeze -> c_int;
        #[cfg(CONFIG_PM_SLEEP)] system_thaw => ufshcd_system_thaw -> c_int;
        #[cfg(CONFIG_PM_SLEEP)] system_restore => ufshcd_system_restore -> c_int;
        #[cfg(CONFIG_PM)] runtime_suspend => ufshcd_runtime_suspend -> c_int;
        #[cfg(CONFIG_PM)] runtime_resume => ufshcd_runtime_resume -> c_int;
    }
}
