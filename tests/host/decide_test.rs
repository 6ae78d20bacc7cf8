// SPDX-License-Identifier: GPL-2.0

use crate::{
    decide::{
        decide,
        Action,
        Moment,
        GONE,
        UTRCS, //
    },
    mode::IrqMode,
};

/// Interrupt status bits other than UTRCS, by their names in UFSHCI.
const OTHERS: [(&str, u32); 14] = [
    ("UDEPRI", 1 << 1),
    ("UE", 1 << 2),
    ("UTMS", 1 << 3),
    ("UPMS", 1 << 4),
    ("UHXS", 1 << 5),
    ("UHES", 1 << 6),
    ("ULLS", 1 << 7),
    ("ULSS", 1 << 8),
    ("UTMRCS", 1 << 9),
    ("UCCS", 1 << 10),
    ("DFES", 1 << 11),
    ("HCFES", 1 << 16),
    ("SBFES", 1 << 17),
    ("CQES", 1 << 20),
];

fn moments() -> [Moment; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(
        |(in_thread, pm_op_in_progress)| Moment {
            in_thread,
            pm_op_in_progress,
        },
    )
}

fn every_circumstance() -> impl Iterator<Item = (IrqMode, Moment)> {
    IrqMode::ALL
        .into_iter()
        .flat_map(|mode| moments().map(|moment| (mode, moment)))
}

#[test]
fn a_lone_completion_goes_where_the_mode_says() {
    assert_eq!(
        decide(UTRCS, IrqMode::Hardirq, Moment::default()),
        Action::CompleteHere
    );
    assert_eq!(
        decide(UTRCS, IrqMode::Threaded, Moment::default()),
        Action::Defer
    );
    assert_eq!(
        decide(UTRCS, IrqMode::Adaptive, Moment::default()),
        Action::Weigh
    );
}

#[test]
fn no_thread_is_woken_from_a_thread_or_during_suspend_and_resume() {
    for (mode, moment) in every_circumstance() {
        if moment != Moment::default() {
            assert_eq!(decide(UTRCS, mode, moment), Action::CompleteHere);
        }
    }
}

#[test]
fn everything_but_a_lone_completion_reaches_the_core() {
    for (mode, moment) in every_circumstance() {
        for (name, bit) in OTHERS {
            assert_eq!(decide(bit, mode, moment), Action::Forward, "{name} alone");
            assert_eq!(
                decide(bit | UTRCS, mode, moment),
                Action::Forward,
                "{name} with UTRCS"
            );
        }
    }
}

#[test]
fn no_other_status_is_ever_taken_from_the_core() {
    // Every single bit and every pair, also the reserved ones.
    for (mode, moment) in every_circumstance() {
        for a in 0..32 {
            for b in 0..32 {
                let status = 1u32 << a | 1u32 << b;
                let expected_forward = status != UTRCS;
                assert_eq!(
                    decide(status, mode, moment) == Action::Forward,
                    expected_forward,
                    "{status:#x}"
                );
            }
        }
    }
}

#[test]
fn nothing_asserted_is_not_ours() {
    for (mode, moment) in every_circumstance() {
        assert_eq!(decide(0, mode, moment), Action::NotOurs);
    }
}

#[test]
fn all_ones_is_a_controller_that_is_gone_and_reaches_nobody() {
    for (mode, moment) in every_circumstance() {
        assert_eq!(decide(GONE, mode, moment), Action::Gone);
    }
}
