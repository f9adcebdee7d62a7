//! IEEE 802.16-2004 WirelessMAN-OFDM, point to multipoint, TDD: frames, connections, requests, one cell.

mod allot;
mod arq;
mod cell;
mod config;
mod connection;
mod entry;
mod errors;
mod frame;
mod kinds;
mod landed;
mod outcome;
mod pdu;
mod phy;
mod piece;
mod request;
mod schedule;
mod signal;
mod stats;
mod subscriber;

pub use cell::{Cell, CellConfig, Filled, FramePart, MapElement, Request, Served, Told, Use};
pub use config::*;
pub use entry::EntryTimes;
pub use errors::ErrorConfig;
pub use frame::{Infeasible, Layout};
pub use kinds::Ratio;
pub use landed::{BASE, Landed};
pub use outcome::{
    EntryOutcome, RequestOutcome, SubscriberOutcome, WaitOutcome, WayOutcome, WimaxOutcome,
};
pub use phy::{Coding, Mcs, Phy, Tail, Way};
pub use signal::{SignalConfig, SignalSettings};
pub use stats::{Begun, BurstStats, FrameStats, RequestStats, StationStats, WayStats};
