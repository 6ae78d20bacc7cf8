// SPDX-License-Identifier: GPL-2.0

//! The file `irq_mode`: the modes a host can have, the one in effect in brackets.

/// What `irq_mode` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modes {
    /// All of them, in the order of the file.
    pub(crate) all: Vec<String>,
    /// The one in effect; `None` if the file does not say.
    pub(crate) chosen: Option<String>,
}

impl Modes {
    /// Takes the file apart. Whatever is in it, there is an answer.
    pub(crate) fn parse(text: &str) -> Self {
        let mut modes = Self::default();

        for word in text.split_whitespace() {
            let inner = word.strip_prefix('[').and_then(|w| w.strip_suffix(']'));
            let name = inner.unwrap_or(word);
            if !is_name(name) {
                continue;
            }
            if inner.is_some() {
                modes.chosen = Some(name.to_owned());
            }
            modes.all.push(name.to_owned());
        }
        modes
    }

    /// Returns whether a host can have a mode of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|m| m == name)
    }

    /// Returns whether that mode is in effect.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.chosen.as_deref() == Some(name)
    }

    /// Returns whether the UFS core completes the transfers, so that there is nothing to choose.
    pub(crate) fn left_to_the_core(&self) -> bool {
        self.is("core")
    }

    /// Returns the name of the mode in effect, or a dash.
    pub(crate) fn name(&self) -> &str {
        self.chosen.as_deref().unwrap_or("-")
    }
}

/// Returns whether a word can be the name of a mode.
fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_in_brackets_is_in_effect() {
        let modes = Modes::parse("hardirq threaded [adaptive]\n");
        assert_eq!(modes.all, ["hardirq", "threaded", "adaptive"]);
        assert!(modes.is("adaptive") && !modes.is("hardirq"));
        assert!(modes.has("hardirq") && !modes.has("core"));
        assert!(!modes.left_to_the_core());
        assert!(Modes::parse("[core]\n").left_to_the_core());
    }

    #[test]
    fn what_is_no_mode_is_left_out() {
        for text in ["", "\n", "[]", "[[x]]", "\u{fffd}\u{fffd} \0", "[a", "a]"] {
            let modes = Modes::parse(text);
            assert_eq!(modes.chosen, None, "{text:?}");
            assert_eq!(modes.name(), "-", "{text:?}");
        }
        assert_eq!(Modes::parse("a b").all, ["a", "b"]);
    }
}
