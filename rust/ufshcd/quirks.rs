// SPDX-License-Identifier: GPL-2.0

//! Quirks, capabilities and power levels of hosts, by their C names without the prefix.

use crate::abi::bindings;

/// A quirk of hosts.
#[derive(Clone, Copy)]
pub(crate) struct Quirks(pub(super) bindings::ufshcd_quirks);

/// A capability of hosts.
#[derive(Clone, Copy)]
pub(crate) struct Capabilities(pub(super) bindings::ufshcd_caps);

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $c:ident: $ty:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) const $name: $ty = $ty(bindings::$c);
    )*};
}

names! {
    /// The version register is wrong; `VariantOps::ufs_hci_version` is asked.
    BROKEN_UFS_HCI_VERSION = ufshcd_quirks_UFSHCD_QUIRK_BROKEN_UFS_HCI_VERSION: Quirks;
    /// DME commands need 1000 us between them.
    DELAY_BEFORE_DME_CMDS = ufshcd_quirks_UFSHCD_QUIRK_DELAY_BEFORE_DME_CMDS: Quirks;
    /// Auto-hibern8 must not be used.
    BROKEN_AUTO_HIBERN8 = ufshcd_quirks_UFSHCD_QUIRK_BROKEN_AUTO_HIBERN8: Quirks;
    /// VCC needs 1000 us after it is switched on.
    VCC_ON_DELAY = ufshcd_quirks_UFSHCD_QUIRK_VCC_ON_DELAY: Quirks;
    /// Clocks may be gated when the host is idle.
    CLK_GATING = ufshcd_caps_UFSHCD_CAP_CLK_GATING: Capabilities;
    /// The link enters hibern8 before clocks are gated.
    HIBERN8_WITH_CLK_GATING = ufshcd_caps_UFSHCD_CAP_HIBERN8_WITH_CLK_GATING: Capabilities;
    /// Inline encryption.
    CRYPTO = ufshcd_caps_UFSHCD_CAP_CRYPTO: Capabilities;
    /// WriteBooster.
    WB_EN = ufshcd_caps_UFSHCD_CAP_WB_EN: Capabilities;
}

/// A power level: the states of device and link in suspend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PmLevel {
    /// `UFS_PM_LVL_1`: device active, link in hibern8.
    ActiveHibern8,
    /// `UFS_PM_LVL_5`: device powered down, link off.
    PowerDownOff,
}

impl PmLevel {
    pub(super) fn as_raw(self) -> bindings::ufs_pm_level {
        match self {
            Self::ActiveHibern8 => bindings::ufs_pm_level_UFS_PM_LVL_1,
            Self::PowerDownOff => bindings::ufs_pm_level_UFS_PM_LVL_5,
        }
    }
}
