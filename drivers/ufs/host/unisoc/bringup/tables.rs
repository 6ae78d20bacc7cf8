// SPDX-License-Identifier: GPL-2.0

//! The bring-up's sequences.
//!
//! `Documentation/bring-up.rst` has the same sequences to read, and their sources;
//! a host test compares the two. Waits are the longest that vendor kernel or boot loader has.
//!
//! Plain `core`, so that the host tests run this very file.

use super::{
    fields::Field,
    Line,
    On,
    Op,
    Step, //
};

/// The vendor's two revisions of the M-PHY's tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhyTuning {
    /// The older one, which the boot loaders have, too.
    V1,
    /// The newer one, with more of it by hand: AFE offsets, receiver steps, a check of the DCO.
    V2,
}

const fn phy(offset: u32, mask: u32, value: u32) -> Step {
    Step::new(Op::Phy {
        offset,
        mask,
        value,
    })
}

/// Sets all bits of `mask`.
const fn phy_set(offset: u32, mask: u32) -> Step {
    phy(offset, mask, mask)
}

const fn set(field: Field) -> Step {
    Step::new(Op::Set(field))
}

const fn force_set(field: Field) -> Step {
    Step::new(Op::ForceSet(field))
}

const fn clear(field: Field) -> Step {
    Step::new(Op::Clear(field))
}

/// Once at probe, before any access to the controller.
pub(crate) const PROBE: [Step; 5] = [
    force_set(Field::ConfigClock),
    set(Field::PinAndAnalogEnable),
    set(Field::LowPowerForce),
    clear(Field::ForceIsolation),
    set(Field::IesEnable).only(On::Versioned),
];

/// Before each enabling of the controller: resets and the tuning that both revisions share.
const RESET_AND_COMMON_TUNING: [Step; 21] = [
    // The controller's clock is off while it is reset as a whole.
    clear(Field::ControllerEnable),
    Step::new(Op::Assert(Line::Global)).then_wait(10, 20),
    Step::new(Op::Deassert(Line::Global)),
    set(Field::ControllerEnable),
    // Clocks and pins; the common block into reset.
    force_set(Field::ConfigClock),
    set(Field::PinAndAnalogEnable),
    set(Field::CommonBlockReset).then_wait(100, 110),
    // The PHY's APB reset, active low.
    phy(0x0068, 0x8, 0).then_wait(1000, 1100),
    phy_set(0x0068, 0x8),
    // Bypass of the CDR monitor.
    phy_set(0xc01c, 0x0100_0000),
    phy_set(0xc81c, 0x0100_0000),
    // Override of the receiver's offset calibration, lane 0 only.
    phy_set(0xc050, 0x30),
    phy_set(0xc050, 0xc00),
    // Receiver configuration for HS-G1 and HS-G3.
    phy(0xc0c4, 0x00ff_ffff, 0x000c_0c0c),
    phy(0xc8c4, 0x00ff_ffff, 0x000c_0c0c),
    phy(0xc0cc, 0x00ff_ffff, 0x000d_0d0d),
    phy(0xc8cc, 0x00ff_ffff, 0x000d_0d0d),
    // The lanes' FIFOs.
    phy_set(0xc08c, 0x8000),
    phy_set(0xc88c, 0x8000),
    // T_ACTIVATE of 200 us.
    phy_set(0xc088, 0x2_0000),
    phy_set(0xc888, 0x2_0000),
];

/// The older tuning.
const TUNING_V1: [Step; 4] = [
    // Length of the HS-G3 synchronisation.
    phy(0xc120, 0xff00, 0x4b00),
    phy(0xc920, 0xff00, 0x4b00),
    // The receiver's step 4 for HS-G3.
    phy(0xc0f0, 0xffff_0000, 0x0080_0000),
    phy(0xc8f0, 0xffff_0000, 0x0080_0000),
];

/// The newer tuning.
const TUNING_V2: [Step; 26] = [
    // DCVS.
    phy_set(0xc000, 0x4_0000),
    phy_set(0xc800, 0x4_0000),
    // The AFE's offset by hand, lane 0.
    phy_set(0xc000, 0x8000),
    phy_set(0xc004, 0x1),
    phy_set(0xc004, 0x8),
    phy(0xc000, 0x0ff0_0000, 0x0b00_0000),
    // The same, lane 1.
    phy_set(0xc800, 0x8000),
    phy_set(0xc804, 0x1),
    phy_set(0xc804, 0x8),
    phy(0xc800, 0x0ff0_0000, 0x0b00_0000),
    // Length of the synchronisation, HS-G2 and HS-G3, then HS-G1; lane 0.
    phy(0xc120, 0xffff, 0x4a4a),
    phy(0xc118, 0xff00, 0x4a00),
    // The same, lane 1.
    phy(0xc920, 0xffff, 0x4a4a),
    phy(0xc918, 0xff00, 0x4a00),
    // The receiver's steps 4 and 3, then 2 and 1, for HS-G1, HS-G2, HS-G3; lane 0.
    phy(0xc0e0, u32::MAX, 0x07d0_0320),
    phy(0xc0e4, u32::MAX, 0x0320_0320),
    phy(0xc0e8, u32::MAX, 0x07d0_0320),
    phy(0xc0ec, u32::MAX, 0x0320_0320),
    phy(0xc0f0, u32::MAX, 0x07d0_0320),
    phy(0xc0f4, u32::MAX, 0x0320_0320),
    // The same, lane 1.
    phy(0xc8e0, u32::MAX, 0x07d0_0320),
    phy(0xc8e4, u32::MAX, 0x0320_0320),
    phy(0xc8e8, u32::MAX, 0x07d0_0320),
    phy(0xc8ec, u32::MAX, 0x0320_0320),
    phy(0xc8f0, u32::MAX, 0x07d0_0320),
    phy(0xc8f4, u32::MAX, 0x0320_0320),
];

