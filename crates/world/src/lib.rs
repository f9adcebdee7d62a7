//! The one world: clock, events, packets, and the run loop that hands actions from one component to the next.

mod build;
mod clusters;
mod cuts;
mod cx;
mod devices;
mod divided;
mod element;
mod end;
mod event;
mod flows;
mod forward;
mod guards;
mod handoff;
mod link_layer;
mod mobile;
mod mobile_ip;
mod network;
mod note;
mod oracle;
mod outcome;
mod plan;
mod playout;
mod roaming;
mod routers;
mod routing;
mod saturation;
mod shares;
mod sites;
mod splits;
mod tally;
mod watching;
mod ways;
mod world;

pub use build::{BuildError, LawOrder, MakeLaw};
pub use clusters::ClustersOutcome;
pub use cuts::CutCause;
pub use end::End;
pub use event::{MAX_INDEX, MAX_MEDIUM};
pub use guards::{MtcpOutcome, SnoopOutcome};
pub use handoff::HandoffOutcome;
pub use mobile_ip::MobileIpOutcome;
pub use note::Note;
pub use outcome::{
    Balance, ChoiceOutcome, ChoicesOutcome, FlowOutcome, LinkOutcome, Outcome, QueueOutcome,
    ResponseOutcome, SenderOutcome, SplitOutcome,
};
pub use plan::{
    AssociationPlan, CellPlan, ClustersPlan, Election, FlowPlan, GuardKind, GuardPlan, LanPlan,
    LinkPlan, LinkRule, MediumPlan, MobileIpPlan, OraclePlan, Organisation, Part, Plan, ProxyKind,
    ProxyPlan, QosPlan, RoutingPlan, SplitFlow, SplitPlan, Technology, TransportPlan,
    UpperSettings, WimaxPlan,
};
pub use playout::{InterarrivalOutcome, PicturesOutcome, PlayoutOutcome, SpeechOutcome};
pub use routers::DsdvOutcome;
pub use wifi::MAX_MEDIUM_STATIONS;
pub use world::World;
