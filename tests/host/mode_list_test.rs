// SPDX-License-Identifier: GPL-2.0

use crate::{
    mode::IrqMode::{
        self,
        Adaptive,
        Hardirq,
        Threaded, //
    },
    mode_list::{
        ListError,
        ModeList,
        Quoted,
        MAX_LEN, //
    },
};

fn list(text: &str) -> ModeList {
    let mut list = ModeList::new();
    list.set(text.as_bytes())
        .unwrap_or_else(|err| panic!("{text:?}: {err}"));
    list
}

fn error(text: &str) -> String {
    let mut list = ModeList::new();
    list.set(text.as_bytes())
        .expect_err("should have been refused")
        .to_string()
}

#[test]
fn one_mode_is_for_every_host() {
    let list = list("threaded");
    assert_eq!(list.mode_of(b"22000000.ufs"), Some(Threaded));
    assert_eq!(list.mode_of(b""), Some(Threaded));
}

#[test]
fn a_host_of_its_own_comes_before_every_host_in_any_order() {
    for text in ["threaded,a.ufs:hardirq", "a.ufs:hardirq,threaded"] {
        let list = list(text);
        assert_eq!(list.mode_of(b"a.ufs"), Some(Hardirq));
        assert_eq!(list.mode_of(b"b.ufs"), Some(Threaded));
    }
}

#[test]
fn hosts_that_are_not_named_get_nothing_without_a_mode_for_all() {
    let list = list("a.ufs:threaded,b.ufs:hardirq");
    assert_eq!(list.mode_of(b"a.ufs"), Some(Threaded));
    assert_eq!(list.mode_of(b"b.ufs"), Some(Hardirq));
    assert_eq!(list.mode_of(b"c.ufs"), None);
    assert_eq!(list.mode_of(b"a.uf"), None);
    assert_eq!(list.mode_of(b"a.ufs:"), None);
}

#[test]
fn a_host_name_may_hold_colons() {
    let list = list("soc:ap-apb:ufs:threaded");
    assert_eq!(list.mode_of(b"soc:ap-apb:ufs"), Some(Threaded));
    assert_eq!(list.mode_of(b"soc"), None);
}

#[test]
fn nothing_set_gives_no_mode() {
    assert_eq!(ModeList::new().mode_of(b"a.ufs"), None);
    assert_eq!(ModeList::new().to_string(), "");
}

#[test]
fn one_trailing_newline_is_taken_off_and_no_more() {
    assert_eq!(list("threaded\n").to_string(), "threaded");
    assert!(error("threaded\n\n").contains("not a mode"));
    assert!(error("\n").contains("no mode given"));
}

#[test]
fn messages_name_the_word_and_the_valid_ones() {
    assert_eq!(
        error("foo"),
        "'foo' is not a mode; valid are hardirq, threaded, adaptive"
    );
    assert_eq!(
        error("hardirq,a.ufs:bar"),
        "'bar' is not a mode; valid are hardirq, threaded, adaptive"
    );
    assert_eq!(
        error(""),
        "no mode given; valid are hardirq, threaded, adaptive"
    );
    assert_eq!(error("a:threaded,a:hardirq"), "host 'a' is given twice");
    assert!(error("hardirq,threaded").starts_with("'threaded' is a second mode for every host"));
    assert_eq!(error(":hardirq"), "':hardirq' has no host before its colon");
    assert_eq!(error("hardirq,"), "an entry is empty; check the commas");
    assert_eq!(
        error("a:"),
        "'' is not a mode; valid are hardirq, threaded, adaptive"
    );
}

#[test]
fn names_that_no_host_can_have_are_refused() {
    for text in [
        " a:hardirq",
        "hardirq, a:threaded",
        "a b:hardirq",
        "a\t:hardirq",
        "\u{e4}:hardirq",
    ] {
        assert!(
            error(text).starts_with("no host can be called '"),
            "{text:?}"
        );
    }
    // A mode with a blank is a word that is none.
    assert!(error("hardirq ").contains("not a mode"));
}

