// SPDX-License-Identifier: GPL-2.0

//! What a host driver adds to the core.

use core::marker::PhantomData;

use kernel::{
    error::from_result,
    prelude::*, //
};

use super::{
    Hba,
    McqSetup,
    PowerMode,
    ScsiDevice,
    Setup,
    XferReq, //
};
use crate::abi::bindings;

/// Whether clocks are being switched on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clocks {
    /// On.
    On,
    /// Off.
    Off,
}

/// Why a host is suspended or resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PmOp {
    /// It is idle.
    Runtime,
    /// The system goes to sleep.
    System,
    /// The system is switched off.
    Shutdown,
}

/// The operations of a UFS host controller variant (`struct ufs_hba_variant_ops`).
///
/// All are optional. Those the core calls before and after something are two here. Unless stated
/// otherwise they may sleep.
#[vtable]
pub(crate) trait VariantOps: Send + Sync + Sized + 'static {
    /// What the driver keeps for each host. Lives from before the host's allocation until after
    /// the core has released everything of it.
    type Data: Send + Sync + 'static;

    /// The variant's name in the core's messages.
    const NAME: &'static CStr;

    /// Sets quirks and capabilities, and prepares the hardware. Clocks and supplies are on.
    ///
    /// # Errors
    ///
    /// The host is not registered then; [`VariantOps::exit`] is not called.
    fn init(_hba: &Setup<'_, Self>) -> Result {
        Ok(())
    }

    /// Undoes [`VariantOps::init`].
    fn exit(_hba: &Hba<Self>) {}

    /// Returns the version of UFSHCI: major version in bits 15:8, minor in 7:4.
    ///
    /// Asked only of hosts with the quirk for a wrong version register.
    fn ufs_hci_version(_hba: &Hba<Self>) -> u32 {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }

    /// Before the core switches its clocks. The first time is before [`VariantOps::init`].
    ///
    /// # Errors
    ///
    /// The clocks stay as they are.
    fn pre_setup_clocks(_hba: &Hba<Self>, _clocks: Clocks) -> Result {
        Ok(())
    }

    /// Before the controller is enabled.
    ///
    /// # Errors
    ///
    /// For the log only: the core goes on.
    fn pre_hce_enable(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// After the controller was enabled.
    ///
    /// # Errors
    ///
    /// For the log only: the core goes on.
    fn post_hce_enable(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// Before link start-up; twice if the device is not active yet.
    ///
    /// To be observed ([`VariantOps::observe_link_startup`]), the last DME command in here must
    /// have an attribute as its argument.
    ///
    /// # Errors
    ///
    /// For the log only: the core goes on.
    fn pre_link_startup(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// Returns whether [`VariantOps::observe_link_startup`] is wanted for this host.
    ///
    /// Asked once, when the host is allocated.
    fn observes_link_startup(_data: &Self::Data) -> bool {
        false
    }

    /// Beside link start-up, for each try: in a thread, from when the core has given its
    /// DME_LINK_STARTUP (within microseconds, and late if this thread is).
    ///
    /// Whatever comes next waits for this: it must be short, and must not wait for the core, as by
    /// sending DME commands. The clocks are on. The link may be up by then, or have failed.
    ///
    /// Context: may sleep, but must not allocate memory that storage may be needed for.
    fn observe_link_startup(_hba: &Hba<Self>) {}

    /// After link start-up.
    ///
    /// # Errors
    ///
    /// Link start-up has failed then.
    fn post_link_startup(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// After the power mode was changed.
    fn post_power_change(_hba: &Hba<Self>, _mode: &PowerMode) {}

    /// Before hibern8 is entered.
    fn pre_hibern8_enter(_hba: &Hba<Self>) {}

    /// After hibern8 was left.
    fn post_hibern8_exit(_hba: &Hba<Self>) {}

    /// Once the device is known: sets UniPro attributes that depend on it.
    ///
    /// # Errors
    ///
    /// Ignored by the core.
    fn apply_dev_quirks(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// At the end of a suspend, with the link in its final state and the clocks still on.
    ///
    /// # Errors
    ///
    /// The suspend is given up.
    fn post_suspend(_hba: &Hba<Self>, _op: PmOp) -> Result {
        Ok(())
    }

    /// At the beginning of a resume, with clocks and supplies on.
    ///
    /// # Errors
    ///
    /// The resume is given up.
    fn resume(_hba: &Hba<Self>, _op: PmOp) -> Result {
        Ok(())
    }

    /// Resets the device.
    ///
    /// # Errors
    ///
    /// For the log only: the core goes on.
    fn device_reset(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    /// Writes the variant's registers to the log; after an error.
    ///
    /// The core asks for it in any context, also for each request that fails, in hard IRQ. It is
    /// passed on only where that may sleep: in its error handler.
    fn dbg_register_dump(_hba: &Hba<Self>) {}

    /// Before a transfer request is rung in; on hosts with a doorbell.
    ///
    /// Context: any, under a spinlock with interrupts off.
    fn setup_xfer_req(_req: &XferReq<'_, Self>) {}

    /// Configures a logical unit.
    fn config_scsi_dev(_dev: &mut ScsiDevice) {}

    /// Tells the core where the MCQ queue configuration registers are.
    ///
    /// # Errors
    ///
    /// Without MCQ then, or not at all if the host has no doorbell.
    fn mcq_config_resource(_hba: &McqSetup<'_, Self>) -> Result {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }

    /// Tells the core where the MCQ operation and runtime registers are.
    ///
    /// # Errors
    ///
    /// As [`VariantOps::mcq_config_resource`], after which it is called.
    fn op_runtime_config(_hba: &McqSetup<'_, Self>) -> Result {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }
}

/// Makes C tables of [`VariantOps`].
pub(super) struct Table<T>(PhantomData<T>);

const PRE: bindings::ufs_notify_change_status = bindings::ufs_notify_change_status::PRE_CHANGE;
const POST: bindings::ufs_notify_change_status = bindings::ufs_notify_change_status::POST_CHANGE;

impl PmOp {
    fn from_raw(op: bindings::ufs_pm_op) -> Self {
        match op {
            bindings::ufs_pm_op::UFS_RUNTIME_PM => Self::Runtime,
            bindings::ufs_pm_op::UFS_SHUTDOWN_PM => Self::Shutdown,
            _ => Self::System,
        }
    }
}

/// Writes the C callbacks of a [`Table`]: the core calls each for a host that `NewHost::<T>` made.
macro_rules! callbacks {
    ($(
        fn $name:ident($hba:ident $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)? $body:block
    )*) => {$(
        /// # Safety
        ///
        /// Only as the callback of this name, for a host that was made by `NewHost::<T>`.
        unsafe extern "C" fn $name(hba: *mut bindings::ufs_hba $(, $arg: $ty)*) $(-> $ret)? {
            // SAFETY: By this function's requirements; the core keeps the host during the call.
            let $hba = unsafe { Hba::<T>::from_raw(hba) };
            $body
        }
    )*};
}

impl<T: VariantOps> Table<T> {
    const OPS: bindings::ufs_hba_variant_ops = {
        // SAFETY: Optional function pointers and a name, for which all zeroes mean "none".
        let mut ops: bindings::ufs_hba_variant_ops = unsafe { core::mem::zeroed() };

        ops.name = kernel::str::as_char_ptr_in_const_context(T::NAME);
        if T::HAS_INIT {
            ops.init = Some(Self::init);
        }
        if T::HAS_EXIT || T::HAS_OBSERVE_LINK_STARTUP {
            ops.exit = Some(Self::exit);
        }
        if T::HAS_UFS_HCI_VERSION {
            ops.get_ufs_hci_version = Some(Self::get_ufs_hci_version);
        }
        if T::HAS_PRE_SETUP_CLOCKS || T::HAS_OBSERVE_LINK_STARTUP {
            ops.setup_clocks = Some(Self::setup_clocks);
        }
        if T::HAS_PRE_HCE_ENABLE || T::HAS_POST_HCE_ENABLE || T::HAS_OBSERVE_LINK_STARTUP {
            ops.hce_enable_notify = Some(Self::hce_enable_notify);
        }
        if T::HAS_PRE_LINK_STARTUP || T::HAS_POST_LINK_STARTUP || T::HAS_OBSERVE_LINK_STARTUP {
            ops.link_startup_notify = Some(Self::link_startup_notify);
        }
        if T::HAS_POST_POWER_CHANGE {
            ops.pwr_change_notify = Some(Self::pwr_change_notify);
        }
        if T::HAS_PRE_HIBERN8_ENTER || T::HAS_POST_HIBERN8_EXIT {
            ops.hibern8_notify = Some(Self::hibern8_notify);
        }
        if T::HAS_APPLY_DEV_QUIRKS {
            ops.apply_dev_quirks = Some(Self::apply_dev_quirks);
        }
        if T::HAS_POST_SUSPEND || T::HAS_OBSERVE_LINK_STARTUP {
            ops.suspend = Some(Self::suspend);
        }
        if T::HAS_RESUME {
            ops.resume = Some(Self::resume);
        }
        if T::HAS_DEVICE_RESET {
            ops.device_reset = Some(Self::device_reset);
        }
        if T::HAS_DBG_REGISTER_DUMP {
            ops.dbg_register_dump = Some(Self::dbg_register_dump);
        }
        if T::HAS_SETUP_XFER_REQ {
            ops.setup_xfer_req = Some(Self::setup_xfer_req);
        }
        if T::HAS_CONFIG_SCSI_DEV {
            ops.config_scsi_dev = Some(Self::config_scsi_dev);
        }
        if T::HAS_MCQ_CONFIG_RESOURCE {
            ops.mcq_config_resource = Some(Self::mcq_config_resource);
        }
        if T::HAS_OP_RUNTIME_CONFIG {
            ops.op_runtime_config = Some(Self::op_runtime_config);
        }
        ops
    };

    /// Returns the variant's table.
    pub(super) const fn as_ptr() -> *const bindings::ufs_hba_variant_ops {
        &Self::OPS
    }

    callbacks! {
        fn init(hba) -> c_int {
            // SAFETY: This is the callback.
            let setup = unsafe { Setup::new(hba) };

            from_result(|| T::init(&setup).map(|()| 0))
        }

        fn exit(hba) {
            hba.private().finish_observation();
            T::exit(hba);
        }

        fn get_ufs_hci_version(hba) -> u32 {
            T::ufs_hci_version(hba)
        }

        fn setup_clocks(hba, on: bool, status: bindings::ufs_notify_change_status) -> c_int {
            let clocks = if on { Clocks::On } else { Clocks::Off };

            if status == PRE && clocks == Clocks::Off {
                hba.private().finish_observation();
            }
            from_result(|| match status {
                PRE => T::pre_setup_clocks(hba, clocks).map(|()| 0),
                _ => Ok(0),
            })
        }

        fn hce_enable_notify(hba, status: bindings::ufs_notify_change_status) -> c_int {
            hba.private().finish_observation();
            from_result(|| match status {
                PRE => T::pre_hce_enable(hba).map(|()| 0),
                _ => T::post_hce_enable(hba).map(|()| 0),
            })
        }

        fn link_startup_notify(hba, status: bindings::ufs_notify_change_status) -> c_int {
            let private = hba.private();

            private.finish_observation();
            from_result(|| match status {
                PRE => {
                    T::pre_link_startup(hba)?;
                    if let Some(observer) = &private.observer {
                        // SAFETY: `NewHost::alloc` has it finished before the host is freed.
                        unsafe { observer.start(hba) };
                    }
                    Ok(0)
                }
                _ => T::post_link_startup(hba).map(|()| 0),
            })
        }

        fn pwr_change_notify(
            hba,
            status: bindings::ufs_notify_change_status,
            mode: *mut bindings::ufs_pa_layer_attr
        ) -> c_int {
            if status == POST {
                // SAFETY: The core passes the mode it has set, for the call.
                T::post_power_change(hba, unsafe { PowerMode::from_raw(mode) });
            }
            0
        }

        fn hibern8_notify(
            hba,
            cmd: bindings::uic_cmd_dme,
            status: bindings::ufs_notify_change_status
        ) {
            match (cmd, status) {
                (bindings::uic_cmd_dme::UIC_CMD_DME_HIBER_ENTER, PRE) => T::pre_hibern8_enter(hba),
                (bindings::uic_cmd_dme::UIC_CMD_DME_HIBER_EXIT, POST) => T::post_hibern8_exit(hba),
                _ => {}
            }
        }

        fn apply_dev_quirks(hba) -> c_int {
            from_result(|| T::apply_dev_quirks(hba).map(|()| 0))
        }

        fn suspend(
            hba,
            op: bindings::ufs_pm_op,
            status: bindings::ufs_notify_change_status
        ) -> c_int {
            hba.private().finish_observation();
            from_result(|| match status {
                POST => T::post_suspend(hba, PmOp::from_raw(op)).map(|()| 0),
                _ => Ok(0),
            })
        }

        fn resume(hba, op: bindings::ufs_pm_op) -> c_int {
            from_result(|| T::resume(hba, PmOp::from_raw(op)).map(|()| 0))
        }

        fn device_reset(hba) -> c_int {
            from_result(|| T::device_reset(hba).map(|()| 0))
        }

        fn dbg_register_dump(hba) {
            // SAFETY: Reads the current context.
            if unsafe { bindings::ufs_unisoc_may_sleep() } {
                T::dbg_register_dump(hba);
            }
        }

        fn setup_xfer_req(hba, tag: c_int, is_scsi: bool) {
            if let Ok(tag) = u32::try_from(tag) {
                // SAFETY: This is the callback, and tag and kind are its.
                T::setup_xfer_req(&unsafe { XferReq::new(hba, tag, is_scsi) });
            }
        }

        fn mcq_config_resource(hba) -> c_int {
            // SAFETY: This is the callback.
            let setup = unsafe { McqSetup::new(hba) };

            from_result(|| T::mcq_config_resource(&setup).map(|()| 0))
        }

        fn op_runtime_config(hba) -> c_int {
            // SAFETY: This is the callback.
            let setup = unsafe { McqSetup::new(hba) };

            from_result(|| T::op_runtime_config(&setup).map(|()| 0))
        }
    }

    /// # Safety
    ///
    /// Only as the callback of this name.
    unsafe extern "C" fn config_scsi_dev(dev: *mut bindings::scsi_device) {
        // SAFETY: The core passes a device that it is configuring, so nobody else changes it.
        T::config_scsi_dev(unsafe { ScsiDevice::from_raw(dev) });
    }
}
