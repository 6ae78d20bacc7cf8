// SPDX-License-Identifier: GPL-2.0

//! Runs the sequences on a recorder, and compares every access and its place in the order with the
//! fact sheet, which is written down here a second time, as text.

use std::cell::RefCell;

use crate::bringup::{
    dco,
    fields::{
        Field,
        Syscon, //
    },
    run,
    tables::{
        before_enable,
        PhyTuning,
        AFTER_ENABLE,
        AFTER_LINK_STARTUP_V2,
        DCO_MANUAL,
        PROBE,
        SUSPEND_V2, //
    },
    Hardware,
    Line,
    On,
    Op,
    Step,
    Stopped,
    Wait, //
};

/// Writes down what it is asked for; fails at the access number `fail_at`.
#[derive(Default)]
struct Recorder {
    log: RefCell<Vec<String>>,
    fail_at: Option<usize>,
}

impl Recorder {
    fn note(&self, line: String) -> Result<(), &'static str> {
        let mut log = self.log.borrow_mut();
        if self.fail_at == Some(log.len()) {
            return Err("refused");
        }
        log.push(line);
        Ok(())
    }
}

impl Hardware for Recorder {
    type Error = &'static str;

    fn field(&self, field: Field, set: bool, force: bool) -> Result<(), Self::Error> {
        let verb = if set { "set" } else { "clear" };
        let force = if force { "!" } else { "" };
        self.note(format!(
            "{verb}{force} {}",
            field.property().to_str().unwrap()
        ))
    }

    fn phy(&self, offset: u32, mask: u32, value: u32) -> Result<(), Self::Error> {
        self.note(format!("phy {offset:04x} {mask:08x} {value:08x}"))
    }

    fn hci(&self, offset: u32, value: u32) -> Result<(), Self::Error> {
        self.note(format!("hci {offset:02x} {value:x}"))
    }

    fn reset(&self, line: Line, asserted: bool) -> Result<(), Self::Error> {
        let verb = if asserted { "assert" } else { "deassert" };
        self.note(format!("{verb} {line:?}"))
    }

    fn wait(&self, wait: Wait) {
        self.log.borrow_mut().push(format!("wait {}", wait.min_us));
    }
}

fn record<'a>(version: Option<u32>, steps: impl IntoIterator<Item = &'a Step>) -> Vec<String> {
    let recorder = Recorder::default();
    run(&recorder, version, steps).unwrap();
    recorder.log.into_inner()
}

fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Sheet 4.2, steps 1 to 16.
const HEAD: &str = "
    clear ap_apb_ufs_en
    assert Global
    wait 10
    deassert Global
    set ap_apb_ufs_en
    set! ap_ahb_ufs_clk
    set aon_apb_ufs_en
    set ahb_ufs_cb
    wait 100
    phy 0068 00000008 00000000
    wait 1000
    phy 0068 00000008 00000008
    phy c01c 01000000 01000000
    phy c81c 01000000 01000000
    phy c050 00000030 00000030
    phy c050 00000c00 00000c00
    phy c0c4 00ffffff 000c0c0c
    phy c8c4 00ffffff 000c0c0c
    phy c0cc 00ffffff 000d0d0d
    phy c8cc 00ffffff 000d0d0d
    phy c08c 00008000 00008000
    phy c88c 00008000 00008000
    phy c088 00020000 00020000
    phy c888 00020000 00020000
";

/// Sheet 4.2, step 17.
const V1: &str = "
    phy c120 0000ff00 00004b00
    phy c920 0000ff00 00004b00
    phy c0f0 ffff0000 00800000
    phy c8f0 ffff0000 00800000
";

