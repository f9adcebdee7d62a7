//! Physics without protocol: channels that lose bits, and the codes that mend them.

mod config;

pub use config::{ChannelConfig, FecConfig, FecModel, Sampling, StatePer};
