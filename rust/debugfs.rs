// SPDX-License-Identifier: GPL-2.0

//! Directories in debugfs with files that show or take something.
//!
//! The kernel crate has these as well, but its files do not say which module they belong to (seen
//! in 7.2 and 7.3): who holds one open while the module goes crashes the kernel on closing it.
//! Files made here keep the module from going as long as they are open, as those of C do.
//!
//! Without CONFIG_DEBUG_FS nothing is made, and that is no error; likewise where debugfs refuses,
//! for want of memory or since the name is taken.
//!
//! C header: [`include/linux/debugfs.h`](srctree/include/linux/debugfs.h)

use core::marker::PhantomData;

use kernel::{
    bindings,
    prelude::*,
    seq_file::SeqFile,
    sync::Arc, //
};

/// A directory; it goes with all that is in it when the last reference does.
///
/// # Invariants
///
/// `dentry` is one that `debugfs_create_dir()` returned, which may be an error pointer, and is
/// ours.
pub(crate) struct Dir {
    #[cfg(CONFIG_DEBUG_FS)]
    dentry: *mut bindings::dentry,
    /// Goes later.
    _parent: Option<Arc<Dir>>,
}

// SAFETY: The dentry may be used from any thread; debugfs has its own locks.
unsafe impl Send for Dir {}
// SAFETY: As above.
unsafe impl Sync for Dir {}

impl Dir {
    /// Makes a directory, in the root of debugfs if it has no parent.
    ///
    /// Context: may sleep.
    #[cfg_attr(not(CONFIG_DEBUG_FS), allow(unused_variables))]
    pub(crate) fn new(name: &CStr, parent: Option<Arc<Dir>>) -> Self {
        #[cfg(CONFIG_DEBUG_FS)]
        let dentry = {
            let above = parent
                .as_ref()
                .map_or(core::ptr::null_mut(), |dir| dir.dentry);

            // SAFETY: A C string, which is copied, and a directory that we keep, or null, or an
            // error pointer, which debugfs passes on.
            unsafe { bindings::debugfs_create_dir(name.as_char_ptr(), above) }
        };

        // INVARIANT: Just made.
        Self {
            #[cfg(CONFIG_DEBUG_FS)]
            dentry,
            _parent: parent,
        }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // SAFETY: By the invariants it is ours, or an error pointer, which is left alone. This
        // waits for callbacks of files in it that run; none begins any more.
        #[cfg(CONFIG_DEBUG_FS)]
        unsafe {
            bindings::debugfs_remove(self.dentry)
        };
    }
}

/// What a file that is read shows of `T`.
pub(crate) trait Show<T>: 'static {
    /// Writes it.
    ///
    /// Context: may sleep; concurrently with itself.
    fn show(data: &T, m: &SeqFile);
}

/// What writing to a file does with `T`, whatever is written.
pub(crate) trait Trigger<T>: 'static {
    /// Does it.
    ///
    /// Context: may sleep; concurrently with itself.
    fn trigger(data: &T);
}

/// A file that can be made in a [`Files<T>`].
pub(crate) struct File<T> {
    name: &'static CStr,
    mode: u16,
    ops: &'static bindings::file_operations,
    _data: PhantomData<fn(&T)>,
}

impl<T: Sync + 'static> File<T> {
    /// A file that shows `S`, to its owner.
    pub(crate) const fn show<S: Show<T>>(name: &'static CStr) -> Self {
        Self {
            name,
            mode: 0o400,
            ops: &Operations::<T, S>::SHOW,
            _data: PhantomData,
        }
    }

    /// A file that triggers `A` when its owner writes to it.
    pub(crate) const fn trigger<A: Trigger<T>>(name: &'static CStr) -> Self {
        Self {
            name,
            mode: 0o200,
            ops: &Operations::<T, A>::TRIGGER,
            _data: PhantomData,
        }
    }
}

/// A directory whose files show one value.
///
/// Dropping it removes the files before the value goes.
pub(crate) struct Files<T: Send + Sync + 'static> {
    _dir: Dir,
    _data: Pin<KBox<T>>,
}

