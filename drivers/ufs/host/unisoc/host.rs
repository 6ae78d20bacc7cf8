// SPDX-License-Identifier: GPL-2.0

//! A host: its probe, and what is kept for it.

use kernel::{
    device::{
        self,
        Bound, //
    },
    of,
    platform,
    prelude::*,
    sync::Arc, //
};

use super::{
    debugfs::{
        self,
        Directory, //
    },
    param::{
        self,
        Listed, //
    },
    shared::HostShared,
    soc::{
        Form,
        Soc, //
    },
    sysfs, //
};
use crate::abi::{
    sysfs::Groups,
    ufshcd::{
        Hba,
        NewHost,
        PlatformDriver,
        Registered, //
    },
    word::Word, //
};

/// The driver.
pub(crate) struct Unisoc;

crate::of_id_table!(
    OF_TABLE,
    MODULE_OF_TABLE,
    Form,
    [
        (of::DeviceId::new(c"sprd,ums9230-ufs"), Form::Clean),
        (of::DeviceId::new(c"sprd,ufshc-ums9230"), Form::Vendor)
    ]
);

/// What the driver keeps for each host.
pub(crate) struct HostData {
    // Dropped before the directory it is in, which `listed` has.
    _debugfs: Directory,
    listed: Listed,
    soc: Soc,
    started: Word,
}

impl HostData {
    fn new(pdev: &platform::Device<Bound>, form: Form) -> Result<Self> {
        let dev: &device::Device<Bound> = pdev.as_ref();
        let shared = Arc::new(HostShared::new(dev.name())?, GFP_KERNEL)?;
        let soc = Soc::new(pdev, form, param::phy_tuning())?;
        let listed = Listed::new(shared.clone())?;
        Ok(Self {
            _debugfs: debugfs::directory(listed.dir(), shared)?,
            listed,
            soc,
            started: Word::new(0),
        })
    }

    /// Returns the SoC around the host.
    pub(crate) fn soc(&self) -> &Soc {
        &self.soc
    }

    /// Returns whether this is the first time that it is asked: at the start of the link.
    pub(crate) fn is_first_start(&self) -> bool {
        self.started.swap(1) == 0
    }

    /// Returns what is shared with the interrupt handlers.
    pub(crate) fn shared(&self) -> &HostShared {
        self.listed.host()
    }
}

impl PlatformDriver for Unisoc {
    type IdInfo = Form;

    const OF_ID_TABLE: of::IdTable<Form> = &OF_TABLE;
    const FILES: &'static Groups<Hba<Self>> = &sysfs::FILES;

    fn probe<'a>(
        pdev: &'a platform::Device<Bound>,
        form: Option<&Form>,
    ) -> Result<Registered<'a, Self>> {
        let dev: &device::Device<Bound> = pdev.as_ref();
        let wire = pdev.irq_by_index(0)?;
        let host = NewHost::alloc(pdev, &wire, HostData::new(pdev, *form.ok_or(ENODEV)?))?;

        host.add_clocks(form.map_or(&[], Form::clocks))?;
        host.add_regulators()?;
        host.set_lanes()?;
        let registered = host.register(wire, c"ufs_unisoc")?;

        announce(dev, registered.hba());
        Ok(registered)
    }
}

/// Says once where the host's transfers complete, and what keeps them from where they should.
fn announce(dev: &device::Device, hba: &Hba<Unisoc>) {
    let state = hba.data().shared().state();

    if hba.mcq_enabled() {
        dev_info!(
            dev,
            "uses completion queues (MCQ): the UFS core completes transfers, irq_mode has no effect\n"
        );
    } else if state.forced_threads() {
        dev_info!(
            dev,
            "interrupts are force-threaded (PREEMPT_RT or threadirqs): transfers complete in the interrupt's thread, irq_mode cannot be hardirq or adaptive\n"
        );
    } else {
        dev_info!(dev, "irq_mode is {}\n", state.mode().name());
    }
}
