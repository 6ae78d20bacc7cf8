// SPDX-License-Identifier: GPL-2.0

//! Bit fields of the system controllers that the bring-up uses.
//!
//! Phones carry the place of each in their device tree, as a property `<&syscon offset mask>`. The
//! clean binding has references to the system controllers only; the places are these, then.
//!
//! Plain `core`, so that the host tests run this very file.

/// A system controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syscon {
    /// AON_APB, at 0x6400_0000.
    AonApb,
    /// AP_AHB, at 0x2040_0000.
    ApAhb,
}

/// Where a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) syscon: Syscon,
    /// Offset in bytes.
    pub(crate) offset: u32,
    /// The field's bits.
    pub(crate) mask: u32,
}

/// A bit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Enables of the pins and of the analog block's APB clock.
    PinAndAnalogEnable,
    /// The M-PHY's configuration clock, switched by software.
    ConfigClock,
    /// The controller's clock gate.
    ControllerEnable,
    /// The reference clock to the device.
    RefClock,
    /// The low-power handshake, forced.
    LowPowerForce,
    /// The isolation of the analog block, forced.
    ForceIsolation,
    /// Configuration clock and reset of the M-PHY's common block.
    CommonBlockReset,
    /// IES enable; what IES is, no source says.
    IesEnable,
    /// The request for pclk, by software.
    PclkRequest,
    /// Keeps the configuration clock on at run time.
    ConfigClockForce,
}

impl Field {
    /// Every field.
    pub(crate) const ALL: [Self; 10] = [
        Self::PinAndAnalogEnable,
        Self::ConfigClock,
        Self::ControllerEnable,
        Self::RefClock,
        Self::LowPowerForce,
        Self::ForceIsolation,
        Self::CommonBlockReset,
        Self::IesEnable,
        Self::PclkRequest,
        Self::ConfigClockForce,
    ];

    /// Returns the field's position in [`Field::ALL`].
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::PinAndAnalogEnable => 0,
            Self::ConfigClock => 1,
            Self::ControllerEnable => 2,
            Self::RefClock => 3,
            Self::LowPowerForce => 4,
            Self::ForceIsolation => 5,
            Self::CommonBlockReset => 6,
            Self::IesEnable => 7,
            Self::PclkRequest => 8,
            Self::ConfigClockForce => 9,
        }
    }

    /// Returns the property that holds the field's place in phones' device trees.
    pub(crate) const fn property(self) -> &'static core::ffi::CStr {
        match self {
            Self::PinAndAnalogEnable => c"aon_apb_ufs_en",
            Self::ConfigClock => c"ap_ahb_ufs_clk",
            Self::ControllerEnable => c"ap_apb_ufs_en",
            Self::RefClock => c"ufs_refclk_on",
            Self::LowPowerForce => c"ahb_ufs_lp",
            Self::ForceIsolation => c"ahb_ufs_force_isol",
            Self::CommonBlockReset => c"ahb_ufs_cb",
            Self::IesEnable => c"ahb_ufs_ies_en",
            Self::PclkRequest => c"ahb_ufs_cg_pclkreq",
            Self::ConfigClockForce => c"ap_apb_cfg_frc_on",
        }
    }

    /// Returns whether every phone's device tree has the property: only the newer of the vendor's
    /// two revisions knows the last one.
    pub(crate) const fn required(self) -> bool {
        !matches!(self, Self::ConfigClockForce)
    }

    /// Returns where the field is on UMS9230, for the clean binding.
    ///
    /// `None`: the controller's clock gate is a clock of the clean binding, which the clock
    /// framework owns; and where the register is that keeps the configuration clock on is a guess.
    pub(crate) const fn place(self) -> Option<Place> {
        let (syscon, offset, mask) = match self {
            Self::PinAndAnalogEnable => (Syscon::AonApb, 0x0004, 0x1800),
            Self::ConfigClock => (Syscon::ApAhb, 0x3124, 1 << 6),
            Self::RefClock => (Syscon::ApAhb, 0x311c, 1 << 0),
            Self::LowPowerForce => (Syscon::ApAhb, 0x3104, 0x3700_0000),
            Self::ForceIsolation => (Syscon::ApAhb, 0x3104, 1 << 27),
            Self::CommonBlockReset => (Syscon::ApAhb, 0x311c, 0x6),
            Self::IesEnable => (Syscon::ApAhb, 0x3108, 1 << 0),
            Self::PclkRequest => (Syscon::ApAhb, 0x3124, 1 << 0),
            Self::ControllerEnable | Self::ConfigClockForce => return None,
        };
        Some(Place {
            syscon,
            offset,
            mask,
        })
    }
}

/// Offset of the version id in AON_APB.
pub(crate) const AON_VER_ID: u32 = 0xf8;
