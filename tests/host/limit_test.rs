// SPDX-License-Identifier: GPL-2.0

use crate::limit::Limit;

#[test]
fn every_number_in_the_range_is_taken_and_no_other() {
    for limit in Limit::ALL {
        let (low, high) = (*limit.range().start(), *limit.range().end());

        for value in [low, low + 1, high - 1, high] {
            assert_eq!(limit.parse(value.to_string().as_bytes()), Some(value));
        }
        let mut bad = vec![(u64::from(high) + 1).to_string(), "4294967296".into()];
        if low > 0 {
            bad.push((low - 1).to_string());
        }
        for text in bad {
            assert_eq!(limit.parse(text.as_bytes()), None, "{limit:?}: {text}");
        }
    }
}

#[test]
fn what_is_no_decimal_number_is_refused() {
    for text in [
        "", " ", "1 ", " 1", "+1", "-1", "0x10", "1k", "1.5", "one", "1\n", "1\0", "\u{661}",
        "10 20",
    ] {
        for limit in Limit::ALL {
            assert_eq!(limit.parse(text.as_bytes()), None, "{text:?}");
        }
    }
    assert_eq!(Limit::Bytes.parse(&[b'1', 0xff]), None);
}

#[test]
fn defaults_are_in_range_and_places_are_right() {
    for (place, limit) in Limit::ALL.into_iter().enumerate() {
        assert!(limit.range().contains(&limit.default()));
        assert_eq!(limit.index(), place);
        assert!(!limit.name().is_empty());
    }
}
