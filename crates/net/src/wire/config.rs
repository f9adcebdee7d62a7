//! Configuration of a link.

use super::course::CourseConfig;
use super::jitter::JitterConfig;
use crate::{BurstConfig, DropList, QueueConfig};
use base::{Rate, Span, named};

named! {
    /// Place of random loss on a link.
    pub enum LossPlace, "place of loss" {
        Leaving = "leaving": "after transmission: the packet took its place and its time",
        Entering = "entering": "before the queue: the packet takes no capacity",
    }
}

/// Configuration of a link.
#[derive(Clone, Debug)]
pub struct WireConfig {
    /// Bits per second, of network-layer bytes.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Span,
    /// Its queue.
    pub queue: QueueConfig,
    /// Probability of random loss.
    pub loss: f64,
    /// Place of the random loss.
    pub loss_place: LossPlace,
    /// Bursts of loss beside it, which strike packets after transmission.
    pub bursts: Option<BurstConfig>,
    /// Packets that are dropped by their number, on entering.
    pub drop_lists: Vec<DropList>,
    /// What changes in the course of time, in the place of rate, delay and loss.
    pub course: Option<CourseConfig>,
    /// A delay of each packet's own.
    pub jitter: Option<JitterConfig>,
}
