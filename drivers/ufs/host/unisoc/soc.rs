// SPDX-License-Identifier: GPL-2.0

//! What of the SoC the bring-up works on, found through either device tree form.
//!
//! | | `sprd,ums9230-ufs` | `sprd,ufshc-ums9230` (phones) |
//! |---|---|---|
//! | fields | places known here, below two syscons | a property each: `<&syscon offset mask>` |
//! | analog PHY block | `sprd,ufs-anlg-syscon` | registers named `ufs_analog_reg` |
//! | version id | `sprd,aon-apb-syscon`, optional | registers named `aon_apb_reg` |
//! | resets | `controller`, `global` | `ufs_rst`, `ufs_glb_rst` |
//!
//! A phone's analog block is mapped beside the clock driver that has its first 256 bytes, too, as
//! the vendor's driver does: accesses to those are not ordered with that driver's. The clean form
//! has a syscon for this.

use kernel::{
    device::{
        self,
        Bound, //
    },
    io::Io,
    platform,
    prelude::*,
    time::{
        delay::fsleep,
        Delta, //
    }, //
};

use super::bringup::{
    self,
    fields::{
        Field,
        Syscon,
        AON_VER_ID, //
    },
    tables::PhyTuning,
    Hardware,
    Line,
    Step,
    Wait, //
};
use crate::abi::{
    compat::io::DevresIoMem,
    regmap::{
        Regmap,
        Write, //
    },
    reset::Control,
    ufshcd::{
        Hba,
        VariantOps,
        WritableRegister, //
    }, //
};

/// The device tree form of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `sprd,ums9230-ufs`.
    Clean,
    /// `sprd,ufshc-ums9230`, which existing phones carry.
    Vendor,
}

impl Form {
    /// Returns the clocks that a node of this form must have. In the vendor's form the controller's
    /// gate is a field of a system controller.
    pub(crate) fn clocks(&self) -> &'static [&'static CStr] {
        match self {
            Self::Clean => &[c"controller_eb", c"core"],
            Self::Vendor => &[],
        }
    }
}

/// Where a field is on this board.
struct FieldAt {
    map: Regmap,
    offset: u32,
    mask: u32,
}

/// The analog PHY block.
enum Phy {
    Syscon(Regmap),
    Mapped(DevresIoMem),
}

/// The SoC around a host.
pub(crate) struct Soc {
    fields: [Option<FieldAt>; Field::ALL.len()],
    phy: Phy,
    controller: Control,
    global: Control,
    version: Option<u32>,
    tuning: PhyTuning,
}

/// Says which property is missing or wrong, unless it only has to be waited for.
fn wrong<T>(dev: &device::Device<Bound>, property: &CStr, result: Result<T>) -> Result<T> {
    result.inspect_err(|err| {
        if *err != EPROBE_DEFER {
            dev_err!(
                dev,
                "property or entry '{}' of the device tree node is missing or wrong (error {})\n",
                property,
                err.to_errno()
            );
        }
    })
}

fn syscon(dev: &device::Device<Bound>, property: &CStr) -> Result<Regmap> {
    wrong(dev, property, Regmap::from_phandle::<0>(dev, property)).map(|(map, [])| map)
}

fn reset(dev: &device::Device<Bound>, id: &CStr) -> Result<Control> {
    wrong(dev, id, Control::exclusive(dev, id))
}

fn shared(pdev: &platform::Device<Bound>, name: &CStr) -> Result<DevresIoMem> {
    let map = || {
        pdev.io_request_by_name(name)
            .ok_or(ENODEV)?
            .iomap()?
            .into_devres()
    };

    wrong(pdev.as_ref(), name, map())
}

impl Soc {
    /// Finds everything. Touches nothing but the version id.
    ///
    /// # Errors
    ///
    /// The log names the property that is missing or wrong.
    pub(crate) fn new(
        pdev: &platform::Device<Bound>,
        form: Form,
        tuning: PhyTuning,
    ) -> Result<Self> {
        match form {
            Form::Clean => Self::clean(pdev, tuning),
            Form::Vendor => Self::vendor(pdev, tuning),
        }
    }

    fn clean(pdev: &platform::Device<Bound>, tuning: PhyTuning) -> Result<Self> {
        const AON_APB: &CStr = c"sprd,aon-apb-syscon";

        let dev: &device::Device<Bound> = pdev.as_ref();
        let has_aon = dev.fwnode().is_some_and(|n| n.property_present(AON_APB));
        let aon = has_aon.then(|| syscon(dev, AON_APB)).transpose()?;
        let ahb = syscon(dev, c"sprd,ufs-ap-ahb-syscon")?;
        let at = |field: Field| {
            let place = field.place()?;
            let map = match place.syscon {
                Syscon::AonApb => aon?,
                Syscon::ApAhb => ahb,
            };
            Some(FieldAt {
                map,
                offset: place.offset,
                mask: place.mask,
            })
        };

        Ok(Self {
            fields: Field::ALL.map(at),
            phy: Phy::Syscon(syscon(dev, c"sprd,ufs-anlg-syscon")?),
            controller: reset(dev, c"controller")?,
            global: reset(dev, c"global")?,
            version: aon.map(|map| map.read(AON_VER_ID)).transpose()?,
            tuning,
        })
    }

