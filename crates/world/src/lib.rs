//! The one world: clock, events, packets, and the run loop that hands actions from one component to the next.

mod air;
mod build;
mod choices;
mod cuts;
mod endpoints;
mod event;
mod flow;
mod lanes;
mod link_layer;
mod memories;
mod mobile_ip;
mod note;
mod oracle;
mod outcome;
mod plan;
mod playout;
mod reroute;
mod roam;
mod traffic;
mod web;
mod wires;
mod world;

pub use air::AirMap;
pub use build::{BuildError, LawOrder, MakeLaw};
pub use choices::{ChoiceOutcome, ChoicesOutcome};
pub use cuts::CutCause;
pub use event::{MAX_INDEX, MAX_MEDIUM, MAX_MEDIUM_STATIONS};
pub use mobile_ip::MobileIpOutcome;
pub use note::Note;
pub use outcome::{
    Balance, DelayOutcome, FlowOutcome, LinkOutcome, Outcome, QueueOutcome, ResponseOutcome,
    SenderOutcome, StationOutcome,
};
pub use plan::{
    AssociationPlan, CellPlan, FlowPlan, LinkPlan, LinkRule, MediumPlan, MobileIpPlan, OraclePlan,
    Plan, RoutingPlan, TransportPlan,
};
pub use playout::{InterarrivalOutcome, PicturesOutcome, PlayoutOutcome, SpeechOutcome};
pub use roam::HandoffOutcome;
pub use world::World;