/// Out of reset, and clocks on.
const RELEASE: [Step; 13] = [
    // The common block out of reset, the reference clock on, isolation off.
    clear(Field::CommonBlockReset),
    set(Field::RefClock),
    set(Field::LowPowerForce),
    clear(Field::ForceIsolation),
    // The controller's soft reset.
    Step::new(Op::Assert(Line::Controller)).then_wait(100, 110),
    Step::new(Op::Deassert(Line::Controller)),
    // IES, whose meaning is unknown, and the request of pclk.
    set(Field::IesEnable),
    force_set(Field::PclkRequest),
    // The reference clock in the PHY, which auto-hibern8 shall not switch.
    phy_set(0x0040, 0x100).then_wait(1, 2),
    phy_set(0x00f0, 0x4_0000).then_wait(1, 2),
    phy(0xc038, 0x0100_0000, 0).then_wait(1, 2),
    // PLL timer, and the transmitter's symbol clock inverted.
    phy(0xc048, 0x00ff_0000, 0x00d8_0000).only(On::Ab),
    phy_set(0xc04c, 0x2000).only(On::Ab),
];

/// Biases and LDOs of the newer tuning, lane 0, then lane 1.
const RELEASE_V2: [Step; 8] = [
    phy_set(0xc080, 0x20),
    phy_set(0xc080, 0x20_0000),
    phy_set(0xc004, 0x1000_0000),
    phy_set(0xc044, 0x2_0000),
    phy_set(0xc880, 0x20),
    phy_set(0xc880, 0x20_0000),
    phy_set(0xc804, 0x1000_0000),
    phy_set(0xc844, 0x2_0000),
];

/// Auto-hibern8 off, and the controller on; the core enables it once more after this.
const ENABLE: [Step; 2] = [
    Step::new(Op::Hci {
        offset: hci::AHIT,
        value: 0,
    }),
    Step::new(Op::Hci {
        offset: hci::HCE,
        value: 1,
    }),
];

/// Returns the steps before each enabling of the controller.
pub(crate) fn before_enable(tuning: PhyTuning) -> impl Iterator<Item = &'static Step> {
    let (tune, release): (&[Step], &[Step]) = match tuning {
        PhyTuning::V1 => (&TUNING_V1, &[]),
        PhyTuning::V2 => (&TUNING_V2, &RELEASE_V2),
    };
    RESET_AND_COMMON_TUNING
        .iter()
        .chain(tune)
        .chain(&RELEASE)
        .chain(release)
        .chain(&ENABLE)
}

/// After the controller was enabled: the clock divider, by HCLK in MHz.
pub(crate) const AFTER_ENABLE: [Step; 1] = [Step::new(Op::Hci {
    offset: hci::HCLKDIV,
    value: 0x100,
})];

/// While the link starts, newer tuning: the DCO by hand, if its calibration came to nothing
/// ([`correction`](super::dco::correction)).
pub(crate) const DCO_MANUAL: [Step; 2] = [phy(0xc03c, 0xff, 0x2c), phy_set(0xc004, 0x1_0000)];

/// After link start-up, newer tuning: the configuration clock stays on, and the analog block's
/// power-down is taken from the power management unit and off.
pub(crate) const AFTER_LINK_STARTUP_V2: [Step; 3] = [
    set(Field::ConfigClockForce),
    phy_set(0x00f0, 0x2),
    phy(0x005c, 0x1, 0),
];

/// At suspend, newer tuning: both are given back.
pub(crate) const SUSPEND_V2: [Step; 2] = [clear(Field::ConfigClockForce), phy(0x00f0, 0x2, 0)];

/// Registers of the analog PHY block that a dump shows, lane 0 and what the lanes share.
pub(crate) const PHY_DUMP: [u32; 17] = [
    0x0040, 0x0058, 0x005c, 0x0064, 0x0068, 0x00f0, 0xc000, 0xc004, 0xc01c, 0xc038, 0xc048, 0xc04c,
    0xc050, 0xc080, 0xc0f0, 0xc0f8, 0xc108,
];

/// Registers of the host controller that the sequences write.
pub(crate) mod hci {
    /// Auto-hibernate idle timer (UFSHCI 5.2.3).
    pub(crate) const AHIT: u32 = 0x18;
    /// Host controller enable (UFSHCI 5.3.4).
    pub(crate) const HCE: u32 = 0x34;
    /// DesignWare: divider of HCLK for the 1 us time base.
    pub(crate) const HCLKDIV: u32 = 0xfc;
}
