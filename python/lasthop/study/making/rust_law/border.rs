//! lasthop's side of a law: what the law is given, and how lasthop calls it.
//!
//! `lasthop new law NAME --rust` writes this folder. All unsafe code of the crate is in this file: each function gets what
//! `outside.rs` says, and keeps a panic in, which lasthop then reports with its line.
#![allow(dead_code, reason = "a law need not use all that there is")]

#[rustfmt::skip]
mod outside;
#[rustfmt::skip]
mod window;

pub use outside::RawAck as Ack;
use outside::{ABI_VERSION, Came, FREE, PACED, Plugin, RawOption, Words};
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
pub use window::{Loss, Window};

/// A law of the window. Each flow has its own, and it is copied now and then, so that a loss that was none can be undone.
///
/// A window below 1 segment counts as 1, a threshold below 2 as 2.
pub trait Law: Clone + Send + Sync + 'static {
    /// The window after a timeout, segments, for `lasthop conformance law`.
    const TIMEOUT_LEAVES: f64 = 1.0;

    /// The law holds a model of the path as BBR does: its window is its own in recoveries too.
    const MODEL_BASED: bool = false;

    /// Makes the law of a flow, with the scenario's `tcp.law_options`.
    fn new(options: &mut Options) -> Self;

    /// New data are acknowledged.
    fn on_ack(&mut self, w: &mut Window, ack: &Ack);

    /// Data were lost; `base` is what RFC 5681 halves, the data in flight, segments.
    fn on_loss(&mut self, w: &mut Window, loss: Loss, base: f64);

    /// Fast recovery has ended and the window is as it will be.
    fn on_recovered(&mut self, _w: &mut Window) {}

    /// Nothing was sent for longer than a retransmission timeout; the window is back at `w`.
    fn on_idle(&mut self, _w: &mut Window) {}

    /// Returns how fast to send, segments/s; `None`: as the window allows. Asked for after each of the calls above.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
}

/// The options that a scenario sets.
pub struct Options {
    given: Vec<(String, f64)>,
    known: Vec<&'static str>,
}

impl Options {
    /// Returns the option of this name; `otherwise` where the scenario does not set it.
    pub fn take(&mut self, name: &'static str, otherwise: f64) -> f64 {
        self.known.push(name);
        let found = self.given.iter().find(|(given, _)| given == name);
        found.map_or(otherwise, |(_, value)| *value)
    }

    /// Says which option the law does not have.
    fn refused(&self) -> Option<String> {
        let strange = |(name, _): &&(String, f64)| !self.known.contains(&name.as_str());
        let (name, _) = self.given.iter().find(strange)?;
        let there = if self.known.is_empty() {
            "none".to_owned()
        } else {
            self.known.join(", ")
        };
        Some(format!("no option {name:?}; there are: {there}"))
    }
}

impl Ack {
    /// True where a law grows: the window binds, and no recovery goes on.
    pub fn may_grow(&self) -> bool {
        !(self.app_limited || self.in_recovery)
    }

    /// The arrival time, s.
    pub fn now_s(&self) -> f64 {
        seconds(self.now_ns)
    }

    /// The round-trip time that it measured, s; `None` where it did not.
    pub fn rtt_s(&self) -> Option<f64> {
        self.rtt_ns.get().map(seconds)
    }

    /// Smoothed round-trip time, s; `None` before the first sample.
    pub fn srtt_s(&self) -> Option<f64> {
        self.srtt_ns.get().map(seconds)
    }

    /// The smallest sample so far, s; `None` before the first.
    pub fn min_rtt_s(&self) -> Option<f64> {
        self.min_rtt_ns.get().map(seconds)
    }

