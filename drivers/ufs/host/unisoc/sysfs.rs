// SPDX-License-Identifier: GPL-2.0

//! The files of a host: `irq_mode`, `irq_context`, and the limits in `irq_fastpath/`.
//!
//! `Documentation/ABI/testing/sysfs-driver-ufs-unisoc` describes them.

use kernel::{
    fmt::Write,
    prelude::*,
    str::Formatter, //
};

use super::{
    host::Unisoc,
    limit::Limit,
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
    pub(crate) static FILES: Groups<Hba<Unisoc>> = {
        [IrqModeFile, IrqContextFile];
        c"irq_fastpath": [
            LimitFile<{ Limit::Bytes.index() }>,
            LimitFile<{ Limit::TimeUs.index() }>,
            LimitFile<{ Limit::CpuPercent.index() }>,
        ];
    };
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
            let state = hba.data().shared().state();
            let mode = Brackets(effective(state.mode(), state.forced_threads()));
            write!(f, "{}", core::format_args!("{mode}"))?;
        }
        Ok(())
    }

    fn store(hba: &Hba<Unisoc>, text: &[u8]) -> Result {
        let shared = hba.data().shared();

        if hba.mcq_enabled() {
            pr_err!(
                "{}: irq_mode cannot be changed: the host uses completion queues (MCQ), which the UFS core serves\n",
                shared.display_name()
            );
            return Err(compat::errno::eopnotsupp());
        }
        let Some(mode) = IrqMode::from_word(text) else {
            pr_err!(
                "{}: irq_mode: {} is not a mode; valid are {}\n",
                shared.display_name(),
                core::format_args!("{}", Quoted(text)),
                core::format_args!("{ValidWords}")
            );
            return Err(EINVAL);
        };
        if mode != effective(mode, shared.state().forced_threads()) {
            pr_err!(
                "{}: irq_mode cannot be {}: interrupts are force-threaded (PREEMPT_RT or threadirqs)\n",
                shared.display_name(),
                mode.name()
            );
            return Err(compat::errno::eopnotsupp());
        }
        shared.set_mode(mode);
        Ok(())
    }
}

/// `irq_context`: where the last transfer completed.
struct IrqContextFile;

#[vtable]
impl Attribute<Hba<Unisoc>> for IrqContextFile {
    const NAME: &'static CStr = c"irq_context";

    fn show(hba: &Hba<Unisoc>, f: &mut Formatter<'_>) -> Result {
        let context = hba.data().shared().state().context();
        write!(f, "{}", core::format_args!("{context}"))?;
        Ok(())
    }
}

/// A limit of the fast path, by its place in [`Limit::ALL`].
struct LimitFile<const INDEX: usize>;

#[vtable]
impl<const INDEX: usize> Attribute<Hba<Unisoc>> for LimitFile<INDEX> {
    const NAME: &'static CStr = match Limit::ALL[INDEX] {
        Limit::Bytes => c"max_bytes",
        Limit::TimeUs => c"max_time_us",
        Limit::CpuPercent => c"max_cpu_percent",
    };

    fn show(hba: &Hba<Unisoc>, f: &mut Formatter<'_>) -> Result {
        let value = hba.data().shared().limit(Limit::ALL[INDEX]);
        write!(f, "{value}")?;
        Ok(())
    }

    fn store(hba: &Hba<Unisoc>, text: &[u8]) -> Result {
        let (shared, limit) = (hba.data().shared(), Limit::ALL[INDEX]);

        let Some(value) = limit.parse(text) else {
            let range = limit.range();
            pr_err!(
                "{}: irq_fastpath/{}: {} is not a number from {} to {}\n",
                shared.display_name(),
                limit.name(),
                core::format_args!("{}", Quoted(text)),
                range.start(),
                range.end()
            );
            return Err(EINVAL);
        };
        shared.set_limit(limit, value);
        Ok(())
    }
}
