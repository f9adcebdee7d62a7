//! A flow in two legs: at the node where they meet, what one has brought goes on by the other (I-TCP: Bakre and Badrinath,
//! "I-TCP: Indirect TCP for Mobile Hosts", ICDCS 1995).
//!
//! What has come in order is acknowledged at once and offered to the leg beyond at once. It is held until that leg's
//! receiver has acknowledged it, and what is held closes the window of the leg that brings it: never more than `limit`.

use super::level::Level;
use crate::plan::{Plan, SplitFlow, SplitPlan, TransportPlan};
use base::{FlowId, Time};

/// A flow in two legs, at the node where they meet.
#[derive(Clone, Debug)]
pub(crate) struct Relay {
    /// The legs.
    pub legs: SplitFlow,
    /// The most that it holds, bytes.
    pub limit: u64,
    /// How much of `limit` lies beyond the receive window of the leg that brings.
    spare: u64,
    /// Came in order, bytes, from the beginning.
    pub taken: u64,
    /// Of those, no longer in the receive window of the leg that brought them.
    pub read: u64,
    /// Of those, acknowledged by the leg beyond.
    pub passed: u64,
    /// Reached the application at the end.
    pub delivered: u64,
    /// The leg beyond is opened.
    pub is_open: bool,
    /// What it holds, bytes.
    pub held: Level,
}

impl Relay {
    fn new(legs: SplitFlow, limit: u64, window: u64) -> Relay {
        Relay {
            legs,
            limit,
            spare: limit.saturating_sub(window),
            taken: 0,
            read: 0,
            passed: 0,
            delivered: 0,
            is_open: false,
            held: Level::default(),
        }
    }

    /// All flows of a plan that have two legs.
    pub fn all(plan: &Plan) -> Vec<Relay> {
        let window_of = |flow: FlowId| match &plan.flows[flow.index()].transport {
            TransportPlan::Tcp { config, .. } => config.receive_window,
            TransportPlan::Udp { .. } => 0,
        };
        let new = |(split, legs): (&SplitPlan, SplitFlow)| {
            Relay::new(legs, split.buffer, window_of(legs.flow))
        };
        plan.splits().map(new).collect()
    }

    pub fn note_level(&mut self, now: Time) {
        self.held.set(now, self.taken - self.passed);
    }

    /// How much more may leave the receive window of the leg that brings.
    pub fn readable(&self) -> u64 {
        self.taken.min(self.passed + self.spare).saturating_sub(self.read)
    }
}
