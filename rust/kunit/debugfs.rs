// SPDX-License-Identifier: GPL-2.0

//! Tests of directories and files in debugfs, through a mount of their own.

use core::ptr::{
    self,
    NonNull, //
};

use kernel::{
    bindings,
    error::from_err_ptr,
    prelude::*,
    seq_file::SeqFile,
    seq_print,
    str::CString,
    sync::{
        atomic::{
            Atomic,
            Relaxed, //
        },
        Arc, //
    },
    uaccess::{
        UserPtr,
        UserSlice, //
    }, //
};

use super::{
    Dir,
    File,
    Files,
    Show,
    Trigger, //
};
use crate::abi::kunit::{
    beside,
    sleep_ms,
    uses_of_this_module,
    wait_until, //
};

/// A mount of debugfs that nobody else sees.
struct Mount(NonNull<bindings::vfsmount>);

impl Mount {
    fn new() -> Result<Self> {
        // SAFETY: A C string.
        let kind = unsafe { bindings::get_fs_type(c"debugfs".as_char_ptr()) };
        // SAFETY: A valid type of file system; debugfs is no module.
        let mount = from_err_ptr(unsafe {
            bindings::kern_mount(NonNull::new(kind).ok_or(ENODEV)?.as_ptr())
        })?;
        Ok(Self(NonNull::new(mount).ok_or(ENODEV)?))
    }

    fn open(&self, path: &CStr, flags: u32) -> Result<OpenFile> {
        // SAFETY: A valid mount.
        let root = unsafe { (*self.0.as_ptr()).mnt_root };
        let root = bindings::path {
            mnt: self.0.as_ptr(),
            dentry: root,
        };
        // SAFETY: A valid path and a C string. CAST: A few low bits.
        let file = from_err_ptr(unsafe {
            bindings::file_open_root(&root, path.as_char_ptr(), flags as c_int, 0)
        })?;
        Ok(OpenFile(NonNull::new(file).ok_or(ENOENT)?))
    }

    fn has(&self, path: &CStr) -> bool {
        self.open(path, bindings::O_RDONLY).err() != Some(ENOENT)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // SAFETY: Ours; the files that were open are closed.
        unsafe { bindings::kern_unmount(self.0.as_ptr()) };
    }
}

/// An open file.
struct OpenFile(NonNull<bindings::file>);

// SAFETY: Files may be used from any thread.
unsafe impl Send for OpenFile {}
// SAFETY: As above.
unsafe impl Sync for OpenFile {}

/// Memory of the test's own address space, as a program would give it.
#[derive(Clone, Copy)]
struct UserPage(usize);

impl UserPage {
    fn new() -> Result<Self> {
        /// `PROT_READ | PROT_WRITE`, and `MAP_ANONYMOUS | MAP_PRIVATE`.
        const PROT: usize = 0x3;
        const FLAGS: usize = 0x22;

        // SAFETY: Called in a test, hence not null.
        let test = unsafe { bindings::kunit_get_current_test() };
        // SAFETY: A valid test; an anonymous mapping, which KUnit undoes.
        let address =
            unsafe { bindings::kunit_vm_mmap(test, ptr::null_mut(), 0, 4096, PROT, FLAGS, 0) };
        // Errors are at the end of the address space.
        if address == 0 || address > usize::MAX - 4096 {
            return Err(ENOMEM);
        }
        Ok(Self(address))
    }
}

impl OpenFile {
    /// Reads into the page as a program does. Returns the number of bytes, or an error's.
    fn read(&self, page: UserPage) -> isize {
        // SAFETY: An open file.
        let Some(read) = (unsafe { (*(*self.0.as_ptr()).f_op).read }) else {
            return EINVAL.to_errno() as isize;
        };
        let mut position = 0;
        // SAFETY: The file's own operation, with memory of the user's that it checks.
        unsafe {
            read(
                self.0.as_ptr(),
                ptr::without_provenance_mut(page.0),
                4096,
                &mut position,
            )
        }
    }