impl<T: Send + Sync + 'static> Files<T> {
    /// Makes the directory `name` in `parent`, or in the root, with `files` of `data`.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM` if there is no memory for the value.
    #[cfg_attr(not(CONFIG_DEBUG_FS), allow(unused_variables))]
    pub(crate) fn new(
        parent: Option<Arc<Dir>>,
        name: &CStr,
        data: impl PinInit<T>,
        files: &[File<T>],
    ) -> Result<Self> {
        let data = KBox::pin_init(data, GFP_KERNEL)?;
        let dir = Dir::new(name, parent);

        #[cfg(CONFIG_DEBUG_FS)]
        for file in files {
            // SAFETY: `data` is pinned and goes after `dir` and with it the file (the order of the
            // fields), for whose removal debugfs waits until no operation runs. The operations take
            // `T`s: that is the type of `file`. The name is copied, the operations are static.
            unsafe {
                bindings::debugfs_create_file_full(
                    file.name.as_char_ptr(),
                    file.mode,
                    dir.dentry,
                    core::ptr::from_ref(&*data).cast_mut().cast(),
                    core::ptr::null(),
                    file.ops,
                )
            };
        }
        Ok(Self {
            _dir: dir,
            _data: data,
        })
    }
}

/// The C side of a file of `T`s.
struct Operations<T, A>(PhantomData<fn(&T, A)>);

impl<T: Sync + 'static, A> Operations<T, A> {
    const OWNED: bindings::file_operations = bindings::file_operations {
        #[cfg(MODULE)]
        // CAST: The kernel wants it mutable; it counts uses of the module.
        owner: (&raw const bindings::__this_module).cast_mut(),
        ..pin_init::zeroed()
    };

    /// # Safety
    ///
    /// As the `write` operation of a file in a `Files<T>`: debugfs calls it only while the file is
    /// not removed.
    unsafe extern "C" fn write(
        file: *mut bindings::file,
        _text: *const c_char,
        count: usize,
        _position: *mut bindings::loff_t,
    ) -> isize
    where
        A: Trigger<T>,
    {
        // SAFETY: The file has an inode, whose private data is what `Files::new` has given; it
        // lives since the file is not removed.
        let data = unsafe { &*(*(*file).f_inode).i_private.cast::<T>() };

        A::trigger(data);
        // CAST: The kernel limits the length of a write to what an `isize` holds.
        count as isize
    }

    /// # Safety
    ///
    /// As the `open` operation of a file in a `Files<T>`.
    unsafe extern "C" fn open(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int
    where
        A: Show<T>,
    {
        // SAFETY: `file` is being opened; what is shown is the inode's private data, which
        // `show_seq` wants.
        unsafe { bindings::single_open(file, Some(Self::show_seq), (*inode).i_private) }
    }

    /// # Safety
    ///
    /// As what a file shows that [`Operations::open`] has opened: on reading only, which debugfs
    /// lets through only while the file is not removed.
    unsafe extern "C" fn show_seq(m: *mut bindings::seq_file, _unused: *mut c_void) -> c_int
    where
        A: Show<T>,
    {
        // SAFETY: `m` is valid; its private data is what `Files::new` has given, and it lives since
        // the file is not removed.
        let data = unsafe { &*(*m).private.cast::<T>() };
        // SAFETY: Valid, and ours during this call.
        let m = unsafe { SeqFile::from_raw(m) };

        A::show(data, m);
        0
    }
}

impl<T: Sync + 'static, A: Show<T>> Operations<T, A> {
    const SHOW: bindings::file_operations = bindings::file_operations {
        open: Some(Self::open),
        read: Some(bindings::seq_read),
        llseek: Some(bindings::seq_lseek),
        release: Some(bindings::single_release),
        ..Self::OWNED
    };
}

impl<T: Sync + 'static, A: Trigger<T>> Operations<T, A> {
    const TRIGGER: bindings::file_operations = bindings::file_operations {
        write: Some(Self::write),
        llseek: Some(bindings::noop_llseek),
        ..Self::OWNED
    };
}

#[cfg(CONFIG_UFS_UNISOC_KUNIT_TEST)]
#[path = "kunit/debugfs.rs"]
mod kunit;