#[test]
fn a_refused_text_changes_nothing() {
    let mut list = list("threaded,a:hardirq");
    for bad in ["foo", "", "hardirq,hardirq", &"x".repeat(MAX_LEN + 1)] {
        assert!(list.set(bad.as_bytes()).is_err());
        assert_eq!(list.to_string(), "threaded,a:hardirq");
        assert_eq!(list.mode_of(b"a"), Some(Hardirq));
    }
}

#[test]
fn a_shorter_text_leaves_nothing_of_a_longer_one() {
    let mut list = list("threaded,a:hardirq");
    list.set(b"hardirq").unwrap();
    assert_eq!(list.to_string(), "hardirq");
    assert_eq!(list.mode_of(b"a"), Some(Hardirq));
}

#[test]
fn the_longest_text_is_taken_and_one_more_byte_is_not() {
    let longest = format!("{}:threaded", "h".repeat(MAX_LEN - 9));
    assert_eq!(longest.len(), MAX_LEN);
    assert_eq!(list(&longest).to_string(), longest);
    assert_eq!(list(&format!("{longest}\n")).to_string(), longest);

    let longer = format!("h{longest}");
    let mut refused = ModeList::new();
    assert_eq!(
        refused.set(longer.as_bytes()),
        Err(ListError::TooLong(MAX_LEN + 1))
    );
}

#[test]
fn what_cannot_be_printed_is_escaped_and_long_words_are_cut() {
    assert_eq!(
        Quoted(b"a\x1b[31m\n\xff").to_string(),
        "'a\\x1b[31m\\x0a\\xff'"
    );
    let message = error(&"w".repeat(200));
    assert!(message.len() < 120, "{message}");
    assert!(message.contains("www...'"), "{message}");
}

/// What a list means, written down a second time and in another way.
fn reference(text: &str) -> Option<Vec<(Option<&str>, IrqMode)>> {
    let mut out = Vec::new();
    for entry in text.split(',') {
        let (host, word) = match entry.rsplit_once(':') {
            Some(("", _)) => return None,
            Some((host, word)) => (Some(host), word),
            None => (None, entry),
        };
        let mode = match word {
            "hardirq" => Hardirq,
            "threaded" => Threaded,
            "adaptive" => Adaptive,
            _ => return None,
        };
        if out.iter().any(|&(h, _)| h == host) {
            return None;
        }
        out.push((host, mode));
    }
    Some(out)
}

#[test]
fn every_short_sequence_of_pieces_means_what_the_reference_says() {
    const PIECES: [&str; 8] = ["", "hardirq", "adaptive", "foo", "a", "b", ":", ","];
    const LEN: u32 = 6;

    let mut good = 0;
    for n in 0..PIECES.len().pow(LEN) {
        let text: String = (0..LEN)
            .map(|i| PIECES[n / PIECES.len().pow(i) % PIECES.len()])
            .collect();
        let mut list = ModeList::new();
        match (list.set(text.as_bytes()), reference(&text)) {
            (Ok(()), Some(expected)) => {
                good += 1;
                for host in ["a", "b", "c", ":", ""] {
                    let mode = expected
                        .iter()
                        .find(|(h, _)| *h == Some(host))
                        .or_else(|| expected.iter().find(|(h, _)| h.is_none()))
                        .map(|&(_, m)| m);
                    assert_eq!(list.mode_of(host.as_bytes()), mode, "{host:?} in {text:?}");
                }
            }
            (Err(_), None) => assert_eq!(list.as_bytes(), b""),
            (got, expected) => panic!("{text:?}: got {got:?}, expected {expected:?}"),
        }
    }
    assert!(good > 1000, "only {good} good lists were tried");
}

#[test]
fn no_bytes_make_it_panic() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    for _ in 0..200_000 {
        let mut bytes = [0u8; 24];
        for b in &mut bytes {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *b = state as u8;
        }
        let len = usize::from(bytes[0]) % bytes.len();
        let mut list = ModeList::new();
        if let Err(err) = list.set(&bytes[..len]) {
            assert!(!err.to_string().is_empty());
        }
    }
}
