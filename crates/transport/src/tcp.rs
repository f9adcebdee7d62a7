//! TCP.

mod config;

pub use config::{
    DelayedAck, LawName, NewRenoConfig, PartialAckTimer, Recovery, RtoConfig, SsthreshBase, TcpConfig,
};
