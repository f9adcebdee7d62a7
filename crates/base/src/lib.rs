//! Units, typed ids, keyed random streams and streaming statistics: what every other crate stands on.

mod id;
mod keyed;
mod named;
mod options;
mod rng;
mod stats;
mod units;

pub use id::{CellId, FlowId, LinkId, NodeId, PacketId, StationId};
pub use keyed::Keyed;
pub use named::Named;
pub use options::{Options, Parameter, SWITCH, Unit};
pub use rng::{Purpose, Rng, Seed};
pub use stats::{DelayHistogram, jain_index};
pub use units::{Bytes, Rate, Span, Time};
