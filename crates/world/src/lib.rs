//! The one world: clock, events, packets, and the run loop that hands actions from one component to the next.

mod plan;

pub use plan::{CellPlan, FlowPlan, LinkPlan, Plan, TransportPlan};
