//! The border between lasthop and a law that is compiled outside it: plain C, with a number for its version.
//!
//! A law that is compiled outside lasthop has this same file. A library exports [`ABI_SYMBOL`], the version that it was
//! compiled for, which is read first, and [`LAW_SYMBOL`], a [`Plugin`]. Each call passes the state of one flow's law; the
//! library keeps nothing else. A change of any type here, or of the window's, is another version.

use super::window::{Loss, Window};
use std::ffi::c_void;

/// The version of this border.
pub const ABI_VERSION: u32 = 2;

// A library of another layout would be read wrongly: who changes one of these sizes changes the version.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Window>() == 48 && size_of::<RawAck>() == 144);
    assert!(size_of::<RawOption>() == 24 && size_of::<Plugin>() == 96);
};

/// The symbol of a library's version: a `u32`.
pub const ABI_SYMBOL: &str = "LASTHOP_LAW_ABI";

/// The symbol of a library's law: a [`Plugin`].
pub const LAW_SYMBOL: &str = "LASTHOP_LAW";

/// A time, a rate or a number that is not always known.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Known<T> {
    /// The value; without meaning where it is not known.
    pub value: T,
    /// 0: it is not known.
    pub known: u8,
}

impl<T: Copy + Default> Known<T> {
    /// Returns the value, where it is known.
    pub fn get(self) -> Option<T> {
        (self.known != 0).then_some(self.value)
    }
}

impl<T: Copy + Default> From<Option<T>> for Known<T> {
    fn from(given: Option<T>) -> Known<T> {
        Known { value: given.unwrap_or_default(), known: given.is_some().into() }
    }
}

/// An acknowledgement of new data.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawAck {
    /// The arrival time, ns.
    pub now_ns: u64,
    /// The round-trip time that it measured, ns.
    pub rtt_ns: Known<u64>,
    /// Smoothed round-trip time, ns; not known before the first sample.
    pub srtt_ns: Known<u64>,
    /// The smallest sample so far, ns; not known before the first.
    pub min_rtt_ns: Known<u64>,
    /// The delivery rate measured by the newest segment acknowledged, segments/s.
    pub delivery_rate: Known<f64>,
    /// Newly acknowledged data, segments.
    pub acked: f64,
    /// Data in flight before it, segments.
    pub flight: f64,
    /// Data in the network after it, segments.
    pub inflight: f64,
    /// Delivered since the connection began, segments.
    pub delivered: f64,
    /// `delivered` at the time when the newest segment acknowledged was sent, segments.
    pub delivered_at_send: f64,
    /// Newly marked lost, segments.
    pub lost: f64,
    /// Newly told to be marked, segments.
    pub marked: f64,
    /// A full segment, bytes.
    pub mss: u32,
    /// The window was not what held the sender back.
    pub app_limited: bool,
    /// Fast recovery goes on, or ends with it.
    pub in_recovery: bool,
    /// The data in flight when the last round began are now acknowledged.
    pub round_ended: bool,
    /// While the newest segment acknowledged was sent the application held the sender back.
    pub rate_app_limited: bool,
    /// It carries the echo of a congestion mark.
    pub ece: bool,
}

/// How a call went. Most systems return it in two registers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Came {
    /// The pacing rate after the call, segments/s, where it is [`PACED`].
    pub pace: f64,
    /// [`FREE`] or [`PACED`] where it went well; any other: [`Plugin::trouble`] says what was wrong.
    pub how: u32,
}

/// A text that its owner keeps.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Words {
    /// Its first byte, of UTF-8.
    pub start: *const u8,
    /// The number of bytes.
    pub length: usize,
}

/// An option of the law that a scenario sets.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawOption {
    /// Its name, which holds during the call.
    pub name: Words,
    /// Its value.
    pub value: f64,
}

/// A call went well, and the flow is sent as its window allows.
pub const FREE: u32 = 0;

/// A call went well, and the flow has a pacing rate.
pub const PACED: u32 = 1;

/// Makes a law.
pub type Create = unsafe extern "C" fn(*const RawOption, usize, *mut Came) -> *mut c_void;
/// Copies a law.
pub type Copies = unsafe extern "C" fn(*const c_void) -> *mut c_void;
/// Ends a law.
pub type Destroy = unsafe extern "C" fn(*mut c_void);
/// Tells a law of an acknowledgement.
pub type OnAck = unsafe extern "C" fn(*mut c_void, *mut Window, *const RawAck) -> Came;
/// Tells a law of a loss, and of what RFC 5681 halves, segments.
pub type OnLoss = unsafe extern "C" fn(*mut c_void, *mut Window, Loss, f64) -> Came;
/// Tells a law of anything else.
pub type OnEvent = unsafe extern "C" fn(*mut c_void, *mut Window) -> Came;
/// Writes a text into as many bytes as there are, and returns how long it is.
pub type Trouble = unsafe extern "C" fn(*mut u8, usize) -> usize;

/// A law: what it is called, and its functions, none of which is missing or lets a panic out.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Plugin {
    /// Its name, which holds for as long as the library is loaded.
    pub name: Words,
    /// The window after a timeout, segments, for `lasthop conformance law`.
    pub timeout_leaves: f64,
    /// Other than 0: it holds a model of the path as BBR does, so its window is its own in recoveries too.
    pub model_based: u8,
    /// Makes the law of a flow, with this many options, and says how that went. Null: it could not.
    pub create: Option<Create>,
    /// Makes a copy of a law, which goes its own way. Null: it could not.
    pub copy: Option<Copies>,
    /// Ends a law.
    pub destroy: Option<Destroy>,
    /// New data are acknowledged.
    pub on_ack: Option<OnAck>,
    /// Data were lost.
    pub on_loss: Option<OnLoss>,
    /// Fast recovery has ended.
    pub on_recovered: Option<OnEvent>,
    /// Nothing was sent for longer than a retransmission timeout.
    pub on_idle: Option<OnEvent>,
    /// What went wrong in this thread's last call, as UTF-8.
    pub trouble: Option<Trouble>,
}
