// SPDX-License-Identifier: GPL-2.0

//! A host as the core knows it.

use core::marker::PhantomData;

use kernel::{
    device,
    prelude::*,
    sync::Arc,
    types::Opaque, //
};

use super::{
    observer::LinkObserver,
    registers::Registers,
    VariantOps, //
};
use crate::abi::{
    bindings,
    irq_switch::Switch, //
};

/// A host as the core knows it (`struct ufs_hba`).
///
/// # Invariants
///
/// The host was allocated by [`NewHost::alloc`](super::NewHost::alloc) for this `T`, and its device
/// is bound: its variant pointer is that of a [`Private<T>`] that lives until after the unbinding.
/// (The host may live longer, held by open files, but then nobody has a reference to this type.)
#[repr(transparent)]
pub(crate) struct Hba<T>(Opaque<bindings::ufs_hba>, PhantomData<T>);

/// What hangs off the host's variant pointer.
pub(super) struct Private<T: VariantOps> {
    pub(super) registers: Arc<Registers>,
    pub(super) data: Arc<T::Data>,
    pub(super) observer: Option<LinkObserver<T>>,
    pub(super) switch: Arc<Switch>,
}

impl<T: VariantOps> Private<T> {
    /// Waits until nobody observes a link start-up any more.
    ///
    /// Context: may sleep.
    pub(super) fn finish_observation(&self) {
        if let Some(observer) = &self.observer {
            observer.finish();
        }
    }
}

impl<T: VariantOps> Hba<T> {
    /// Makes a reference of the core's pointer.
    ///
    /// # Safety
    ///
    /// `hba` must point to a host that was allocated by [`NewHost::alloc`] for this `T`, and live
    /// for the lifetime `'a`.
    pub(super) unsafe fn from_raw<'a>(hba: *mut bindings::ufs_hba) -> &'a Self {
        // SAFETY: By this function's requirements; the type is a transparent wrapper.
        // INVARIANT: Likewise.
        unsafe { &*hba.cast() }
    }

    pub(super) fn as_raw(&self) -> *mut bindings::ufs_hba {
        self.0.get()
    }

    pub(super) fn private(&self) -> &Private<T> {
        // SAFETY: By the type's invariants; the pointer is set once, before the core sees the host.
        unsafe { &*(*self.as_raw()).priv_.cast::<Private<T>>() }
    }

    /// Returns what the driver keeps for this host.
    pub(crate) fn data(&self) -> &T::Data {
        &self.private().data
    }

    /// Returns whether the host completes through completion queues (MCQ) instead of the doorbell.
    ///
    /// Settled once the host is registered.
    pub(crate) fn mcq_enabled(&self) -> bool {
        // SAFETY: A valid host. The core sets this while it registers the host.
        unsafe { (&raw const (*self.as_raw()).mcq_enabled).read_volatile() }
    }
}

/// A register that variant operations may write: none that the core keeps for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WritableRegister(u32);

impl WritableRegister {
    /// Returns the register at `offset` if it is the auto-hibernate timer, the host controller
    /// enable, or one of those for vendors (UFSHCI 5.1: 0xc0 to 0xff).
    pub(crate) const fn from_offset(offset: u32) -> Option<Self> {
        match offset {
            0x18 | 0x34 => Some(Self(offset)),
            0xc0..=0xfc if offset % 4 == 0 => Some(Self(offset)),
            _ => None,
        }
    }
}

/// What variant operations may do to a host.
impl<T: VariantOps> Hba<T> {
    /// Sets how long the host is idle before its clocks are gated, in ms.
    ///
    /// Context: any.
    pub(crate) fn set_clkgate_delay_ms(&self, ms: c_ulong) {
        // SAFETY: A valid host, whose device is its own.
        unsafe { bindings::ufshcd_clkgate_delay_set((*self.as_raw()).dev, ms) };
    }

    /// Returns whether the link is off.
    pub(crate) fn link_is_off(&self) -> bool {
        self.link_state() == bindings::uic_link_state_UIC_LINK_OFF_STATE
    }

    /// Returns whether the link is in hibern8.
    pub(crate) fn link_is_hibern8(&self) -> bool {
        self.link_state() == bindings::uic_link_state_UIC_LINK_HIBERN8_STATE
    }

    fn link_state(&self) -> bindings::uic_link_state {
        // SAFETY: A valid host.
        unsafe { (&raw const (*self.as_raw()).uic_link_state).read_volatile() }
    }

    /// Switches the host's interrupt on if [`Interrupt::switch_off`](super::Interrupt::switch_off)
    /// has switched it off. Returns whether it was.
    ///
    /// Context: any but the interrupt's handlers.
    pub(crate) fn switch_interrupt_on(&self) -> bool {
        self.private().switch.on()
    }

    /// Returns the host's device.
    pub(crate) fn device(&self) -> &device::Device {
        // SAFETY: A valid host, which lives no longer than its device.
        unsafe { device::Device::from_raw((*self.as_raw()).dev.cast()) }
    }

    /// Writes a register of the host.
    ///
    /// Context: any in which the core touches its registers: from variant operations.
    pub(crate) fn write_register(&self, register: WritableRegister, value: u32) -> Result {
        self.private()
            .registers
            .try_write(register.0 as usize, value)
    }
}
