// SPDX-License-Identifier: GPL-2.0

//! Files of sysfs and debugfs: small, and gone at any time.

use std::{
    fs::{
        File,
        OpenOptions, //
    },
    io::{
        self,
        Read,
        Write, //
    },
    path::Path,
};

/// No file of the driver is longer; of one that is, the rest is left out.
const MOST: u64 = 64 << 10;

/// The errors that tell that a host has been unbound: ENOENT, ENXIO, EIO, ENODEV.
const GONE: [i32; 4] = [2, 6, 5, 19];

/// `EPERM`, which debugfs gives even to root where the kernel is locked down.
pub(crate) const EPERM: i32 = 1;
/// `EACCES`, which those get who are not root.
pub(crate) const EACCES: i32 = 13;
/// `EINVAL`, for a value that is none.
pub(crate) const EINVAL: i32 = 22;
/// `ERANGE`, for a number that is too large.
pub(crate) const ERANGE: i32 = 34;
/// `EOPNOTSUPP`, for a mode that a host cannot have.
pub(crate) const EOPNOTSUPP: i32 = 95;

/// Returns what a file has; bytes that are no text become question marks of sorts.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a line to a file that is there, in one piece.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(path)?
        .write_all(format!("{text}\n").as_bytes())
}

/// Returns whether an error means that the file's host has been unbound.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|n| GONE.contains(&n))
}
