// SPDX-License-Identifier: GPL-2.0

//! The files of a host: `irq_mode` and `irq_context`.
//!
//! `Documentation/ABI/testing/sysfs-driver-ufs-unisoc` describes them.

use kernel::{
    fmt::Write,
    prelude::*,
    str::Formatter, //
};

use super::{
    host::Unisoc,
    mode::{
        effective,
        Brackets,
        IrqMode,
        ValidWords, //
    },
    mode_list::Quoted, //
};
use crate::abi::{
    compat,
    sysfs::Attribute,
    ufshcd::Hba, //
};

crate::device_attributes! {
    /// The files of each host.
    pub(crate) static FILES: Groups<Hba<Unisoc>> = [IrqModeFile, IrqContextFile];
}

/// `irq_mode`: where transfers complete from the next interrupt on.
struct IrqModeFile;

#[vtable]
impl Attribute<Hba<Unisoc>> for IrqModeFile {
    const NAME: &'static CStr = c"irq_mode";

    fn show(hba: &Hba<Unisoc>, f: &mut Formatter<'_>) -> Result {
        if hba.mcq_enabled() {
            f.write_str("[core]")?;
        } else {
            let state = hba.data().irq().state();
            let mode = Brackets(effective(state.mode(), state.forced_threads()));
            write!(f, "{}", core::format_args!("{mode}"))?;
        }
        Ok(())
    }

    fn store(hba: &Hba<Unisoc>, text: &[u8]) -> Result {
        let irq = hba.data().irq();

        if hba.mcq_enabled() {
            pr_err!(
                "{}: irq_mode cannot be changed: the host uses completion queues (MCQ), which the UFS core serves\n",
                irq.display_name()
            );
            return Err(compat::errno::eopnotsupp());
        }
        let Some(mode) = IrqMode::from_word(text) else {
            pr_err!(
                "{}: irq_mode: {} is not a mode; valid are {}\n",
                irq.display_name(),
                core::format_args!("{}", Quoted(text)),
                core::format_args!("{ValidWords}")
            );
            return Err(EINVAL);
        };
        if mode != effective(mode, irq.state().forced_threads()) {
            pr_err!(
                "{}: irq_mode cannot be {}: interrupts are force-threaded (PREEMPT_RT or threadirqs)\n",
                irq.display_name(),
                mode.name()
            );
            return Err(compat::errno::eopnotsupp());
        }
        irq.set_mode(mode);
        Ok(())
    }
}

/// `irq_context`: where the last transfer completed.
struct IrqContextFile;

#[vtable]
impl Attribute<Hba<Unisoc>> for IrqContextFile {
    const NAME: &'static CStr = c"irq_context";

    fn show(hba: &Hba<Unisoc>, f: &mut Formatter<'_>) -> Result {
        let context = hba.data().irq().state().context();
        write!(f, "{}", core::format_args!("{context}"))?;
        Ok(())
    }
}
