// SPDX-License-Identifier: GPL-2.0

//! What a host driver adds to the core.

use core::marker::PhantomData;

use kernel::{
    error::from_result,
    prelude::*, //
};

use super::Hba;
use crate::abi::bindings;

/// The operations of a UFS host controller variant (`struct ufs_hba_variant_ops`).
///
/// All are optional; the core has defaults.
#[vtable]
pub(crate) trait VariantOps: Send + Sync + Sized + 'static {
    /// What the driver keeps for each host. Lives from before the host's allocation until after
    /// the core has released everything of it.
    type Data: Send + Sync + 'static;

    /// The variant's name in the core's messages.
    const NAME: &'static CStr;

    /// Tells the core where the MCQ queue configuration registers are.
    ///
    /// Context: may sleep; during the host's registration, on hosts that report MCQ.
    ///
    /// # Errors
    ///
    /// Without MCQ then, or not at all if the host has no doorbell.
    fn mcq_config_resource(_hba: &Hba<Self>) -> Result {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }

    /// Tells the core where the MCQ operation and runtime registers are.
    ///
    /// Context and errors: as [`VariantOps::mcq_config_resource`], after it.
    fn op_runtime_config(_hba: &Hba<Self>) -> Result {
        kernel::build_error!(kernel::error::VTABLE_DEFAULT_ERROR)
    }
}

/// Makes C tables of [`VariantOps`].
pub(super) struct Table<T>(PhantomData<T>);

impl<T: VariantOps> Table<T> {
    const OPS: bindings::ufs_hba_variant_ops = {
        // SAFETY: Optional function pointers and a name, for which all zeroes mean "none".
        let mut ops: bindings::ufs_hba_variant_ops = unsafe { core::mem::zeroed() };

        ops.name = kernel::str::as_char_ptr_in_const_context(T::NAME);
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

    /// # Safety
    ///
    /// Only as the `mcq_config_resource` callback of a host made by `NewHost::<T>`.
    unsafe extern "C" fn mcq_config_resource(hba: *mut bindings::ufs_hba) -> c_int {
        // SAFETY: The core calls this for a host with this table.
        let hba = unsafe { Hba::<T>::from_raw(hba) };
        from_result(|| T::mcq_config_resource(hba).map(|()| 0))
    }

    /// # Safety
    ///
    /// Only as the `op_runtime_config` callback of a host made by `NewHost::<T>`.
    unsafe extern "C" fn op_runtime_config(hba: *mut bindings::ufs_hba) -> c_int {
        // SAFETY: The core calls this for a host with this table.
        let hba = unsafe { Hba::<T>::from_raw(hba) };
        from_result(|| T::op_runtime_config(hba).map(|()| 0))
    }
}