/// Sheet 4.3.
const V2: &str = "
    phy c000 00040000 00040000
    phy c800 00040000 00040000
    phy c000 00008000 00008000
    phy c004 00000001 00000001
    phy c004 00000008 00000008
    phy c000 0ff00000 0b000000
    phy c800 00008000 00008000
    phy c804 00000001 00000001
    phy c804 00000008 00000008
    phy c800 0ff00000 0b000000
    phy c120 0000ffff 00004a4a
    phy c118 0000ff00 00004a00
    phy c920 0000ffff 00004a4a
    phy c918 0000ff00 00004a00
    phy c0e0 ffffffff 07d00320
    phy c0e4 ffffffff 03200320
    phy c0e8 ffffffff 07d00320
    phy c0ec ffffffff 03200320
    phy c0f0 ffffffff 07d00320
    phy c0f4 ffffffff 03200320
    phy c8e0 ffffffff 07d00320
    phy c8e4 ffffffff 03200320
    phy c8e8 ffffffff 07d00320
    phy c8ec ffffffff 03200320
    phy c8f0 ffffffff 07d00320
    phy c8f4 ffffffff 03200320
";

/// Sheet 4.2, steps 19 to 29.
const RELEASE: &str = "
    clear ahb_ufs_cb
    set ufs_refclk_on
    set ahb_ufs_lp
    clear ahb_ufs_force_isol
    assert Controller
    wait 100
    deassert Controller
    set ahb_ufs_ies_en
    set! ahb_ufs_cg_pclkreq
    phy 0040 00000100 00000100
    wait 1
    phy 00f0 00040000 00040000
    wait 1
    phy c038 01000000 00000000
    wait 1
";

/// Sheet 4.2, steps 30 and 31.
const AB: &str = "
    phy c048 00ff0000 00d80000
    phy c04c 00002000 00002000
";

/// Sheet 4.2, steps 32 to 35.
const RELEASE_V2: &str = "
    phy c080 00000020 00000020
    phy c080 00200000 00200000
    phy c004 10000000 10000000
    phy c044 00020000 00020000
    phy c880 00000020 00000020
    phy c880 00200000 00200000
    phy c804 10000000 10000000
    phy c844 00020000 00020000
";

/// Sheet 4.2, steps 36 and 37.
const ENABLE: &str = "
    hci 18 0
    hci 34 1
";

#[test]
fn the_older_tuning_is_as_the_sheet_says() {
    let expected = lines(&[HEAD, V1, RELEASE, ENABLE].concat());
    for version in [None, Some(0), Some(2)] {
        assert_eq!(record(version, before_enable(PhyTuning::V1)), expected);
    }
    let expected = lines(&[HEAD, V1, RELEASE, AB, ENABLE].concat());
    assert_eq!(record(Some(1), before_enable(PhyTuning::V1)), expected);
}

#[test]
fn the_newer_tuning_is_as_the_sheet_says() {
    let expected = lines(&[HEAD, V2, RELEASE, RELEASE_V2, ENABLE].concat());
    for version in [None, Some(0), Some(2)] {
        assert_eq!(record(version, before_enable(PhyTuning::V2)), expected);
    }
    let expected = lines(&[HEAD, V2, RELEASE, AB, RELEASE_V2, ENABLE].concat());
    assert_eq!(record(Some(1), before_enable(PhyTuning::V2)), expected);
}

#[test]
fn the_probe_sequence_is_as_the_sheet_says() {
    let always = "
        set! ap_ahb_ufs_clk
        set aon_apb_ufs_en
        set ahb_ufs_lp
        clear ahb_ufs_force_isol
    ";
    for version in [None, Some(0)] {
        assert_eq!(record(version, &PROBE), lines(always));
    }
    for version in [Some(1), Some(7)] {
        let expected = lines(&[always, "set ahb_ufs_ies_en"].concat());
        assert_eq!(record(version, &PROBE), expected);
    }
}

#[test]
fn the_short_sequences_are_as_the_sheet_says() {
    assert_eq!(record(None, &AFTER_ENABLE), ["hci fc 100"]);
    assert_eq!(
        record(None, &AFTER_LINK_STARTUP_V2),
        [
            "set ap_apb_cfg_frc_on",
            "phy 00f0 00000002 00000002",
            "phy 005c 00000001 00000000"
        ]
    );
    assert_eq!(
        record(None, &SUSPEND_V2),
        ["clear ap_apb_cfg_frc_on", "phy 00f0 00000002 00000000"]
    );
}

