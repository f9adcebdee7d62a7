//! IEEE 802.11: timing, contention, frame exchanges, one cell in which all hear all.

mod config;

pub use config::{
    AccessRule, BackoffDraw, BystanderRule, ErrorScope, MacConfig, PhyConfig, TimeoutRule,
};