    /// Writes a byte as a program does. Returns the number of bytes, or an error's.
    fn write(&self, page: UserPage) -> isize {
        // SAFETY: An open file.
        let Some(write) = (unsafe { (*(*self.0.as_ptr()).f_op).write }) else {
            return EINVAL.to_errno() as isize;
        };
        let mut position = 0;
        // SAFETY: As in `read`.
        unsafe {
            write(
                self.0.as_ptr(),
                ptr::without_provenance(page.0),
                1,
                &mut position,
            )
        }
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        // SAFETY: Ours. At once, since threads of the kernel put it off otherwise.
        unsafe { bindings::__fput_sync(self.0.as_ptr()) };
    }
}

/// What the files show and change.
struct Number {
    value: Atomic<u32>,
    /// As long as this is set, showing does not end.
    hold: Arc<Atomic<bool>>,
    showing: Arc<Atomic<bool>>,
    /// Set when this goes.
    gone: Arc<Atomic<bool>>,
}

impl Drop for Number {
    fn drop(&mut self) {
        self.gone.store(true, Relaxed);
    }
}

struct Value;

impl Show<Number> for Value {
    fn show(data: &Number, m: &SeqFile) {
        data.showing.store(true, Relaxed);
        wait_until(|| !data.hold.load(Relaxed));
        seq_print!(m, "value {}\n", data.value.load(Relaxed));
        data.showing.store(false, Relaxed);
    }
}

struct Increase;

impl Trigger<Number> for Increase {
    fn trigger(data: &Number) {
        data.value.add(1, Relaxed);
    }
}

/// How many there have been: each has a name of its own, so that what a failed test left behind is
/// in nobody's way.
static COUNT: Atomic<u32> = Atomic::new(0);

/// A directory with both files, and what one sees of it from outside.
struct Bench {
    name: CString,
    files: Files<Number>,
    hold: Arc<Atomic<bool>>,
    showing: Arc<Atomic<bool>>,
    gone: Arc<Atomic<bool>>,
}

impl Bench {
    fn new(parent: Option<Arc<Dir>>) -> Result<Self> {
        let number = COUNT.fetch_add(1, Relaxed);

        Self::named(
            CString::try_from_fmt(fmt!("ufs_unisoc_kunit{}", number))?,
            parent,
        )
    }

    fn named(name: CString, parent: Option<Arc<Dir>>) -> Result<Self> {
        let flag = || Arc::new(Atomic::new(false), GFP_KERNEL);
        let (hold, showing, gone) = (flag()?, flag()?, flag()?);
        let number = Number {
            value: Atomic::new(41),
            hold: hold.clone(),
            showing: showing.clone(),
            gone: gone.clone(),
        };
        let files = Files::new(
            parent,
            &name,
            number,
            &[
                File::show::<Value>(c"value"),
                File::trigger::<Increase>(c"increase"),
            ],
        )?;
        Ok(Self {
            name,
            files,
            hold,
            showing,
            gone,
        })
    }

    /// Returns the path of what is below the directory.
    fn path(&self, below: &str) -> Result<CString> {
        CString::try_from_fmt(fmt!("{}{}", &*self.name, below))
    }

    fn value(&self) -> Result<CString> {
        self.path("/value")
    }

    fn increase(&self) -> Result<CString> {
        self.path("/increase")
    }
}

#[kunit_tests(ufs_unisoc_debugfs)]
mod tests {
    use super::*;

    #[test]
    fn a_file_shows_the_value_of_now_and_a_trigger_changes_it() -> Result {
        let (mount, bench, page) = (Mount::new()?, Bench::new(None)?, UserPage::new()?);

        assert_eq!(
            mount
                .open(&bench.increase()?, bindings::O_WRONLY)?
                .write(page),
            1
        );
        let len = mount.open(&bench.value()?, bindings::O_RDONLY)?.read(page);
        assert_eq!(len, 9);

        let mut text = [0; 9];
        UserSlice::new(UserPtr::from_addr(page.0), text.len())
            .reader()
            .read_slice(&mut text)?;
        assert!(text == *b"value 42\n");
        drop(bench);
        Ok(())
    }