/// Sheet 5.2, steps 3 and 4.
#[test]
fn the_dco_is_set_by_hand_below_the_least_good_result() {
    let correction = |register: u32| {
        let steps = dco::correction(dco::result(register));
        steps.map(|steps| record(None, steps))
    };
    let by_hand = || {
        Some(lines(
            "phy c03c 000000ff 0000002c
             phy c004 00010000 00010000",
        ))
    };

    assert_eq!(dco::CALIBRATION, 0xc0f8);
    for low in [0, 0x00ff_ffff, 0x0900_0000, 0x09ff_ffff] {
        assert_eq!(correction(low), by_hand(), "{low:#x}");
    }
    for good in [0x0a00_0000, 0x0aff_ffff, 0x2c00_0000, u32::MAX] {
        assert_eq!(correction(good), None, "{good:#x}");
    }
}

#[test]
fn the_dco_is_looked_at_later_than_the_vendor_does_and_not_much() {
    const { assert!(dco::AFTER_COMMAND.min_us > 1000) };
    const { assert!(dco::AFTER_COMMAND.min_us <= dco::AFTER_COMMAND.max_us) };
}

/// Sheet 5.2, step 5.
#[test]
fn the_details_are_bits_26_to_18() {
    assert_eq!(dco::DETAILS, 0xc108);
    assert_eq!(dco::details(u32::MAX), 0x1ff);
    assert_eq!(dco::details(!0x07fc_0000), 0);
    assert_eq!(dco::details(0x0004_0000), 1);
}

fn all_steps() -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for tuning in [PhyTuning::V1, PhyTuning::V2] {
        all.extend(before_enable(tuning));
    }
    all.extend(PROBE);
    all.extend(AFTER_ENABLE);
    all.extend(DCO_MANUAL);
    all.extend(AFTER_LINK_STARTUP_V2);
    all.extend(SUSPEND_V2);
    all
}

#[test]
fn no_value_has_bits_outside_its_mask() {
    for step in all_steps() {
        if let Op::Phy { mask, value, .. } = step.op {
            assert_eq!(value & !mask, 0, "{step:x?}");
            assert_ne!(mask, 0, "{step:x?}");
        }
    }
}

#[test]
fn no_access_leaves_its_block_or_an_aligned_word() {
    for step in all_steps() {
        match step.op {
            Op::Phy { offset, .. } => assert!(offset % 4 == 0 && offset < 0x1_0000, "{step:x?}"),
            Op::Hci { offset, .. } => assert!(offset % 4 == 0 && offset < 0x100, "{step:x?}"),
            _ => {}
        }
    }
}

#[test]
fn waits_have_a_range() {
    for step in all_steps() {
        assert!(step.wait.min_us <= step.wait.max_us, "{step:?}");
    }
}

#[test]
fn every_reset_is_taken_back_and_the_common_block_is_left_out_of_reset() {
    for tuning in [PhyTuning::V1, PhyTuning::V2] {
        let log = record(Some(1), before_enable(tuning));
        let at = |what: &str| {
            let found: Vec<usize> = (0..log.len()).filter(|&i| log[i] == what).collect();
            assert_eq!(found.len(), 1, "{what}");
            found[0]
        };
        assert!(at("assert Global") < at("deassert Global"));
        assert!(at("assert Controller") < at("deassert Controller"));
        assert!(at("clear ap_apb_ufs_en") < at("assert Global"));
        assert!(at("deassert Global") < at("set ap_apb_ufs_en"));
        assert!(at("set ahb_ufs_cb") < at("clear ahb_ufs_cb"));
        // The PHY is tuned while its common block is in reset.
        let tuned = log.iter().rposition(|l| l.starts_with("phy c0f0")).unwrap();
        assert!(tuned < at("clear ahb_ufs_cb"));
    }
}

