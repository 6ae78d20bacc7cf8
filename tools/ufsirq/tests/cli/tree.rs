// SPDX-License-Identifier: GPL-2.0

//! The tree of files, and what the program made of it.

use std::{
    fs,
    io::{
        BufRead,
        BufReader,
        Read, //
    },
    os::unix::fs::symlink,
    path::{
        Path,
        PathBuf, //
    },
    process::{
        Child,
        Command,
        Stdio, //
    },
    sync::atomic::{
        AtomicU32,
        Ordering, //
    },
};

/// A host.
pub(crate) const ONE: &str = "22000000.ufs";
/// The other host.
pub(crate) const TWO: &str = "22100000.ufs";

/// Counters of a host that has completed a few requests.
pub(crate) const STATS: &str = "\
interrupts 1000
inline_runs 900
inline_requests 945
deferred_bytes 10
deferred_time 20
deferred_share 0
deferred_busy 30
deferred_mode 0
thread_runs 40
thread_requests 200
forwarded 7
spurious 0
mode_switches 2
hardirq_ns 2500000
ns_per_request 1870
ns_per_kib 52
";

/// The histograms that belong to them.
pub(crate) const HARDIRQ_US: &str = "0 1 0\n1 2 700\n2 4 250\n4 8 49\n64 128 1\n1024 inf 0\n";
/// See [`HARDIRQ_US`].
pub(crate) const WAKEUP_US: &str = "0 1 0\n8 16 5\n16 32 30\n32 64 5\n64 inf 0\n";

/// A fake root, removed when it is dropped.
pub(crate) struct Tree {
    /// Its directory.
    pub(crate) root: PathBuf,
}

/// What the program did.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit code.
    pub(crate) code: i32,
    /// What it printed.
    pub(crate) out: String,
    /// What it complained about.
    pub(crate) err: String,
}

