// SPDX-License-Identifier: GPL-2.0

use crate::bringup::unipro::{
    granularity_us,
    t_activate,
    Side,
    TActivate, //
};

const fn side(granularity: u32, t_activate: u32) -> Side {
    Side {
        granularity,
        t_activate,
    }
}

#[test]
fn granularities_are_those_of_unipro() {
    let us: Vec<_> = (0..=7).map(granularity_us).collect();
    assert_eq!(
        us,
        [
            None,
            Some(1),
            Some(4),
            Some(8),
            Some(16),
            Some(32),
            Some(100),
            None
        ]
    );
    assert_eq!(granularity_us(u32::MAX), None);
}

#[test]
fn both_sides_get_the_longer_time_and_their_margin() {
    // Host 2 * 100 us, device 10 * 16 us: the longer is 200 us.
    assert_eq!(
        t_activate(side(6, 2), side(4, 10)),
        Some(TActivate {
            host: 5,
            device: 37
        })
    );
    // The device's is the longer: 255 us.
    assert_eq!(
        t_activate(side(1, 7), side(1, 255)),
        Some(TActivate {
            host: 555,
            device: 655
        })
    );
}

#[test]
fn a_granularity_that_is_none_gives_nothing() {
    for bad in [0, 7, u32::MAX] {
        assert_eq!(t_activate(side(bad, 1), side(1, 1)), None);
        assert_eq!(t_activate(side(1, 1), side(bad, 1)), None);
    }
}

#[test]
fn values_at_the_bounds_neither_wrap_nor_panic() {
    for host in 1..=6 {
        for device in 1..=6 {
            for (a, b) in [(0, 0), (0, u32::MAX), (u32::MAX, 0), (u32::MAX, u32::MAX)] {
                let us = |g: u32, t: u32| u128::from(granularity_us(g).unwrap()) * u128::from(t);
                let longer = us(host, a).max(us(device, b));
                let expect = |margin: u128, g: u32| {
                    u32::try_from((longer + margin) / u128::from(granularity_us(g).unwrap())).ok()
                };
                let expected = expect(300, host)
                    .zip(expect(400, device))
                    .map(|(host, device)| TActivate { host, device });
                assert_eq!(t_activate(side(host, a), side(device, b)), expected);
            }
        }
    }
}
