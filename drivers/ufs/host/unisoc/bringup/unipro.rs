// SPDX-License-Identifier: GPL-2.0

//! UniPro attributes, and the arithmetic on them.
//!
//! Plain `core`, so that the host tests run this very file.

/// `PA_Local_TX_LCC_Enable`.
pub(crate) const PA_LOCAL_TX_LCC_ENABLE: u32 = 0x155e;
/// `PA_TActivate`, in units of `PA_Granularity`.
pub(crate) const PA_TACTIVATE: u32 = 0x15a8;
/// `PA_Granularity`.
pub(crate) const PA_GRANULARITY: u32 = 0x15aa;
/// DesignWare: time to save the configuration.
pub(crate) const VS_DEBUGSAVECONFIGTIME: u32 = 0xd0a0;

/// What `VS_DEBUGSAVECONFIGTIME` becomes: devices want 32 us.
pub(crate) const SAVE_CONFIG_TIME: u32 = 0x13;

/// One side of the link, as it reports itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// `PA_Granularity`.
    pub(crate) granularity: u32,
    /// `PA_TActivate`.
    pub(crate) t_activate: u32,
}

/// New values of `PA_TActivate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TActivate {
    /// For the host.
    pub(crate) host: u32,
    /// For the device.
    pub(crate) device: u32,
}

/// Added to the longer of the two times for the host, in us.
const HOST_MARGIN_US: u64 = 300;

/// Added for the device, in us: before rounding it ends 100 us above the host's.
const DEVICE_MARGIN_US: u64 = 400;

/// Returns the time that a `PA_Granularity` stands for, in us.
pub(crate) const fn granularity_us(granularity: u32) -> Option<u64> {
    match granularity {
        1 => Some(1),
        2 => Some(4),
        3 => Some(8),
        4 => Some(16),
        5 => Some(32),
        6 => Some(100),
        _ => None,
    }
}

/// Returns the `PA_TActivate` that both sides should have, by what they report.
///
/// `None` if a granularity is none, or a value does not fit. Not idempotent: what it returns must
/// be set once for each link start-up.
pub(crate) fn t_activate(host: Side, device: Side) -> Option<TActivate> {
    let host_unit = granularity_us(host.granularity)?;
    let device_unit = granularity_us(device.granularity)?;
    let longer = u64::max(
        u64::from(host.t_activate) * host_unit,
        u64::from(device.t_activate) * device_unit,
    );
    let units = |margin: u64, unit: u64| u32::try_from((longer + margin) / unit).ok();

    Some(TActivate {
        host: units(HOST_MARGIN_US, host_unit)?,
        device: units(DEVICE_MARGIN_US, device_unit)?,
    })
}
