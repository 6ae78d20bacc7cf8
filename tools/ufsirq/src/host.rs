// SPDX-License-Identifier: GPL-2.0

//! The hosts that the driver is bound to, and their files.

use std::{
    fs, io,
    path::{
        Path,
        PathBuf, //
    },
};

use crate::{
    counters::Counters,
    error::{
        Error,
        Result, //
    },
    file,
    histogram::Histogram,
    mode::Modes,
    roots::Roots, //
};

/// The word that means every host.
pub(crate) const ALL: &str = "all";

/// The limits of the adaptive mode that are known; a driver may have more.
pub(crate) const LIMITS: [&str; 3] = ["max_bytes", "max_time_us", "max_cpu_percent"];

/// The histogram of the length of hard interrupt sections.
pub(crate) const SECTIONS: &str = "hardirq_us";

/// The histogram of the time from the hard interrupt to the start of the thread.
pub(crate) const WAKEUPS: &str = "wakeup_us";

/// A limit of the adaptive mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// The name of its file.
    pub(crate) name: String,
    /// What the file says; `None` if that is no number.
    pub(crate) value: Option<u64>,
}

/// Why a host's counters cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoCounters {
    /// Only root may look into debugfs.
    NotRoot,
    /// The kernel is locked down, which debugfs is not for.
    LockedDown,
    /// Nothing is mounted there.
    NotMounted,
    /// The driver has none: it is older than they are.
    OldDriver,
    /// The host has been unbound.
    Gone,
    /// The driver has some, but none for this host: it is being bound or unbound.
    NotNow,
    /// Some other error, by its number; 0 if it has none.
    Unreadable(i32),
}

impl NoCounters {
    /// Returns what to tell the user, what to do included.
    pub(crate) fn text(self, roots: &Roots) -> String {
        let debugfs = roots.debugfs.display();
        match self {
            Self::NotRoot => format!("no counters: only root may look into {debugfs}"),
            Self::LockedDown => {
                format!("no counters: the kernel is locked down, which keeps {debugfs} shut")
            }
            Self::NotMounted => {
                format!("no counters: debugfs is not mounted; mount -t debugfs none {debugfs}")
            }
            Self::OldDriver => format!(
                "no counters: there is no {}; this ufs_unisoc is older than ufsirq",
                roots.counters().display()
            ),
            Self::Gone => "no counters: the host was unbound meanwhile".to_owned(),
            Self::NotNow => {
                "no counters: the driver has none for it; is it being bound or unbound?".to_owned()
            }
            Self::Unreadable(0) => "no counters: their file cannot be read".to_owned(),
            Self::Unreadable(number) => {
                let error = io::Error::from_raw_os_error(number);
                format!("no counters: their file cannot be read: {error}")
            }
        }
    }
}

/// A host that the driver is bound to, or was a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// Its name, such as `20200000.ufs`.
    pub(crate) name: String,
    /// Its directory in sysfs.
    dir: PathBuf,
    /// Its directory in debugfs.
    debug: PathBuf,
}

impl Host {
    /// Returns every host that is bound, by name.
    pub(crate) fn all(roots: &Roots) -> Result<Vec<Self>> {
        let driver = roots.driver();
        let entries = fs::read_dir(&driver).map_err(|e| no_driver(roots, &e))?;
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_host(&driver, name))
            .collect();

