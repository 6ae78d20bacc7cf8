// SPDX-License-Identifier: GPL-2.0

//! What `modinfo` shows of a module.
//!
//! The kernel crate's `module!` has a fixed list of entries, without a version (seen in 7.2 and
//! 7.3). [`module_info!`](super::module_info) makes any.
//!
//! C header: [`include/linux/moduleparam.h`](srctree/include/linux/moduleparam.h)

/// Copies a text into the array that a section wants; for [`module_info!`](super::module_info).
pub(crate) const fn section_text<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    assert!(bytes.len() == N);
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = bytes[i];
        i += 1;
    }
    out
}

/// Makes an entry, of the module's name and the parts of `TAG=TEXT`.
#[macro_export]
macro_rules! module_info {
    ($module:literal, $($text:expr),+ $(,)?) => {
        const _: () = {
            // Built-in modules have their name before each entry.
            const TEXT: &str = if cfg!(MODULE) {
                concat!($($text,)+ "\0")
            } else {
                concat!($module, ".", $($text,)+ "\0")
            };

            // The section holds just such texts.
            #[allow(unsafe_code)]
            #[link_section = ".modinfo"]
            #[used(compiler)]
            static INFO: [u8; TEXT.len()] = $crate::abi::modinfo::section_text(TEXT);
        };
    };
}