#[test]
fn the_first_failure_ends_a_sequence_and_is_named() {
    let whole = record(Some(1), before_enable(PhyTuning::V2));
    for fail_at in (0..whole.len()).filter(|&i| !whole[i].starts_with("wait")) {
        let recorder = Recorder {
            fail_at: Some(fail_at),
            ..Default::default()
        };
        let Stopped { error, .. } =
            run(&recorder, Some(1), before_enable(PhyTuning::V2)).unwrap_err();
        assert_eq!(error, "refused");
        assert_eq!(recorder.log.into_inner(), whole[..fail_at]);
    }
}

#[test]
fn fields_are_where_the_sheet_has_them() {
    let expected = [
        ("aon_apb_ufs_en", Some((Syscon::AonApb, 0x4, 0x1800))),
        ("ap_ahb_ufs_clk", Some((Syscon::ApAhb, 0x3124, 0x40))),
        ("ap_apb_ufs_en", None),
        ("ufs_refclk_on", Some((Syscon::ApAhb, 0x311c, 0x1))),
        ("ahb_ufs_lp", Some((Syscon::ApAhb, 0x3104, 0x3700_0000))),
        (
            "ahb_ufs_force_isol",
            Some((Syscon::ApAhb, 0x3104, 0x0800_0000)),
        ),
        ("ahb_ufs_cb", Some((Syscon::ApAhb, 0x311c, 0x6))),
        ("ahb_ufs_ies_en", Some((Syscon::ApAhb, 0x3108, 0x1))),
        ("ahb_ufs_cg_pclkreq", Some((Syscon::ApAhb, 0x3124, 0x1))),
        ("ap_apb_cfg_frc_on", None),
    ];
    for (i, (field, (property, place))) in Field::ALL.into_iter().zip(expected).enumerate() {
        assert_eq!(field.index(), i);
        assert_eq!(field.property().to_str().unwrap(), property);
        assert_eq!(field.place().map(|p| (p.syscon, p.offset, p.mask)), place);
        assert_eq!(field.required(), property != "ap_apb_cfg_frc_on");
    }
}

#[test]
fn fields_of_one_register_do_not_overlap() {
    for a in Field::ALL {
        for b in Field::ALL {
            if let (Some(pa), Some(pb)) = (a.place(), b.place()) {
                if a != b && pa.syscon == pb.syscon && pa.offset == pb.offset {
                    assert_eq!(pa.mask & pb.mask, 0, "{a:?} and {b:?}");
                }
            }
        }
    }
}

/// Renders a sequence as the documentation has it.
fn render<'a>(steps: impl IntoIterator<Item = &'a Step>) -> String {
    let mut out = String::new();
    for step in steps {
        let what = step.op;
        let on = match step.on {
            On::Every => "",
            On::Versioned => "; only if the version id is not 0",
            On::Ab => "; only if the version id is 1",
        };
        let wait = match step.wait.min_us {
            0 => String::new(),
            us => format!("; then wait {us} us"),
        };
        out += &format!("    {what}{on}{wait}\n");
    }
    out
}

#[test]
fn the_documentation_shows_the_tables_as_they_are() {
    let doc = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../Documentation/bring-up.rst"
    );
    let doc = std::fs::read_to_string(doc).unwrap();
    for (what, steps) in [
        ("PROBE", render(&PROBE)),
        ("before enabling, v1", render(before_enable(PhyTuning::V1))),
        ("before enabling, v2", render(before_enable(PhyTuning::V2))),
        ("AFTER_ENABLE", render(&AFTER_ENABLE)),
        ("DCO_MANUAL", render(&DCO_MANUAL)),
        ("AFTER_LINK_STARTUP_V2", render(&AFTER_LINK_STARTUP_V2)),
        ("SUSPEND_V2", render(&SUSPEND_V2)),
    ] {
        assert!(
            doc.contains(&format!("::\n\n{steps}\n")),
            "Documentation/bring-up.rst should show for {what}:\n{steps}"
        );
    }
}
