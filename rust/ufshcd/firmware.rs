// SPDX-License-Identifier: GPL-2.0

//! Clocks, regulators and lanes of a host, as `ufs-common.yaml` describes them.
//!
//! The core enables, gates and scales what is listed here; the platform glue of the kernel
//! (`ufshcd-pltfrm`) does the same inside one function that also requests the interrupt, so it
//! cannot be used with an interrupt gate.

use core::mem::size_of;

use kernel::{
    device,
    prelude::*, //
};

use super::{
    host::as_raw_device,
    NewHost,
    VariantOps, //
};
use crate::abi::bindings;

/// Lanes in each direction if the firmware says nothing.
const DEFAULT_LANES: u32 = 2;

/// Most lanes that the core knows.
const MAX_LANES: u32 = 2;

impl<T: VariantOps> NewHost<'_, T> {
    /// Lists the supplies `vdd-hba`, `vcc`, `vccq` and `vccq2` for the core, where there are such.
    ///
    /// A supply that is not there is taken to be on always.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn add_regulators(&self) -> Result {
        // SAFETY: A valid host that nobody else uses yet.
        let info = unsafe { &mut (*self.hba().as_raw()).vreg_info };

        info.vdd_hba = self.supply(c"vdd-hba", c"vdd-hba-supply", None)?;
        info.vcc = self.supply(c"vcc", c"vcc-supply", Some(c"vcc-max-microamp"))?;
        info.vccq = self.supply(c"vccq", c"vccq-supply", Some(c"vccq-max-microamp"))?;
        info.vccq2 = self.supply(c"vccq2", c"vccq2-supply", Some(c"vccq2-max-microamp"))?;
        Ok(())
    }

    /// Describes a supply for the core: null if the firmware has no such one.
    fn supply(
        &self,
        name: &'static CStr,
        property: &CStr,
        max_microamp: Option<&CStr>,
    ) -> Result<*mut bindings::ufs_vreg> {
        let Some(node) = self.device().fwnode() else {
            return Ok(core::ptr::null_mut());
        };
        if !node.property_present(property) {
            return Ok(core::ptr::null_mut());
        }
        let vreg = self.zeroed::<bindings::ufs_vreg>()?;
        let max = max_microamp.map_or(0, |p| node.property_read::<u32>(p).or(0));

        // SAFETY: Zeroed memory of the type's size, for which zeroes are valid.
        unsafe {
            (*vreg).name = name.as_char_ptr();
            (*vreg).max_uA = c_int::try_from(max).unwrap_or(c_int::MAX);
        }
        Ok(vreg)
    }

    /// Allocates device-managed, zeroed memory for a `V` of C.
    fn zeroed<V>(&self) -> Result<*mut V> {
        let dev: *mut kernel::bindings::device = as_raw_device(self.device()).cast();
        // SAFETY: `dev` is bound.
        let memory = unsafe {
            kernel::bindings::devm_kmalloc(
                dev,
                size_of::<V>(),
                kernel::bindings::GFP_KERNEL | kernel::bindings::__GFP_ZERO,
            )
        };
        if memory.is_null() {
            return Err(ENOMEM);
        }
        Ok(memory.cast())
    }

    /// Takes the number of lanes from `lanes-per-direction`.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `EINVAL` if there are more than the core knows. Said in the log.
    pub(crate) fn set_lanes(&self) -> Result {
        let dev = self.device();
        let lanes = match dev.fwnode() {
            Some(node) => node
                .property_read::<u32>(c"lanes-per-direction")
                .or(DEFAULT_LANES),
            None => DEFAULT_LANES,
        };
        if lanes > MAX_LANES {
            dev_err!(
                dev,
                "lanes-per-direction is {}, but a host has at most {}\n",
                lanes,
                MAX_LANES
            );
            return Err(EINVAL);
        }
        // SAFETY: A valid host that nobody else uses yet.
        unsafe { (*self.hba().as_raw()).lanes_per_direction = lanes };
        Ok(())
    }

    /// Lists the clocks of `clock-names` for the core, with the rates of `freq-table-hz` if there
    /// is one: pairs of lowest and highest rate in Hz, 0 for "as it is". Each of `required` must be
    /// among them.
    ///
    /// Context: may sleep.
    ///
    /// # Errors
    ///
    /// `EINVAL` if the two do not fit together or a clock is not there, `ENOMEM`. Said in the log.
    pub(crate) fn add_clocks(&self, required: &[&CStr]) -> Result {
        let dev = self.device();
        let names = string_list(dev, c"clock-names")?;
        for name in required {
            if !names.iter().any(|n| **n == **name) {
                dev_err!(
                    dev,
                    "clock-names has no '{}'; without it nothing was touched\n",
                    name
                );
                return Err(EINVAL);
            }
        }
        let rates = self.rates(names.len())?;

        if let Some(node) = dev.fwnode() {
            if node.property_present(c"operating-points-v2") {
                dev_warn!(
                    dev,
                    "operating-points-v2 is ignored: clocks keep their rates\n"
                );
            }
        }
        for (i, name) in names.iter().enumerate() {
            let at = |n: usize| rates.as_ref().and_then(|r| r.get(n)).copied().unwrap_or(0);

            self.add_clock(name, at(2 * i), at(2 * i + 1))?;
        }
        Ok(())
    }

    /// Reads `freq-table-hz`, which has two entries for each of `clocks`.
    fn rates(&self, clocks: usize) -> Result<Option<KVec<u32>>> {
        const PROPERTY: &CStr = c"freq-table-hz";

        let dev = self.device();
        let Some(node) = dev.fwnode().filter(|n| n.property_present(PROPERTY)) else {
            return Ok(None);
        };
        let entries = node.property_count_elem::<u32>(PROPERTY).unwrap_or(0);
        if entries != 2 * clocks {
            dev_err!(
                dev,
                "freq-table-hz has {} entries; two for each of the {} clock-names are needed\n",
                entries,
                clocks
            );
            return Err(EINVAL);
        }
        Ok(Some(
            node.property_read_array_vec(PROPERTY, entries)?
                .required_by(dev)?,
        ))
    }

    /// Lists a clock for the core.
    fn add_clock(&self, name: &CStr, min_freq: u32, max_freq: u32) -> Result {
        let dev: *mut kernel::bindings::device = as_raw_device(self.device()).cast();
        let info = self.zeroed::<bindings::ufs_clk_info>()?;
        // SAFETY: `dev` is bound; `name` is a C string, which is copied.
        let copy = unsafe {
            kernel::bindings::devm_kstrdup(dev, name.as_char_ptr(), kernel::bindings::GFP_KERNEL)
        };
        if copy.is_null() {
            return Err(ENOMEM);
        }
        // SAFETY: Zeroed memory of the type's size, for which zeroes are valid.
        let clock = unsafe { &mut *info };
        clock.name = copy;
        clock.min_freq = min_freq;
        clock.max_freq = max_freq;
        // The reference clock keeps the link alive, so it is not gated with the others.
        clock.keep_link_active = name == c"ref_clk";
        // SAFETY: A valid host that nobody else uses yet, with an initialised list. The entry is
        // device-managed and older than the core's use of the list.
        unsafe {
            bindings::ufs_unisoc_list_add_tail(
                &raw mut (*info).list,
                &raw mut (*self.hba().as_raw()).clk_list_head,
            )
        };
        Ok(())
    }
}

