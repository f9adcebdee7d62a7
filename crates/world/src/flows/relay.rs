//! A flow in two legs: at the node where they meet, what one has brought goes on by the other (I-TCP: Bakre and Badrinath,
//! "I-TCP: Indirect TCP for Mobile Hosts", ICDCS 1995).
//!
//! What has come in order is acknowledged at once and offered to the leg beyond at once. It is held until that leg's
//! receiver has acknowledged it, and what is held closes the window of the leg that brings it: never more than `limit`.

use super::level::Level;
use super::work::Part;
use crate::end::End;
use crate::plan::{Plan, ProxyKind, SplitFlow, SplitPlan};
use base::{FlowId, NodeId, Span, Time};
use net::Segment;
use transport::tcp::Endpoint;

/// Both ends of a connection before it is opened.
pub(super) type Unopened = [Endpoint; 2];

/// The node of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It carries on what comes.
    Runs,
    /// Its state goes to another node, and nothing is done until all of it is there.
    Moves {
        /// Since when.
        since: Time,
    },
    /// It has lost all that it knew.
    Down,
}

/// Input that comes while a relay is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub flow: FlowId,
    pub end: End,
    pub segment: Segment,
}

/// The counts of a relay, since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RelayCounts {
    /// The number of times that its state has moved to another node.
    pub moves: u64,
    /// Bytes of state that were sent for that.
    pub moved_bytes: u64,
    /// For how long nothing was done.
    pub frozen: Span,
    /// The number of times that both connections were reset.
    pub resets: u64,
    /// Acknowledged to the source and never delivered, bytes.
    pub lost_bytes: u64,
}

/// A flow in two legs, at the node where they meet.
///
/// Bytes are counted from the beginning of the flow, through all connections that its legs have had.
#[derive(Clone, Debug)]
pub(crate) struct Relay {
    /// The legs.
    pub legs: SplitFlow,
    /// The place where they meet.
    pub at: NodeId,
    /// The nodes where they can.
    pub places: Vec<NodeId>,
    /// The most that it holds, bytes.
    pub limit: u64,
    /// The image of a socket, bytes.
    pub socket: u64,
    /// True where outstanding data on the air are sent again at once when the state has moved.
    pub resend: bool,
    /// From a death to the source's next connection.
    pub restart: Span,
    /// The times of its failures.
    pub dies: Vec<Time>,
    pub standing: Standing,
    /// Came in order.
    pub taken: u64,
    /// Of those, no longer in the receive buffer of the leg that brought them.
    pub read: u64,
    /// Of those, acknowledged by the leg beyond.
    pub passed: u64,
    /// The first byte of the present connection of the leg beyond.
    pub begins: u64,
    /// The application at the end has all up to here but what is lost.
    pub delivered: u64,
    /// The number of next bytes that the application has already.
    pub repeated: u64,
    /// The leg beyond is opened.
    pub is_open: bool,
    /// The node that its state should go to next.
    pub wanted: Option<NodeId>,
    /// State on its way that is not there yet, bytes.
    pub state_left: u64,
    pub(super) waiting: Vec<Waiting>,
    /// By [`Part`].
    pub(super) unopened: Vec<Unopened>,
    pub counts: RelayCounts,
    /// The bytes that it holds.
    pub held: Level,
}

impl Relay {
    fn new(plan: &Plan, places: &[NodeId], split: &SplitPlan, legs: SplitFlow) -> Relay {
        let first = &plan.flows[legs.flow.index()];
        Relay {
            legs,
            at: first.to,
            places: places.to_vec(),
            limit: split.buffer,
            socket: split.socket,
            resend: split.resend,
            restart: split.restart,
            dies: split.dies.clone(),
            standing: Standing::Runs,
            taken: 0,
            read: 0,
            passed: 0,
            begins: 0,
            delivered: 0,
            repeated: 0,
            is_open: false,
            wanted: None,
            state_left: 0,
            waiting: Vec::new(),
            unopened: Vec::new(),
            counts: RelayCounts::default(),
            held: Level::default(),
        }
    }

    /// All flows of a plan that have two legs.
    pub fn all(plan: &Plan) -> Vec<Relay> {
        let of_proxy = plan.proxies.iter().flat_map(|proxy| {
            let split = match &proxy.kind {
                ProxyKind::Split(split) => Some(split),
                ProxyKind::Guard(_) => None,
            };
            let legs = split
                .into_iter()
                .flat_map(|split| split.flows.iter().map(move |legs| (split, legs)));
            legs.map(|(split, &legs)| Relay::new(plan, &proxy.at, split, legs))
        });
        of_proxy.collect()
    }

    /// The flow of a part.
    pub fn flow_of(&self, part: Part) -> Option<FlowId> {
        match part {
            Part::First => Some(self.legs.flow),
            Part::Beyond => Some(self.legs.beyond),
            Part::State => self.legs.state,
        }
    }

    /// True where this end of a part is at the node, and the node does nothing.
    #[inline]
    pub fn stands_still(&self, part: Part, end: End) -> bool {
        let is_here = matches!((part, end), (Part::First, End::Sink) | (Part::Beyond, End::Source));
        is_here && matches!(self.standing, Standing::Moves { .. })
    }

    pub fn note_level(&mut self, now: Time) {
        self.held.set(now, self.taken - self.passed);
    }

    /// Returns the bytes that may still leave the receive buffer of the leg that brings.
    pub fn readable(&self) -> u64 {
        self.passed.saturating_sub(self.read)
    }

    /// Of `fresh` bytes at the end, those that the application has not had.
    pub fn deliver(&mut self, fresh: u64) -> u64 {
        let again = fresh.min(self.repeated);
        self.repeated -= again;
        self.delivered += fresh - again;
        fresh - again
    }

    /// Both connections are reset; of what they have carried the source knows that `acked` is acknowledged. What it does not
    /// know of it says again, though the application may have had it.
    pub fn reset(&mut self, now: Time, acked: u64) {
        self.counts.resets += 1;
        self.counts.lost_bytes += acked.saturating_sub(self.delivered);
        self.repeated = self.delivered.saturating_sub(acked);
        self.delivered = self.delivered.max(acked);
        (self.taken, self.read, self.passed, self.begins) = (acked, acked, acked, acked);
        (self.is_open, self.standing, self.state_left) = (false, Standing::Down, 0);
        self.waiting.clear();
        self.note_level(now);
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, now: Time) {
        self.counts = RelayCounts::default();
        self.held.begin_measurement(now);
    }
}
