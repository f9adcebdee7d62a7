//! The phases of a mobile node's move to an agent.

use base::{NodeId, Time, named};

named! {
    /// The reason why a mobile node has changed to an agent.
    pub enum Trigger, "trigger" {
        Start = "start": "it had none yet",
        Lost = "agent_lost": "it no longer heard its agent",
        NewAgent = "new_agent": "it heard a new agent",
        Home = "home_agent": "it heard its home agent",
        Link = "link": "its link layer had joined another access point",
    }
}

/// A registration with an agent that the mobile node was not registered with before. The moments are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Node that registered.
    pub mobile: NodeId,
    /// Its agent before; `None`: it had none yet.
    pub from: Option<NodeId>,
    /// Its agent now.
    pub to: NodeId,
    /// The reason for the change.
    pub trigger: Trigger,
    /// The last advertisement of the old agent (of the new one where there was none).
    pub last_heard: Time,
    /// Time at which it dropped the old agent.
    pub left: Time,
    /// Time at which it chose the new one, and requested registration.
    pub requested: Time,
    /// Its request was granted.
    pub registered: Time,
}
