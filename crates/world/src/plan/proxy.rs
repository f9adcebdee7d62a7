//! Proxies: parts of nodes that take part in the transport of flows that pass there.

use base::{FlowId, NodeId};

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyPlan {
    /// The nodes where it can be.
    pub at: Vec<NodeId>,
    /// What it does.
    pub kind: ProxyKind,
}

/// What a proxy does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// Each flow is divided into two connections that meet there.
    Split(SplitPlan),
}

/// Split connections (I-TCP: Bakre and Badrinath 1995).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPlan {
    /// The most that the node holds of a flow: bytes that have come to it and are not acknowledged by the leg that carries
    /// them on.
    pub buffer: u64,
    /// The flows.
    pub flows: Vec<SplitFlow>,
}

/// A flow in two legs, each a flow of the plan: from the source to the node, and from the node to the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitFlow {
    /// The flow that a user has named, whose own connection ends at the node.
    pub flow: FlowId,
    /// The connection from there on. It comes after all flows that a user has named.
    pub beyond: FlowId,
}