impl Tree {
    /// A machine without the driver.
    pub(crate) fn bare() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);

        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ufsirq-{}-{number}", std::process::id()));
        let tree = Self { root };
        fs::create_dir_all(tree.root.join("sys/bus/platform/drivers")).unwrap();
        fs::create_dir_all(tree.root.join("sys/kernel/debug")).unwrap();
        tree
    }

    /// A machine with the driver and no host.
    pub(crate) fn driver() -> Self {
        let tree = Self::bare();
        let driver = tree.driver_dir();
        fs::create_dir(&driver).unwrap();
        for name in ["bind", "unbind", "uevent"] {
            fs::write(driver.join(name), "").unwrap();
        }
        fs::create_dir_all(tree.root.join("sys/module/ufs_unisoc")).unwrap();
        symlink("../../../../module/ufs_unisoc", driver.join("module")).unwrap();
        tree
    }

    /// A machine with two hosts, without debugfs.
    pub(crate) fn without_debugfs() -> Self {
        let tree = Self::driver();
        for name in [ONE, TWO] {
            tree.add_host(name);
        }
        tree
    }

    /// A machine with two hosts and all their files.
    pub(crate) fn full() -> Self {
        let tree = Self::without_debugfs();
        for name in [ONE, TWO] {
            tree.add_counters(name);
        }
        tree
    }

    /// The driver's directory.
    pub(crate) fn driver_dir(&self) -> PathBuf {
        self.root.join("sys/bus/platform/drivers/ufs_unisoc")
    }

    /// A file in the host's directory.
    pub(crate) fn file(&self, host: &str, name: &str) -> PathBuf {
        self.root.join("sys/devices/platform").join(host).join(name)
    }

    /// A file in the host's directory in debugfs.
    pub(crate) fn counter(&self, host: &str, name: &str) -> PathBuf {
        self.root
            .join("sys/kernel/debug/ufs_unisoc")
            .join(host)
            .join(name)
    }

    /// Binds a host.
    pub(crate) fn add_host(&self, name: &str) {
        fs::create_dir_all(self.file(name, "irq_fastpath")).unwrap();
        fs::write(self.file(name, "irq_mode"), "hardirq threaded [adaptive]\n").unwrap();
        fs::write(self.file(name, "irq_context"), "hardirq\n").unwrap();
        for (limit, value) in [
            ("max_bytes", 32768),
            ("max_time_us", 30),
            ("max_cpu_percent", 25),
        ] {
            let file = self.file(name, "irq_fastpath").join(limit);
            fs::write(file, format!("{value}\n")).unwrap();
        }
        let target = Path::new("../../../../devices/platform").join(name);
        symlink(target, self.driver_dir().join(name)).unwrap();
    }

    /// Gives a host its files in debugfs.
    pub(crate) fn add_counters(&self, name: &str) {
        fs::create_dir_all(self.counter(name, "")).unwrap();
        for (file, text) in [
            ("stats", STATS),
            ("hardirq_us", HARDIRQ_US),
            ("wakeup_us", WAKEUP_US),
            ("reset", ""),
        ] {
            fs::write(self.counter(name, file), text).unwrap();
        }
    }

    /// What happens when a host is unbound.
    pub(crate) fn remove_host(&self, name: &str) {
        let _ = fs::remove_file(self.driver_dir().join(name));
        let _ = fs::remove_dir_all(self.file(name, ""));
        let _ = fs::remove_dir_all(self.counter(name, ""));
    }

    /// Replaces what `irq_mode` says.
    pub(crate) fn set_mode(&self, host: &str, text: &str) {
        replace(&self.file(host, "irq_mode"), text);
    }

    /// Replaces what `stats` says.
    pub(crate) fn set_stats(&self, host: &str, text: &str) {
        replace(&self.counter(host, "stats"), text);
    }

    /// The program with its arguments, yet to be run.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ufsirq"));
        command
            .env_clear()
            .arg("--root")
            .arg(&self.root)
            .args(args)
            .stdin(Stdio::null());
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        run(&mut self.command(args))
    }

    /// Runs the program and does something to the tree when it says that it watches.
    pub(crate) fn run_and_meanwhile(&self, args: &[&str], meanwhile: impl FnOnce(&Self)) -> Done {
        let mut child = spawn(&mut self.command(args));
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        err.read_line(&mut first).unwrap();
        assert!(first.starts_with("watching"), "{first}");
        meanwhile(self);
        let mut rest = String::new();
        err.read_to_string(&mut rest).unwrap();
        let out = child.wait_with_output().unwrap();
        Done {
            code: out.status.code().unwrap(),
            out: text(&out.stdout),
            err: rest,
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Done {
    /// Asserts that it was done without a complaint; returns what was printed.
    #[track_caller]
    pub(crate) fn well(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        self.out
    }

    /// Asserts that it was done; returns what was printed, without line ends.
    #[track_caller]
    pub(crate) fn flat(self) -> String {
        let words: Vec<_> = self.out.split_whitespace().collect();
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        words.join(" ")
    }

    /// Asserts the exit code and that it was said why; returns that.
    #[track_caller]
    pub(crate) fn badly(self, code: i32, says: &str) -> String {
        assert_eq!(self.code, code, "{self:?}");
        assert!(self.err.contains(says), "{self:?}");
        if code == 2 {
            assert!(self.err.starts_with("error: "), "{self:?}");
            assert!(self.err.contains("try '--help'"), "{self:?}");
            assert_eq!(self.out, "");
        } else {
            let mut lines = self.err.lines();
            assert!(lines.all(|l| l.starts_with("ufsirq: ")), "{self:?}");
        }
        self.err
    }
}

/// Replaces a file at once, as a reader of the kernel's would see it.
pub(crate) fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

/// Starts a command whose output is read meanwhile.
pub(crate) fn spawn(command: &mut Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a command.
pub(crate) fn run(command: &mut Command) -> Done {
    let out = command.output().unwrap();
    Done {
        code: out.status.code().expect("ended by a signal"),
        out: text(&out.stdout),
        err: text(&out.stderr),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
