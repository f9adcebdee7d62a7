//! IEEE 802.11: timing, contention, frame exchanges, one cell in which all hear all, a medium in which each
//! hears what it can.

mod air;
mod cell;
mod config;
mod contention;
#[cfg(test)]
mod contention_model;
mod errors;
mod exchange;
mod frames;
mod medium;
pub mod mlme;
mod outcome;
pub mod phy;
pub mod qos;
pub mod rate;
mod rates;
mod receiver;
mod station;
#[cfg(test)]
mod test_support;
mod wheel;
mod witness;

pub use cell::{Cell, CellConfig, Exchange};
pub use config::*;
pub use errors::ErrorConfig;
pub use frames::Kind as FrameKind;
pub use medium::{
    Access, Due, FadingName, Happened, LOWER_HZ, MAX_MEDIUM_STATIONS, Medium, MediumConfig,
    MediumSettings, Member, MemberAccess, Move, PathLossName, Propagation, Reception,
    ReceptionName, SinrConfig, UPPER_HZ,
};
pub use mlme::{Channel, GROUP};
pub use station::{StationConfig, StationOutcome, StationStats};
pub use witness::{Heard, QosDetails, Sent, SentMpdu, Witness};
