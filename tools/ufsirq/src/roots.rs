// SPDX-License-Identifier: GPL-2.0

//! Where sysfs and debugfs are; elsewhere for tests.

use std::{
    ffi::OsString,
    path::PathBuf, //
};

/// The directories that everything is found under.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Roots {
    /// Where sysfs is mounted.
    pub(crate) sysfs: PathBuf,
    /// Where debugfs is mounted, if it is.
    pub(crate) debugfs: PathBuf,
}

impl Roots {
    /// Chooses by the option `--root`, else by `UFSIRQ_SYSFS` and `UFSIRQ_DEBUGFS`, which
    /// `variable` looks up, else the usual places.
    pub(crate) fn choose(
        root: Option<PathBuf>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        let set = |name| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let sysfs = match root {
            Some(root) => {
                let sysfs = root.join("sys");
                let debugfs = sysfs.join("kernel/debug");
                return Self { sysfs, debugfs };
            }
            None => set("UFSIRQ_SYSFS").unwrap_or_else(|| PathBuf::from("/sys")),
        };
        let debugfs = set("UFSIRQ_DEBUGFS").unwrap_or_else(|| sysfs.join("kernel/debug"));
        Self { sysfs, debugfs }
    }

    /// Returns the driver's directory, which has its hosts.
    pub(crate) fn driver(&self) -> PathBuf {
        self.sysfs.join("bus/platform/drivers/ufs_unisoc")
    }

    /// Returns the driver's directory in debugfs.
    pub(crate) fn counters(&self) -> PathBuf {
        self.debugfs.join("ufs_unisoc")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(sysfs: &str, debugfs: &str) -> Roots {
        Roots {
            sysfs: sysfs.into(),
            debugfs: debugfs.into(),
        }
    }

    #[test]
    fn the_usual_places_unless_told_otherwise() {
        let unset = |_: &str| None;
        assert_eq!(
            Roots::choose(None, unset),
            roots("/sys", "/sys/kernel/debug")
        );
        assert_eq!(
            Roots::choose(Some("/r".into()), unset),
            roots("/r/sys", "/r/sys/kernel/debug")
        );
    }

    #[test]
    fn variables_move_them() {
        let sysfs = |name: &str| (name == "UFSIRQ_SYSFS").then(|| "/s".into());
        let both = |name: &str| Some(if name == "UFSIRQ_SYSFS" { "/s" } else { "/d" }.into());
        let empty = |_: &str| Some("".into());
        assert_eq!(Roots::choose(None, sysfs), roots("/s", "/s/kernel/debug"));
        assert_eq!(Roots::choose(None, both), roots("/s", "/d"));
        assert_eq!(
            Roots::choose(None, empty),
            roots("/sys", "/sys/kernel/debug")
        );
        assert_eq!(
            Roots::choose(Some("/r".into()), both),
            roots("/r/sys", "/r/sys/kernel/debug")
        );
    }
}
