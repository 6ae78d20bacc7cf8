// SPDX-License-Identifier: GPL-2.0

use crate::mode::{
    effective,
    Brackets,
    Context,
    IrqMode,
    ValidWords, //
};

#[test]
fn every_mode_survives_the_way_through_an_atomic() {
    for mode in IrqMode::ALL {
        assert_eq!(IrqMode::from_index(mode.index()), mode);
    }
}

#[test]
fn an_unknown_index_is_the_default_mode() {
    for index in [3, 4, u32::MAX] {
        assert_eq!(IrqMode::from_index(index), IrqMode::DEFAULT);
    }
}

#[test]
fn every_name_means_its_mode() {
    for mode in IrqMode::ALL {
        assert_eq!(IrqMode::from_word(mode.name().as_bytes()), Some(mode));
    }
}

#[test]
fn words_that_only_look_like_modes_are_none() {
    for word in [
        "",
        " ",
        "hardirq ",
        " hardirq",
        "Hardirq",
        "HARDIRQ",
        "hardir",
        "hardirqs",
        "threaded\n",
        "thread",
        "core",
        "adaptiv",
        "[hardirq]",
        "adaptive\0",
        "hardirq,threaded",
    ] {
        assert_eq!(IrqMode::from_word(word.as_bytes()), None, "{word:?}");
    }
}

#[test]
fn brackets_mark_the_chosen_mode_only() {
    assert_eq!(
        Brackets(IrqMode::Hardirq).to_string(),
        "[hardirq] threaded adaptive"
    );
    assert_eq!(
        Brackets(IrqMode::Threaded).to_string(),
        "hardirq [threaded] adaptive"
    );
    assert_eq!(
        Brackets(IrqMode::Adaptive).to_string(),
        "hardirq threaded [adaptive]"
    );
}

#[test]
fn a_host_is_adaptive_if_nobody_says_otherwise() {
    assert_eq!(IrqMode::DEFAULT, IrqMode::Adaptive);
}

#[test]
fn messages_list_every_mode() {
    assert_eq!(ValidWords.to_string(), "hardirq, threaded, adaptive");
}

#[test]
fn every_context_survives_the_way_through_an_atomic_and_has_its_word() {
    for (context, word) in [
        (Context::None, "none"),
        (Context::Hardirq, "hardirq"),
        (Context::Thread, "thread"),
    ] {
        assert_eq!(Context::from_index(context.index()), context);
        assert_eq!(context.to_string(), word);
    }
    assert_eq!(Context::from_index(u32::MAX), Context::None);
}

#[test]
fn forced_threads_leave_only_the_thread() {
    for mode in IrqMode::ALL {
        assert_eq!(effective(mode, false), mode);
        assert_eq!(effective(mode, true), IrqMode::Threaded);
    }
}
