//! Proxies: parts of nodes that take part in the transport of flows that pass there.

use crate::end::End;
use base::{FlowId, NodeId, Span, Time};
use transport::proxy::{MtcpConfig, SnoopConfig};

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyPlan {
    /// The nodes where it can be.
    pub at: Vec<NodeId>,
    /// Its kind.
    pub kind: ProxyKind,
}

/// The kind of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// Each flow is divided into two connections that meet there.
    Split(SplitPlan),
    /// It watches over connections, which stay whole.
    Guard(GuardPlan),
}

/// Connections that are watched over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardPlan {
    /// The kind.
    pub kind: GuardKind,
    /// The flows, each with its end that is the mobile.
    pub flows: Vec<(FlowId, End)>,
    /// The times at which the nodes forget everything.
    pub restarts: Vec<Time>,
}

/// The ways to watch connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardKind {
    /// Snoop (Balakrishnan, Seshan, Amir and Katz 1995), at each base station for itself.
    Snoop(SnoopConfig),
    /// M-TCP (Brown and Singh 1997); all nodes are base stations of one supervisor host.
    Mtcp(MtcpConfig),
}

/// Split connections (I-TCP: Bakre and Badrinath 1995).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPlan {
    /// The most that the node holds of a flow: bytes that have come to it and are not acknowledged by the leg that carries
    /// them on.
    pub buffer: u64,
    /// The size of a socket's image that moves to another node, bytes, beside its data.
    pub socket: u64,
    /// True where outstanding data on the air are sent again at once when the state has moved.
    pub resend: bool,
    /// The times at which the node loses everything.
    pub dies: Vec<Time>,
    /// The delay after which the source opens its connection anew.
    pub restart: Span,
    /// The flows.
    pub flows: Vec<SplitFlow>,
}

/// A flow in two legs, each a flow of the plan: from the source to the node, and from the node to the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitFlow {
    /// The flow that a user has named, whose own connection ends at the node.
    pub flow: FlowId,
    /// The connection from there on. It comes after all flows that a user has named, and so does the next.
    pub beyond: FlowId,
    /// The connection that carries the state of both to another node, where there are several.
    pub state: Option<FlowId>,
    /// The station at the far end of the air.
    pub station: NodeId,
    /// That station is the source.
    pub comes_by_air: bool,
}
