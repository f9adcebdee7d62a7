//! IEEE 802.11: timing, contention, frame exchanges, one cell in which all hear all, a medium in which each
//! hears what it can.

mod air;
mod cell;
mod config;
mod contention;
#[cfg(test)]
mod contention_model;
mod frames;
mod medium;
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
pub use medium::{
    Access, Due, Happened, Medium, MediumConfig, Member, Propagation, Reception, SinrConfig,
};
pub use station::StationStats;
