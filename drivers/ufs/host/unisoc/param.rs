// SPDX-License-Identifier: GPL-2.0

//! The module parameters: `irq_mode`, with the hosts it applies to, and `phy_tuning`.

use kernel::{
    prelude::*,
    str::Formatter,
    sync::Arc, //
};

use super::{
    bringup::tables::PhyTuning,
    mode::IrqMode,
    mode_list::{
        ModeList,
        Quoted, //
    }, //
    shared::HostShared,
};
use crate::abi::{
    debugfs::Dir,
    param::{
        Param,
        Value, //
    }, //
};

/// The parameter's value: the list of modes, and the hosts that are there.
///
/// Both are behind the parameter lock, so a host that is being probed and a list that is being
/// written see each other in one order or the other.
struct IrqModeParam {
    list: ModeList,
    hosts: KVec<Arc<HostShared>>,
    /// The driver's directory in debugfs, as long as there are hosts.
    dir: Option<Arc<Dir>>,
}

static IRQ_MODE: Param<IrqModeParam> = Param::new(IrqModeParam {
    list: ModeList::new(),
    hosts: KVec::new(),
    dir: None,
});

crate::module_param! {
    module: "ufs_unisoc",
    name: "irq_mode",
    type: "charp",
    mode: 0o644,
    param: IRQ_MODE: IrqModeParam,
    description:
        "Where transfers complete: 'adaptive' (default), 'hardirq' or 'threaded' for every host, 'HOST:MODE' for one, several with commas: irq_mode=threaded,22000000.ufs:hardirq",
}

impl Value for IrqModeParam {
    fn set(&mut self, text: &CStr) -> Result {
        if let Err(err) = self.list.set(text.to_bytes()) {
            pr_err!("irq_mode: {}\n", core::format_args!("{err}"));
            return Err(EINVAL);
        }
        for host in &self.hosts {
            if let Some(mode) = self.list.mode_of(host.name()) {
                host.set_mode(mode);
            }
        }
        Ok(())
    }

    fn show(&self, f: &mut Formatter<'_>) -> Result {
        use kernel::fmt::Write;

        if self.list.as_bytes().is_empty() {
            write!(f, "{}", core::format_args!("{}", IrqMode::DEFAULT))?;
        } else {
            write!(f, "{}", core::format_args!("{}", self.list))?;
        }
        Ok(())
    }
}

/// A host's place among those that the parameter applies to; dropping it gives the place up.
pub(crate) struct Listed {
    host: Arc<HostShared>,
    /// Taken when this is dropped only.
    dir: Option<Arc<Dir>>,
}

impl Listed {
    /// Gives a host the mode that the parameter has for it, and every later one.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(host: Arc<HostShared>) -> Result<Self> {
        let mut param = IRQ_MODE.lock();

        let dir = match &param.dir {
            Some(dir) => dir.clone(),
            None => Arc::new(Dir::new(c"ufs_unisoc", None), GFP_KERNEL)?,
        };
        param.hosts.push(host.clone(), GFP_KERNEL)?;
        host.begin_with(param.list.mode_of(host.name()).unwrap_or(IrqMode::DEFAULT));
        param.dir = Some(dir.clone());
        Ok(Self {
            host,
            dir: Some(dir),
        })
    }

    /// Returns the host.
    pub(crate) fn host(&self) -> &Arc<HostShared> {
        &self.host
    }

    /// Returns the driver's directory in debugfs. What is made in it must go before this does.
    pub(crate) fn dir(&self) -> Option<Arc<Dir>> {
        self.dir.clone()
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut param = IRQ_MODE.lock();

        param.hosts.retain(|host| !Arc::ptr_eq(host, &self.host));
        if param.hosts.is_empty() {
            // The parameter is a static, which nobody drops: keep no memory when the module goes.
            param.hosts = KVec::new();
            param.dir = None;
        }
        // The last one removes the directory: before the next host makes it again.
        self.dir = None;
    }
}

/// The value of `phy_tuning`.
struct PhyTuningParam(PhyTuning);

static PHY_TUNING: Param<PhyTuningParam> = Param::new(PhyTuningParam(PhyTuning::V1));

crate::module_param! {
    module: "ufs_unisoc",
    name: "phy_tuning",
    type: "charp",
    mode: 0o644,
    param: PHY_TUNING: PhyTuningParam,
    description:
        "Tuning of the M-PHY, for hosts that are bound from then on: 'v1' (default; the boot loaders' as well) or 'v2' (the vendor's newer one)",
}

impl Value for PhyTuningParam {
    fn set(&mut self, text: &CStr) -> Result {
        let text = text.to_bytes();

        self.0 = match text.strip_suffix(b"\n").unwrap_or(text) {
            b"v1" => PhyTuning::V1,
            b"v2" => PhyTuning::V2,
            other => {
                pr_err!(
                    "phy_tuning: {} is no tuning; valid are v1, v2\n",
                    core::format_args!("{}", Quoted(other))
                );
                return Err(EINVAL);
            }
        };
        Ok(())
    }

    fn show(&self, f: &mut Formatter<'_>) -> Result {
        use kernel::fmt::Write;

        f.write_str(match self.0 {
            PhyTuning::V1 => "v1",
            PhyTuning::V2 => "v2",
        })?;
        Ok(())
    }
}

/// Returns the tuning for a host that is being bound.
///
/// Context: may sleep.
pub(crate) fn phy_tuning() -> PhyTuning {
    PHY_TUNING.lock().0
}
