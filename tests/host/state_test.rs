// SPDX-License-Identifier: GPL-2.0

use crate::{
    mode::{
        Context,
        IrqMode, //
    },
    state::State, //
};

const CONTEXTS: [Context; 3] = [Context::None, Context::Hardirq, Context::Thread];

fn every_state() -> Vec<(State, IrqMode, Context, bool, bool)> {
    let mut all = Vec::new();
    for mode in IrqMode::ALL {
        for context in CONTEXTS {
            for (forced, gone) in [(false, false), (false, true), (true, false), (true, true)] {
                let mut state = State::new(mode).with_context(context);
                if forced {
                    state = state.with_forced_threads();
                }
                if gone {
                    state = state.with_gone();
                }
                all.push((state, mode, context, forced, gone));
            }
        }
    }
    all
}

#[test]
fn each_part_is_what_was_put_in_and_survives_the_way_through_a_word() {
    for (state, mode, context, forced, gone) in every_state() {
        let state = State::from_raw(state.into_raw());
        assert_eq!(state.mode(), mode);
        assert_eq!(state.context(), context);
        assert_eq!(state.forced_threads(), forced);
        assert_eq!(state.gone(), gone);
    }
}

#[test]
fn changing_one_part_leaves_the_others() {
    for (state, mode, context, forced, gone) in every_state() {
        for other in IrqMode::ALL {
            let s = state.with_mode(other);
            assert_eq!((s.mode(), s.context()), (other, context));
            assert_eq!((s.forced_threads(), s.gone()), (forced, gone));
        }
        for other in CONTEXTS {
            let s = state.with_context(other);
            assert_eq!((s.mode(), s.context()), (mode, other));
            assert_eq!((s.forced_threads(), s.gone()), (forced, gone));
        }
        let s = state.with_forced_threads().with_gone();
        assert_eq!((s.mode(), s.context()), (mode, context));
        assert!(s.forced_threads() && s.gone());
    }
}

#[test]
fn different_states_are_different_words() {
    let mut words: Vec<u32> = every_state().iter().map(|s| s.0.into_raw()).collect();
    let len = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), len);
}
