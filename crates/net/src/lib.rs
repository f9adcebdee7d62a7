//! Packets, the pool they live in, queues, wired links, shared LANs and routes: everything below a transport that is
//! not a radio.

mod direction;
mod interfaces;
mod lan;
mod loss;
mod packet;
mod pool;
mod queue;
mod routes;
mod segment;
#[cfg(test)]
mod test_support;
mod topology;
mod wire;

pub use direction::Direction;
pub use interfaces::{Ended, Interfaces, Out, Reported};
pub use lan::{
    AvoidanceRules, Collisions, Framing, Lan, LanAccess, LanConfig, LanEnded, LanFrame, LanOutcome,
    LanPreset, LanSent, LanSettings, LanStationOutcome, Reach,
};
pub use loss::{BurstConfig, Bursts, DropList, RandomLoss};
pub use packet::{Datagram, DropReason, Header, LARGEST_PACKET, Packet, Segment, Socket};
pub use pool::{Ledger, Pool};
pub use queue::{
    Arrival, Backlog, Device, Discipline, Fate, IpHeader, IpHeaders, Owner, Queue, QueueConfig,
    QueueCounts, QueueLimit, QueueRules, QueueStats, Row, Tins, Waiting,
};
pub use routes::{DEFAULT_TTL, Mark, Routes, Step};
pub use segment::{Ecn, Flags, MarkBytes, Options, Stamps};
pub use topology::{Hop, Path, PathEnd, Topology, Trees};
pub use wire::{
    CourseConfig, Departure, GRANT_BYTES, Grants, JitterConfig, JitterLaw, LossPlace, Offer,
    Stretch, Transit, Transits, Wire, WireConfig, WireStats,
};