    #[test]
    fn files_go_with_their_owner() -> Result {
        let (mount, bench) = (Mount::new()?, Bench::new(None)?);

        let (directory, value) = (bench.path("")?, bench.value()?);

        assert!(mount.has(&value));
        drop(bench.files);
        assert!(!mount.has(&value));
        assert!(!mount.has(&directory));
        assert!(bench.gone.load(Relaxed));
        Ok(())
    }

    #[test]
    fn a_file_that_is_held_open_outlives_its_owner_and_shows_nothing() -> Result {
        let (mount, bench, page) = (Mount::new()?, Bench::new(None)?, UserPage::new()?);
        let before = uses_of_this_module();
        let shown = mount.open(&bench.value()?, bindings::O_RDONLY)?;
        let triggered = mount.open(&bench.increase()?, bindings::O_WRONLY)?;

        // The code that closes them is in this module, which must not go first.
        assert!(uses_of_this_module() == before.map(|uses| uses + 2));
        drop(bench.files);
        assert!(bench.gone.load(Relaxed));
        assert_eq!(shown.read(page), EIO.to_errno() as isize);
        assert_eq!(triggered.write(page), EIO.to_errno() as isize);
        drop(shown);
        drop(triggered);
        assert!(uses_of_this_module() == before);
        Ok(())
    }

    #[test]
    fn removal_waits_for_a_file_that_is_being_read() -> Result {
        let (mount, bench, page) = (Mount::new()?, Bench::new(None)?, UserPage::new()?);
        let (hold, showing, gone) = (
            bench.hold.clone(),
            bench.showing.clone(),
            bench.gone.clone(),
        );
        let shown = mount.open(&bench.value()?, bindings::O_RDONLY)?;

        hold.store(true, Relaxed);
        let removing = {
            let (showing, files) = (showing.clone(), bench.files);

            beside(move || {
                wait_until(|| showing.load(Relaxed));
                drop(files);
            })?
        };
        let gone_early = Arc::new(Atomic::new(true), GFP_KERNEL)?;
        let ending = {
            let (showing, gone, gone_early) = (showing, gone.clone(), gone_early.clone());

            beside(move || {
                wait_until(|| showing.load(Relaxed));
                sleep_ms(50);
                gone_early.store(gone.load(Relaxed), Relaxed);
                hold.store(false, Relaxed);
            })?
        };
        assert_eq!(shown.read(page), 9);
        assert!(wait_until(|| removing.is_done() && ending.is_done()));
        assert!(!gone_early.load(Relaxed));
        assert!(gone.load(Relaxed));
        Ok(())
    }

    #[test]
    fn a_directory_lives_as_long_as_what_is_in_it() -> Result {
        let mount = Mount::new()?;
        let parent = Arc::new(Dir::new(c"ufs_unisoc_kunit_parent", None), GFP_KERNEL)?;
        let bench = Bench::new(Some(parent.clone()))?;

        let value = CString::try_from_fmt(fmt!("ufs_unisoc_kunit_parent/{}/value", &*bench.name))?;

        drop(parent);
        assert!(mount.has(&value));
        drop(bench.files);
        assert!(!mount.has(c"ufs_unisoc_kunit_parent"));
        Ok(())
    }

    #[test]
    fn a_name_that_is_taken_is_no_error_and_harms_nobody() -> Result {
        let (mount, first) = (Mount::new()?, Bench::new(None)?);

        drop(Bench::named(first.path("")?, None)?);
        assert!(mount.has(&first.value()?));
        drop(first);
        Ok(())
    }
}
