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

/// What the documents say of a limit.
fn documented(limit: Limit) -> [String; 2] {
    let (low, high) = (*limit.range().start(), *limit.range().end());

    [
        format!(
            "A decimal number from {low} to {high}; {} by default.",
            limit.default()
        ),
        format!(
            "{:<23}{:<13}{low}..{high} ",
            format!("``{}``", limit.name()),
            limit.default()
        ),
    ]
}

#[test]
fn documents_have_the_defaults_and_ranges() {
    let abi = include_str!("../../Documentation/ABI/testing/sysfs-driver-ufs-unisoc");
    let guide = include_str!("../../Documentation/admin-guide/ufs-unisoc.rst");

    for limit in Limit::ALL {
        let [in_abi, in_guide] = documented(limit);
        let (_, entry) = abi
            .split_once(&format!("irq_fastpath/{}\n", limit.name()))
            .unwrap();
        let entry = entry.split("What:").next().unwrap();

        assert!(entry.contains(&in_abi), "{in_abi}");
        assert!(guide.contains(&in_guide), "{in_guide}");
    }
}