/// Reads a property that is a list of strings.
///
/// A missing property is an empty list. The strings live as long as the device keeps its node.
fn string_list<'a>(dev: &'a device::Device<device::Bound>, name: &CStr) -> Result<KVec<&'a CStr>> {
    let raw: *const kernel::bindings::device = as_raw_device(dev).cast();
    let read = |to: *mut *const c_char, len: usize| {
        // SAFETY: `dev` is valid, `name` a C string, and `to` has room for `len`, or is null to ask
        // for their number.
        unsafe {
            kernel::bindings::device_property_read_string_array(raw, name.as_char_ptr(), to, len)
        }
    };

    let mut strings = KVec::new();
    let Ok(len @ 1..) = usize::try_from(read(core::ptr::null_mut(), 0)) else {
        return Ok(strings);
    };
    let mut pointers: KVec<*const c_char> = KVec::new();
    pointers.resize(len, core::ptr::null(), GFP_KERNEL)?;
    let got = usize::try_from(read(pointers.as_mut_ptr(), len)).map_err(|_| EINVAL)?;
    for pointer in pointers.iter().take(got) {
        // SAFETY: The property has as many C strings, in the node that the device keeps.
        strings.push(unsafe { CStr::from_char_ptr(*pointer) }, GFP_KERNEL)?;
    }
    Ok(strings)
}
