// SPDX-License-Identifier: GPL-2.0

//! What the core asks of a host: the SoC's part of its bring-up and its power states.
//!
//! `Documentation/bring-up.rst` says where each thing comes from, and what was left
//! out and why.

use kernel::{
    prelude::*,
    time::{
        delay::fsleep,
        Delta, //
    }, //
};

use super::{
    bringup::{
        dco,
        fields::Field,
        tables::{
            self,
            hci,
            PhyTuning, //
        },
        unipro::{
            self,
            Side, //
        },
        VERSION_AB, //
    },
    host::{
        HostData,
        Unisoc, //
    }, //
};
use crate::abi::ufshcd::{
    quirks::{
        self,
        PmLevel, //
    },
    Clocks,
    Hba,
    McqSetup,
    Peer,
    PmOp,
    PowerMode,
    ScsiDevice,
    Setup,
    VariantOps,
    WritableRegister,
    XferReq, //
};

/// The auto-hibernate idle timer.
const AHIT: WritableRegister = match WritableRegister::from_offset(hci::AHIT) {
    Some(register) => register,
    None => panic!("a register that variant operations may write"),
};

/// UFSHCI 2.1: the vendor's driver does not trust the version register.
const UFSHCI_2_1: u32 = 0x0210;

/// Time for VCC to fall below 0.1 V, in us.
const VCC_OFF_DELAY_US: u32 = 30_000;

/// Idle time before clocks are gated, in ms.
const CLKGATE_DELAY_MS: c_ulong = 10;

/// Time that the link needs the configuration clock in hibern8, in us.
const CONFIG_CLOCK_AFTER_HIBERN8_US: i64 = 200;

#[vtable]
impl VariantOps for Unisoc {
    type Data = HostData;

    const NAME: &'static CStr = c"unisoc";

    fn init(hba: &Setup<'_, Self>) -> Result {
        let soc = hba.data().soc();

        hba.add_quirks(&[
            quirks::BROKEN_UFS_HCI_VERSION,
            quirks::DELAY_BEFORE_DME_CMDS,
            quirks::BROKEN_AUTO_HIBERN8,
            quirks::VCC_ON_DELAY,
        ]);
        hba.add_capabilities(&[
            quirks::CLK_GATING,
            quirks::HIBERN8_WITH_CLK_GATING,
            quirks::CRYPTO,
            quirks::WB_EN,
        ]);
        hba.set_pm_levels(PmLevel::ActiveHibern8, PmLevel::PowerDownOff);
        hba.set_vcc_off_delay_us(VCC_OFF_DELAY_US);
        if soc.version() == Some(VERSION_AB) {
            dev_info!(
                hba.device(),
                "version 1 silicon: if I/O is slow after idle times, echo 0 > clkgate_enable and report it\n"
            );
        }
        soc.run(hba, "preparing the SoC", &tables::PROBE)
    }

    fn ufs_hci_version(_hba: &Hba<Self>) -> u32 {
        UFSHCI_2_1
    }

    fn pre_setup_clocks(hba: &Hba<Self>, clocks: Clocks) -> Result {
        if clocks == Clocks::Off && hba.link_is_hibern8() {
            fsleep(Delta::from_micros(CONFIG_CLOCK_AFTER_HIBERN8_US));
        }
        Ok(())
    }

    fn pre_hce_enable(hba: &Hba<Self>) -> Result {
        let soc = hba.data().soc();
        soc.run(
            hba,
            "resetting the host",
            tables::before_enable(soc.tuning()),
        )
    }

    fn post_hce_enable(hba: &Hba<Self>) -> Result {
        let soc = hba.data().soc();

        // The controller was reset. If it still does not stop, it is switched off again.
        hba.data().shared().note_reset();
        if hba.switch_interrupt_on() {
            dev_info!(hba.device(), "the interrupt is switched on again\n");
        }
        soc.run(hba, "enabling the host", &tables::AFTER_ENABLE)
    }

    fn pre_link_startup(hba: &Hba<Self>) -> Result {
        // Both are wishes: the vendor's driver ignores the first one's result, and the core has a
        // default for the second.
        let _ = hba.dme_set(
            Peer::Local,
            unipro::VS_DEBUGSAVECONFIGTIME,
            unipro::SAVE_CONFIG_TIME,
        );
        let _ = hba.dme_set(Peer::Local, unipro::PA_LOCAL_TX_LCC_ENABLE, 0);
        Ok(())
    }

    fn observes_link_startup(data: &HostData) -> bool {
        data.soc().tuning() == PhyTuning::V2
    }

    fn observe_link_startup(hba: &Hba<Self>) {
        fsleep(Delta::from_micros(dco::AFTER_COMMAND.min_us.into()));
        if let Err(err) = check_dco(hba) {
            dev_err!(
                hba.device(),
                "cannot check the DCO of the M-PHY (error {})\n",
                err.to_errno()
            );
        }
    }