    /// The delivery rate measured by the newest segment acknowledged, segments/s; `None` where there is none.
    pub fn delivery_rate(&self) -> Option<f64> {
        self.delivery_rate.get()
    }
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Exports a law: `lasthop::plugin!(Law);`, once in a crate.
macro_rules! plugin {
    ($law:ident) => {
        /// The version of lasthop's border that this library is compiled for.
        #[unsafe(no_mangle)]
        pub static LASTHOP_LAW_ABI: u32 = $crate::lasthop::VERSION;

        /// The law.
        #[unsafe(no_mangle)]
        pub static LASTHOP_LAW: $crate::lasthop::Exported =
            $crate::lasthop::exported::<$law>(stringify!($law));
    };
}
pub(crate) use plugin;

/// The version of the border.
pub const VERSION: u32 = ABI_VERSION;

/// A law as the library exports it.
#[repr(transparent)]
pub struct Exported(Plugin);

// SAFETY: nothing in it is ever written; its name is a static text.
unsafe impl Sync for Exported {}

/// Returns a law's functions.
pub const fn exported<L: Law>(name: &'static str) -> Exported {
    Exported(Plugin {
        name: Words {
            start: name.as_ptr(),
            length: name.len(),
        },
        timeout_leaves: L::TIMEOUT_LEAVES,
        model_based: L::MODEL_BASED as u8,
        create: Some(create::<L>),
        copy: Some(copy::<L>),
        destroy: Some(destroy::<L>),
        on_ack: Some(on_ack::<L>),
        on_loss: Some(on_loss::<L>),
        on_recovered: Some(on_recovered::<L>),
        on_idle: Some(on_idle::<L>),
        trouble: Some(trouble),
    })
}

unsafe extern "C" fn create<L: Law>(
    options: *const RawOption,
    count: usize,
    came: *mut Came,
) -> *mut c_void {
    report_panics();
    let read = |option: &RawOption| {
        // SAFETY: lasthop gives the start and the length of a text of UTF-8 that holds during the call.
        let name = unsafe { std::slice::from_raw_parts(option.name.start, option.name.length) };
        (String::from_utf8_lossy(name).into_owned(), option.value)
    };
    // SAFETY: lasthop gives as many options as it says, which hold during the call, and a place that is this call's alone.
    let (given, came) = unsafe { (std::slice::from_raw_parts(options, count), &mut *came) };
    let made = caught(|| {
        let mut options = Options {
            given: given.iter().map(read).collect(),
            known: Vec::new(),
        };
        let law = L::new(&mut options);
        *came = paced(&law);
        (law, options.refused())
    });
    match made {
        Some((law, None)) => Box::into_raw(Box::new(law)).cast(),
        Some((law, Some(refused))) => {
            let _ = caught(|| drop(law));
            TROUBLE.set(refused);
            std::ptr::null_mut()
        }
        None => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn copy<L: Law>(law: *const c_void) -> *mut c_void {
    // SAFETY: the pointer is one that `create` or `copy` made of a law of this type, and which is not destroyed.
    let law = unsafe { &*law.cast::<L>() };
    caught(|| law.clone()).map_or(std::ptr::null_mut(), |law| {
        Box::into_raw(Box::new(law)).cast()
    })
}

unsafe extern "C" fn destroy<L: Law>(law: *mut c_void) {
    // SAFETY: the pointer is one that `create` or `copy` made by `Box::into_raw`, and this is its last use.
    let law = unsafe { Box::from_raw(law.cast::<L>()) };
    caught(|| drop(law));
}

unsafe extern "C" fn on_ack<L: Law>(law: *mut c_void, w: *mut Window, ack: *const Ack) -> Came {
    // SAFETY: lasthop lends the acknowledgement for the call.
    let ack = unsafe { &*ack };
    // SAFETY: as `told` asks, by lasthop.
    unsafe { told::<L>(law, w, |law, w| law.on_ack(w, ack)) }
}

unsafe extern "C" fn on_loss<L: Law>(
    law: *mut c_void,
    w: *mut Window,
    loss: Loss,
    base: f64,
) -> Came {
    // SAFETY: as `told` asks, by lasthop.
    unsafe { told::<L>(law, w, |law, w| law.on_loss(w, loss, base)) }
}

unsafe extern "C" fn on_recovered<L: Law>(law: *mut c_void, w: *mut Window) -> Came {
    // SAFETY: as `told` asks, by lasthop.
    unsafe { told::<L>(law, w, L::on_recovered) }
}

unsafe extern "C" fn on_idle<L: Law>(law: *mut c_void, w: *mut Window) -> Came {
    // SAFETY: as `told` asks, by lasthop.
    unsafe { told::<L>(law, w, L::on_idle) }
}

/// Calls a law.
///
/// # Safety
/// `law` is a law of this type that `create` or `copy` made, and nobody else uses it or `w` during the call.
unsafe fn told<L: Law>(
    law: *mut c_void,
    w: *mut Window,
    call: impl FnOnce(&mut L, &mut Window),
) -> Came {
    // SAFETY: as above.
    let (law, w) = unsafe { (&mut *law.cast::<L>(), &mut *w) };
    let came = caught(|| {
        call(law, w);
        paced(law)
    });
    came.unwrap_or(WRONG)
}

/// A call that a panic ended.
const WRONG: Came = Came {
    pace: 0.0,
    how: u32::MAX,
};

/// Says that a call went well, and how fast the law sends.
fn paced<L: Law>(law: &L) -> Came {
    match law.pacing_rate() {
        Some(pace) => Came { pace, how: PACED },
        None => Came {
            pace: 0.0,
            how: FREE,
        },
    }
}

thread_local! {
    /// What went wrong in this thread's last call.
    static TROUBLE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says, with its line, in place of printing it.
fn report_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic
                .location()
                .map(|at| format!(" at {}:{}", at.file(), at.line()));
            let payload = panic.payload();
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            let place = place.unwrap_or_default();
            TROUBLE.set(format!("panic{place}: {}", text.unwrap_or_default()));
        }));
    });
}

