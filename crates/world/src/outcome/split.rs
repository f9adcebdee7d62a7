//! The measurements of a flow in two legs.

use super::flow::{FlowOutcome, SplitOutcome};
use crate::network::Network;
use base::{FlowId, Time, Within};

impl Network {
    /// A flow's outcome, with what became of it at the node where its legs meet.
    pub(super) fn with_split<M>(
        &self,
        flow: FlowOutcome<M>,
        id: FlowId,
        now: Time,
        one: impl Fn(FlowId) -> FlowOutcome<M>,
    ) -> FlowOutcome<M> {
        let Some(relay) = self.flows.relay_of(id) else { return flow };
        let beyond = one(relay.legs.beyond);
        let split = SplitOutcome {
            at: flow.to.clone(),
            buffer_bytes: relay.limit,
            held_mean_bytes: relay.held.mean(now),
            held_max_bytes: relay.held.most(),
            undelivered_bytes: relay.taken.saturating_sub(relay.delivered),
            lost_bytes: relay.counts.lost_bytes,
            resets: relay.counts.resets,
            moves: relay.counts.moves,
            moved_bytes: relay.counts.moved_bytes,
            frozen_s: relay.counts.frozen.as_secs(),
            beyond: Within::new(beyond),
            state: relay.legs.state.map(|state| Within::new(one(state))),
        };
        FlowOutcome { to: split.beyond.to.clone(), split: Some(Box::new(split)), ..flow }
    }
}