    fn post_link_startup(hba: &Hba<Self>) -> Result {
        let soc = hba.data().soc();

        // Once: it is the user's to change from then on. At `init` the core has its own still to
        // come.
        if hba.data().is_first_start() {
            hba.set_clkgate_delay_ms(CLKGATE_DELAY_MS);
        }
        match soc.tuning() {
            PhyTuning::V1 => Ok(()),
            PhyTuning::V2 => soc.run(hba, "starting the link", &tables::AFTER_LINK_STARTUP_V2),
        }
    }

    fn post_power_change(hba: &Hba<Self>, mode: &PowerMode) {
        let (rx_gear, tx_gear) = mode.gears();
        let (rx_lanes, tx_lanes) = mode.lanes();

        if mode.is_high_speed() {
            dev_info!(
                hba.device(),
                "link at HS-G{}/G{} series {}, {}/{} lanes (RX/TX)\n",
                rx_gear,
                tx_gear,
                mode.series(),
                rx_lanes,
                tx_lanes
            );
        } else {
            dev_warn!(
                hba.device(),
                "link at PWM-G{}/G{}, {}/{} lanes (RX/TX): slow, expected is HS-G3\n",
                rx_gear,
                tx_gear,
                rx_lanes,
                tx_lanes
            );
        }
    }

    fn pre_hibern8_enter(hba: &Hba<Self>) {
        if hba.write_register(AHIT, 0).is_err() {
            dev_err!(hba.device(), "cannot switch auto-hibern8 off\n");
        }
    }

    fn apply_dev_quirks(hba: &Hba<Self>) -> Result {
        let side = |peer| {
            Ok::<_, Error>(Side {
                granularity: hba.dme_get(peer, unipro::PA_GRANULARITY)?,
                t_activate: 0,
            })
        };
        // In the order of the vendor's driver: both granularities, then both times.
        let (mut host, mut device) = (side(Peer::Local)?, side(Peer::Remote)?);
        host.t_activate = hba.dme_get(Peer::Local, unipro::PA_TACTIVATE)?;
        device.t_activate = hba.dme_get(Peer::Remote, unipro::PA_TACTIVATE)?;

        let Some(new) = unipro::t_activate(host, device) else {
            dev_warn!(
                hba.device(),
                "PA_TACTIVATE stays as it is: granularities are {} (host) and {} (device), of 1 to 6\n",
                host.granularity,
                device.granularity
            );
            return Err(EINVAL);
        };
        hba.dme_set(Peer::Remote, unipro::PA_TACTIVATE, new.device)?;
        hba.dme_set(Peer::Local, unipro::PA_TACTIVATE, new.host)
    }

    fn post_suspend(hba: &Hba<Self>, _op: PmOp) -> Result {
        let soc = hba.data().soc();

        // With the link in hibern8 it is not started again at resume, which would undo this.
        match soc.tuning() {
            PhyTuning::V2 if hba.link_is_off() => soc.run(hba, "suspending", &tables::SUSPEND_V2),
            _ => Ok(()),
        }
    }

    fn device_reset(_hba: &Hba<Self>) -> Result {
        // The board has no line to the device's reset. The core takes this for a reset that was
        // done, as the vendor's driver has it; an error would be reported each time.
        Ok(())
    }

    fn dbg_register_dump(hba: &Hba<Self>) {
        let soc = hba.data().soc();

        for field in Field::ALL {
            if let Some(Ok(value)) = soc.read_field(field) {
                dev_err!(hba.device(), "{}: {:#010x}\n", field.property(), value);
            }
        }
        for offset in tables::PHY_DUMP {
            if let Ok(value) = soc.read_phy(offset) {
                dev_err!(hba.device(), "M-PHY {:#06x}: {:#010x}\n", offset, value);
            }
        }
    }

    fn setup_xfer_req(req: &XferReq<'_, Self>) {
        let shared = req.data().shared();

        shared.note_request(req.tag(), req.data_len(), req.is_polled());
        // Not where no request is ever encrypted.
        #[cfg(CONFIG_SCSI_UFS_CRYPTO)]
        req.no_crypto_without_data();
    }

    fn config_scsi_dev(dev: &mut ScsiDevice) {
        dev.set_broken_fua();
        dev.complete_on_submitting_cpu();
    }

    fn mcq_config_resource(hba: &McqSetup<'_, Self>) -> Result {
        hba.use_reported_config()
    }

    fn op_runtime_config(hba: &McqSetup<'_, Self>) -> Result {
        hba.use_reported_runtime()
    }
}

/// Sets the M-PHY's DCO by hand if its calibration came to nothing. While the link starts.
fn check_dco(hba: &Hba<Unisoc>) -> Result {
    let soc = hba.data().soc();
    let read = || soc.read_phy(dco::CALIBRATION).map(dco::result);
    let result = read()?;

    match dco::correction(result) {
        None => dev_info!(hba.device(), "DCO calibration is {:#04x}: good\n", result),
        Some(steps) => {
            soc.run(hba, "setting the DCO", steps)?;
            dev_info!(
                hba.device(),
                "DCO calibration is {:#04x}, least good is {:#04x}: set by hand; now {:#04x}, details {:#05x}\n",
                result,
                dco::LEAST_GOOD,
                read()?,
                dco::details(soc.read_phy(dco::DETAILS)?)
            );
        }
    }
    Ok(())
}