/// Does what may panic; `None` where it did.
fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    // What a panic carries is not dropped, since that may panic again.
    catch_unwind(AssertUnwindSafe(call))
        .map_err(std::mem::forget)
        .ok()
}

unsafe extern "C" fn trouble(text: *mut u8, room: usize) -> usize {
    TROUBLE.with_borrow(|said| {
        // SAFETY: lasthop has room for as many bytes, and no more are written.
        unsafe { std::ptr::copy_nonoverlapping(said.as_ptr(), text, said.len().min(room)) };
        said.len()
    })
}

/// What tests of a law need.
#[cfg(test)]
pub mod testing {
    use super::window::{Cut, WindowRules};
    use super::*;

    /// A window by the rules of the RFCs.
    pub fn window(cwnd: f64, ssthresh: f64) -> Window {
        let rules = WindowRules {
            abc_limit: 1.0,
            loss_window: 1.0,
            cut: Cut::Threshold,
            whole_threshold: false,
            at_threshold: false,
            whole_steps: false,
        };
        Window::new(cwnd, Some(ssthresh), rules)
    }

    /// The acknowledgement of as many segments, 100 ms after they were sent.
    pub fn ack(acked: f64) -> Ack {
        Ack {
            now_ns: 1_000_000_000,
            rtt_ns: Some(100_000_000).into(),
            srtt_ns: Some(100_000_000).into(),
            min_rtt_ns: Some(100_000_000).into(),
            delivery_rate: Some(100.0).into(),
            acked,
            flight: 10.0,
            inflight: 10.0 - acked,
            delivered: 100.0,
            delivered_at_send: 90.0,
            lost: 0.0,
            marked: 0.0,
            mss: 1460,
            app_limited: false,
            in_recovery: false,
            round_ended: false,
            rate_app_limited: false,
            ece: false,
        }
    }

    /// Options as a scenario sets them.
    pub fn options(given: &[(&str, f64)]) -> Options {
        let given = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect();
        Options {
            given,
            known: Vec::new(),
        }
    }
}
