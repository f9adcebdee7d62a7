//! IEEE 802.11: timing, contention, frame exchanges, one cell in which all hear all.

mod air;
mod cell;
mod config;
mod contention;
#[cfg(test)]
mod contention_model;
mod frames;
pub mod phy;
mod station;
#[cfg(test)]
mod test_support;
mod wheel;

pub use cell::{Cell, CellConfig, Ended, Exchange};
pub use config::{
    AccessRule, BackoffDraw, BystanderRule, ErrorScope, MacConfig, PhyConfig, SilenceRule,
    TimeoutRule,
};
pub use station::StationStats;
