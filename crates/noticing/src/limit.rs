//! What limited a flow, or flows that are alike.

use serde::Serialize;

/// The kind of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A wired link that is busy nearly all the time.
    Link,
    /// A station's turns on a shared medium: a packet waits behind another nearly all the time. Of 802.16 the frames,
    /// which are full.
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
    /// The application's own rate, or the time in which its user asks for nothing.
    Application,
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

/// What limits a flow, and the numbers that show it; those that do not belong to the cause are 0.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The kind.
    pub cause: Option<Cause>,
    /// The interface; of flows that are limited at their own source, the medium.
    pub at: String,
    /// The share of the time in which it limits, or of the packets that it takes.
    pub share: f64,
    /// Of an interface that shares a medium: the medium in words.
    pub medium: String,
    /// The mean wait of a packet, s, or the round trip.
    pub wait_s: f64,
    /// Of an interface of 802.11: the share of the air that its station has, and that of all in its cell.
    pub air: Option<(f64, f64)>,
    /// Of a window: bytes.
    pub window: f64,
    /// Of a round trip: what is left of it when the data have arrived, s; 0 where that is not known.
    pub back_s: f64,
    /// Of 802.16: the part of the frames that is full.
    pub subframe: Option<Subframe>,
    /// What the flow carries, which says of what its share is.
    pub kind: Kind,
    /// Window cuts by the cause (of an interface, by queues), and all.
    pub cuts: (f64, f64),
    /// Of an interface: it is busy enough while the flow is active; false where it only may be.
    pub is_sure: bool,
    /// Of a link: its queue's shaper is what packets wait for.
    pub is_shaped: bool,
    /// Of a queue: an AQM does most of it.
    pub managed: bool,
    /// Of an interface of 802.11: the share of what its station sends that the channel corrupts.
    pub corrupted: f64,
}

/// What a flow carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The bytes of one TCP connection.
    #[default]
    Stream,
    /// Datagrams: there is no window.
    Datagrams,
    /// Pages, by connections that come and go.
    Pages,
}

/// A part of the frames of 802.16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subframe {
    /// From the base station.
    Downlink,
    /// To the base station.
    Uplink,
}