    fn vendor(pdev: &platform::Device<Bound>, tuning: PhyTuning) -> Result<Self> {
        let dev: &device::Device<Bound> = pdev.as_ref();
        let mut fields = [const { None }; Field::ALL.len()];

        for (place, field) in fields.iter_mut().zip(Field::ALL) {
            let property = field.property();
            let present = dev.fwnode().is_some_and(|n| n.property_present(property));
            if !present && !field.required() {
                continue;
            }
            let (map, [offset, mask]) = wrong(dev, property, Regmap::from_phandle(dev, property))?;
            *place = Some(FieldAt { map, offset, mask });
        }
        let aon = shared(pdev, c"aon_apb_reg")?;
        let version = aon
            .try_access()
            .ok_or(ENODEV)?
            .try_read32(AON_VER_ID as usize);

        Ok(Self {
            fields,
            phy: Phy::Mapped(shared(pdev, c"ufs_analog_reg")?),
            controller: reset(dev, c"ufs_rst")?,
            global: reset(dev, c"ufs_glb_rst")?,
            version: Some(wrong(dev, c"aon_apb_reg", version)?),
            tuning,
        })
    }

    /// Returns the chip's version id; `None` if the board does not tell.
    pub(crate) fn version(&self) -> Option<u32> {
        self.version
    }

    /// Returns the tuning of the PHY.
    pub(crate) fn tuning(&self) -> PhyTuning {
        self.tuning
    }

    /// Runs a sequence. A step that fails ends it, and is named in the log.
    pub(crate) fn run<'a, T: VariantOps>(
        &self,
        hba: &Hba<T>,
        what: &str,
        sequence: impl IntoIterator<Item = &'a Step>,
    ) -> Result {
        let hardware = Access { soc: self, hba };

        bringup::run(&hardware, self.version, sequence).map_err(|stopped| {
            dev_err!(
                hba.device(),
                "{} stopped at '{}' (error {})\n",
                what,
                core::format_args!("{}", stopped.op),
                stopped.error.to_errno()
            );
            stopped.error
        })
    }

    /// Reads a register of the analog PHY block; for dumps.
    pub(crate) fn read_phy(&self, offset: u32) -> Result<u32> {
        match &self.phy {
            Phy::Syscon(map) => map.read(offset),
            Phy::Mapped(io) => io.try_access().ok_or(ENODEV)?.try_read32(offset as usize),
        }
    }

    /// Reads the register of a field; `None` if the board does not have it. For dumps.
    pub(crate) fn read_field(&self, field: Field) -> Option<Result<u32>> {
        let at = self.fields.get(field.index())?.as_ref()?;

        Some(at.map.read(at.offset).map(|value| value & at.mask))
    }
}

/// The SoC and the host's own registers.
struct Access<'a, T: VariantOps> {
    soc: &'a Soc,
    hba: &'a Hba<T>,
}

impl<T: VariantOps> Hardware for Access<'_, T> {
    type Error = Error;

    fn field(&self, field: Field, set: bool, force: bool) -> Result {
        let Some(Some(at)) = self.soc.fields.get(field.index()) else {
            return Ok(());
        };
        let value = if set { at.mask } else { 0 };
        let write = if force {
            Write::Always
        } else {
            Write::IfChanged
        };

        at.map.update_bits(at.offset, at.mask, value, write)
    }

    fn phy(&self, offset: u32, mask: u32, value: u32) -> Result {
        match &self.soc.phy {
            Phy::Syscon(map) => map.update_bits(offset, mask, value, Write::IfChanged),
            Phy::Mapped(io) => {
                let io = io.try_access().ok_or(ENODEV)?;
                let old = io.try_read32(offset as usize)?;

                io.try_write32((old & !mask) | value, offset as usize)
            }
        }
    }

    fn hci(&self, offset: u32, value: u32) -> Result {
        let register = WritableRegister::from_offset(offset).ok_or(EINVAL)?;

        self.hba.write_register(register, value)
    }

    fn reset(&self, line: Line, asserted: bool) -> Result {
        let control = match line {
            Line::Controller => &self.soc.controller,
            Line::Global => &self.soc.global,
        };

        if asserted {
            control.assert()
        } else {
            control.deassert()
        }
    }

    fn wait(&self, wait: Wait) {
        fsleep(Delta::from_micros(wait.min_us.into()));
    }
}
