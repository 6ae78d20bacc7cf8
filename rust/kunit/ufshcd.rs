// SPDX-License-Identifier: GPL-2.0

//! Tests of what of the UFS abstractions needs no host.

use core::ptr;

use kernel::prelude::*;

use super::{
    quirks::PmLevel,
    types::PowerMode,
    vops::Table,
    Hba,
    VariantOps, //
};
use crate::abi::{
    bindings,
    compat::io::Window, //
};

/// Register windows.
mod window {
    use super::*;

    pub(super) const LEN: usize = 0x100;

    /// Memory in place of registers.
    #[repr(align(8))]
    pub(super) struct Memory(pub(super) [u32; 2 * LEN / 4]);

    /// Describes the first `size` bytes of it.
    pub(super) fn of(memory: &mut Memory, size: usize) -> Result<Window<LEN>> {
        // SAFETY: The tests use no window beyond what they have given it.
        unsafe { Window::new(memory.0.as_mut_ptr().cast(), size) }
    }
}

/// A variant that wants nothing.
struct Nothing;

#[vtable]
impl VariantOps for Nothing {
    type Data = ();

    const NAME: &'static CStr = c"nothing";
}

/// A variant that wants a few things.
struct Something;

#[vtable]
impl VariantOps for Something {
    type Data = ();

    const NAME: &'static CStr = c"something";

    fn exit(_hba: &Hba<Self>) {}

    fn post_hce_enable(_hba: &Hba<Self>) -> Result {
        Ok(())
    }

    fn pre_hibern8_enter(_hba: &Hba<Self>) {}
}

/// A variant that observes link start-ups, which has to be ended at many places.
struct Observing;

#[vtable]
impl VariantOps for Observing {
    type Data = ();

    const NAME: &'static CStr = c"observing";

    fn observe_link_startup(_hba: &Hba<Self>) {}
}

/// Returns a variant's table.
fn table<T: VariantOps>() -> &'static bindings::ufs_hba_variant_ops {
    // SAFETY: A static table.
    unsafe { &*Table::<T>::as_ptr() }
}

#[kunit_tests(ufs_unisoc_ufshcd)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_as_long_as_it_says_and_long_enough() -> Result {
        let mut memory = window::Memory([0; 2 * window::LEN / 4]);

        assert_eq!(window::of(&mut memory, window::LEN)?.len(), window::LEN);
        assert_eq!(
            window::of(&mut memory, window::LEN + 4)?.len(),
            window::LEN + 4
        );
        assert!(window::of(&mut memory, window::LEN - 4).err() == Some(EINVAL));
        assert!(window::of(&mut memory, 0).err() == Some(EINVAL));
        Ok(())
    }

    #[test]
    fn accesses_beyond_a_window_or_across_are_refused() -> Result {
        use kernel::io::Io;

        let mut memory = window::Memory([0; 2 * window::LEN / 4]);
        memory.0[window::LEN / 4 - 1] = 0x1234_5678;
        memory.0[window::LEN / 4] = 0xdead_beef;
        let window = window::of(&mut memory, window::LEN)?;
        // SAFETY: The memory outlives it.
        let view = unsafe { window.view() };

        assert_eq!(view.try_read32(window::LEN - 4)?, 0x1234_5678);
        for offset in [window::LEN, window::LEN - 2, usize::MAX - 3, 1] {
            assert!(view.try_read32(offset).is_err());
            assert!(view.try_write32(7, offset).is_err());
        }
        view.try_write32(5, 8)?;
        assert_eq!(memory.0[2], 5);
        assert_eq!(memory.0[window::LEN / 4], 0xdead_beef);
        Ok(())
    }

    #[test]
    fn a_variant_gets_only_the_calls_it_wants() {
        let ops = table::<Nothing>();
        assert!(ops.init.is_none());
        assert!(ops.exit.is_none());
        assert!(ops.setup_clocks.is_none());
        assert!(ops.hce_enable_notify.is_none());
        assert!(ops.link_startup_notify.is_none());
        assert!(ops.hibern8_notify.is_none());
        assert!(ops.suspend.is_none());
        assert!(ops.setup_xfer_req.is_none());

        let ops = table::<Something>();
        assert!(ops.init.is_none());
        assert!(ops.exit.is_some());
        assert!(ops.setup_clocks.is_none());
        assert!(ops.hce_enable_notify.is_some());
        assert!(ops.link_startup_notify.is_none());
        assert!(ops.hibern8_notify.is_some());
        assert!(ops.suspend.is_none());
    }

    #[test]
    fn an_observation_is_ended_wherever_it_must_be() {
        let ops = table::<Observing>();

        assert!(ops.exit.is_some());
        assert!(ops.setup_clocks.is_some());
        assert!(ops.hce_enable_notify.is_some());
        assert!(ops.link_startup_notify.is_some());
        assert!(ops.suspend.is_some());
    }

    #[test]
    fn a_variant_has_its_name() {
        // SAFETY: A static C string.
        let name = unsafe { CStr::from_char_ptr(table::<Something>().name) };

        assert!(name == c"something");
    }

    #[test]
    fn a_power_mode_is_told_as_it_is() {
        let mut raw = bindings::ufs_pa_layer_attr {
            gear_rx: 4,
            gear_tx: 3,
            lane_rx: 2,
            lane_tx: 1,
            hs_rate: 2,
            ..Default::default()
        };

        // PWM, auto PWM, fast, fast auto: UniPro's numbers.
        for (mode, fast) in [(2, false), (5, false), (1, true), (4, true)] {
            raw.pwr_rx = mode;
            // SAFETY: Does not change while it is used.
            let mode = unsafe { PowerMode::from_raw(ptr::from_mut(&mut raw)) };

            assert_eq!(mode.is_high_speed(), fast);
            assert!(mode.gears() == (4, 3));
            assert!(mode.lanes() == (2, 1));
            assert_eq!(mode.series(), 'B');
        }
    }

    #[test]
    fn power_levels_are_what_their_names_say() {
        // 1 and 5: numbers of the core's from 0 on.
        assert_eq!(PmLevel::ActiveHibern8.as_raw(), 1);
        assert_eq!(PmLevel::PowerDownOff.as_raw(), 5);
    }
}