        names.sort();
        Ok(names
            .into_iter()
            .map(|name| Self {
                dir: driver.join(&name),
                debug: roots.counters().join(&name),
                name,
            })
            .collect())
    }

    /// Returns every host that is bound, of which there is at least one.
    pub(crate) fn some(roots: &Roots) -> Result<Vec<Self>> {
        let hosts = Self::all(roots)?;
        if hosts.is_empty() {
            return Err(Error::failed(format!(
                "ufs_unisoc is loaded, but bound to no host (none in {}); the kernel's log may say \
                 why: dmesg | grep ufs",
                roots.driver().display()
            )));
        }
        Ok(hosts)
    }

    /// Returns the host of that name, or every one for `all`.
    pub(crate) fn pick(roots: &Roots, name: &str) -> Result<Vec<Self>> {
        let mut hosts = Self::some(roots)?;
        if name == ALL {
            return Ok(hosts);
        }
        let names: Vec<String> = hosts.iter().map(|h| h.name.clone()).collect();
        hosts.retain(|h| h.name == name);
        if hosts.is_empty() {
            return Err(Error::failed(format!(
                "no host is called '{}'; there are: {}",
                name.escape_debug(),
                names.join(", ")
            )));
        }
        Ok(hosts)
    }

    /// Returns the modes that it can have and the one in effect.
    pub(crate) fn modes(&self) -> io::Result<Modes> {
        Ok(Modes::parse(&file::read(&self.dir.join("irq_mode"))?))
    }

    /// Changes the mode.
    pub(crate) fn set_mode(&self, mode: &str) -> io::Result<()> {
        file::write(&self.dir.join("irq_mode"), mode)
    }

    /// Returns where the last transfer completed, in the driver's word for it.
    pub(crate) fn context(&self) -> Option<String> {
        let text = file::read(&self.dir.join("irq_context")).ok()?;
        let word = text.trim();
        (!word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic())).then(|| word.to_owned())
    }

    /// Returns the limits of the adaptive mode, the known ones first; none if the driver has none.
    pub(crate) fn limits(&self) -> Vec<Limit> {
        let dir = self.dir.join("irq_fastpath");
        let Ok(entries) = fs::read_dir(&dir) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok())
            .collect();

        names.sort_by_key(|n| {
            (
                LIMITS.iter().position(|l| l == n).unwrap_or(LIMITS.len()),
                n.clone(),
            )
        });
        names
            .into_iter()
            .map(|name| {
                let text = file::read(&dir.join(&name)).ok();
                let value = text.and_then(|t| t.trim().parse().ok());
                Limit { name, value }
            })
            .collect()
    }

    /// Changes a limit, whose name is one of [`Host::limits`].
    pub(crate) fn set_limit(&self, name: &str, value: u64) -> io::Result<()> {
        file::write(
            &self.dir.join("irq_fastpath").join(name),
            &value.to_string(),
        )
    }

    /// Returns the counters.
    pub(crate) fn counters(&self, roots: &Roots) -> std::result::Result<Counters, NoCounters> {
        match file::read(&self.debug.join("stats")) {
            Ok(text) => Ok(Counters::parse(&text)),
            Err(error) => Err(self.why_not(roots, &error)),
        }
    }

    /// Returns a histogram, of [`SECTIONS`] or [`WAKEUPS`]; `None` if the driver does not have it.
    pub(crate) fn histogram(&self, name: &str) -> Option<Histogram> {
        let text = file::read(&self.debug.join(name)).ok()?;
        Some(Histogram::parse(&text))
    }

    /// Lets the counters begin at zero again.
    pub(crate) fn reset(&self, roots: &Roots) -> std::result::Result<(), NoCounters> {
        file::write(&self.debug.join("reset"), "1").map_err(|error| self.why_not(roots, &error))
    }

    /// Returns whether the driver is bound to it.
    pub(crate) fn is_there(&self) -> bool {
        self.dir.exists()
    }

    /// Returns what an error of one of the files in debugfs means.
    fn why_not(&self, roots: &Roots, error: &io::Error) -> NoCounters {
        match error.raw_os_error() {
            Some(file::EACCES) => NoCounters::NotRoot,
            Some(file::EPERM) => NoCounters::LockedDown,
            _ if !self.is_there() => NoCounters::Gone,
            _ if error.kind() == io::ErrorKind::NotFound => missing(roots),
            number => NoCounters::Unreadable(number.unwrap_or(0)),
        }
    }
}

/// Returns why a host that is there has no files in debugfs.
fn missing(roots: &Roots) -> NoCounters {
    if roots.counters().exists() {
        return NoCounters::NotNow;
    }
    // Where nothing is mounted there is an empty directory.
    let mounted = fs::read_dir(&roots.debugfs).is_ok_and(|mut entries| entries.next().is_some());
    if mounted {
        NoCounters::OldDriver
    } else {
        NoCounters::NotMounted
    }
}

/// Returns whether an entry of the driver's directory is a host, not `bind`, `module` and the like.
fn is_host(driver: &Path, name: &str) -> bool {
    driver.join(name).is_dir()
        && (name.ends_with(".ufs") || driver.join(name).join("irq_mode").exists())
}

/// Returns what it means that the driver's directory cannot be read.
fn no_driver(roots: &Roots, error: &io::Error) -> Error {
    let driver = roots.driver();
    if error.kind() != io::ErrorKind::NotFound {
        return Error::failed(format!("{}: {error}", driver.display()));
    }
    if !roots.sysfs.join("bus").exists() {
        return Error::failed(format!(
            "no sysfs at {0}; mount -t sysfs none {0}",
            roots.sysfs.display()
        ));
    }
    Error::failed(format!(
        "the driver is not loaded (there is no {}); insmod ufs_unisoc.ko",
        driver.display()
    ))
}
