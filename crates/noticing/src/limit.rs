//! What limited a flow, or flows that are alike.

use serde::Serialize;

/// The kind of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A wired link that is busy nearly all the time.
    Link,
    /// A station's turns on a shared medium: a packet waits behind another nearly all the time.
    Medium,
    /// A queue that overflows while its link is mostly idle.
    Queue,
    /// Losses on the radio: noise, and stations out of reach.
    Radio,
    /// Losses that a wired link was given.
    Loss,
    /// Collisions, with stations that are heard or hidden.
    Collisions,
    /// Handoffs, and times without a way.
    Handoffs,
    /// The receiver's window.
    Receiver,
    /// The application's own rate.
    Application,
}

impl Cause {
    /// Its short name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Link => "link",
            Cause::Medium => "medium",
            Cause::Queue => "queue",
            Cause::Radio => "radio",
            Cause::Loss => "loss",
            Cause::Collisions => "collisions",
            Cause::Handoffs => "handoffs",
            Cause::Receiver => "receiver",
            Cause::Application => "application",
        }
    }
}

/// What limited some flows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The kind.
    pub cause: Cause,
    /// The names of the flows.
    pub flows: Vec<String>,
    /// The interface, as `queues` name it; empty where the cause has no place.
    pub at: String,
    /// A sentence: the flows and the cause.
    pub what: String,
    /// A sentence: the numbers that show it.
    pub shown_by: String,
}
