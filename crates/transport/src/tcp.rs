//! TCP: a sender and a receiver that take `(now, segment)` and answer with segments.
//!
//! Two axes: [`Recovery`] says what is sent again, a [`Law`](law::Law) says how the window moves. The sequence
//! space is in bytes (the SYN is number 0, byte i of the data is 1 + i); windows of congestion are in segments,
//! fractions kept, as the papers write them. Data go one way: a connection both ways is two flows.
//!
//! Not modelled: reset, Nagle's algorithm, path MTU discovery, urgent data.

mod accurate;
pub mod auto;
mod buffer;
mod config;
mod endpoint;
mod halving;
mod hystart;
pub mod law;
mod losses;
mod marks;
pub mod outside;
mod prr;
mod quick;
mod rack;
mod rate;
mod reassembly;
mod receiver;
mod record;
mod repair;
mod rtt;
mod scoreboard;
#[cfg(test)]
mod scoreboard_model;
mod sender;
mod sequence;
mod stamps;
mod stats;
mod tcb;
mod timers;
mod usage;
pub mod variants;
mod window;
#[cfg(test)]
mod window_tests;

pub use config::{
    DelayedAck, EcnMode, ExitGrowth, LawName, LossRules, NewRenoConfig, OptionSize, Pacing,
    PartialAckTimer, Reader, Recovery, Reduction, RepeatConfig, SackConfig, SlowStart,
    SsthreshBase, TcpConfig, Threshold, Where,
};
pub use endpoint::{Endpoint, Half, Halves};
pub use losses::Phase;
pub use prr::Prr;
pub use rate::RateMeter;
pub use receiver::Receiver;
pub use rtt::{RtoConfig, Rtt};
pub use sender::Sender;
pub use stats::{Held, SenderStats, Snapshot};
pub use window::Window;
