// SPDX-License-Identifier: GPL-2.0

//! Numbers as people read them.

/// Returns a number, or a dash if there is none.
pub(crate) fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

/// Returns a time in the unit that suits it.
pub(crate) fn time(ns: u64) -> String {
    // CAST: For reading only.
    let ns_f = ns as f64;
    match ns {
        0..=9_999 => format!("{ns} ns"),
        10_000..=999_999 => format!("{:.1} us", ns_f / 1e3),
        1_000_000..=999_999_999 => format!("{:.2} ms", ns_f / 1e6),
        _ => format!("{:.2} s", ns_f / 1e9),
    }
}

/// Returns `part / whole`; `None` if there is no whole.
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    // CAST: For reading only.
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns how often something happened a second.
pub(crate) fn rate(count: u64, seconds: f64) -> Option<f64> {
    // CAST: For reading only.
    (seconds > 0.0).then(|| count as f64 / seconds)
}

/// Returns a part of one as percent.
pub(crate) fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// Returns "1 request", "2 requests".
pub(crate) fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Returns a text in lines of no more than `width` characters, unless a word is longer.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();

    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_suits_them() {
        for (ns, text) in [
            (0, "0 ns"),
            (1_870, "1870 ns"),
            (18_700, "18.7 us"),
            (12_345_678, "12.35 ms"),
            (12_345_678_901, "12.35 s"),
            (u64::MAX, "18446744073.71 s"),
        ] {
            assert_eq!(time(ns), text);
        }
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        assert_eq!((ratio(1, 0), rate(1, 0.0)), (None, None));
        assert_eq!((ratio(1, 2), rate(6, 2.0)), (Some(0.5), Some(3.0)));
        assert_eq!(or_dash::<u64>(None), "-");
    }

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrap("a bc def ghijkl m", 4), ["a bc", "def", "ghijkl", "m"]);
        assert_eq!(wrap("  ", 4), Vec::<String>::new());
    }
}
