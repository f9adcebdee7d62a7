//! Units, typed ids, keyed random streams and streaming statistics: the base of every other crate.

mod delay;
mod id;
mod keyed;
mod named;
mod normal;
mod options;
mod outcome;
mod quantity;
mod registry;
mod rng;
mod settings;
mod stats;
mod tally;
mod units;

pub use delay::DelayOutcome;
pub use id::{CellId, FlowId, LinkId, NodeId, PacketId, StationId};
pub use keyed::Keyed;
pub use named::Named;
pub use options::{Options, Parameter, SWITCH, Unit};
pub use outcome::{Outcome, Within};
pub use quantity::{ENDINGS, Place, Quantities, Quantity, Stated, Together};
pub use rng::{Purpose, Rng, Seed};
pub use settings::{
    Bounds, Count, Form, Given, Hertz, Kind, Maybe, Metres, Refused, Row, Settings, Watts, Window,
};
pub use stats::{DelayHistogram, jain_index};
pub use tally::{CountNames, Tally};
pub use units::{Bytes, Rate, Span, Time};
