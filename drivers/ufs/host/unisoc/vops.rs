// SPDX-License-Identifier: GPL-2.0

//! What the core asks of a host.

use kernel::prelude::*;

use super::host::{
    HostData,
    Unisoc, //
};
use crate::abi::ufshcd::{
    McqSetup,
    VariantOps, //
};

#[vtable]
impl VariantOps for Unisoc {
    type Data = HostData;

    const NAME: &'static CStr = c"unisoc";

    fn mcq_config_resource(hba: &McqSetup<'_, Self>) -> Result {
        hba.use_reported_config()
    }

    fn op_runtime_config(hba: &McqSetup<'_, Self>) -> Result {
        hba.use_reported_runtime()
    }
}
