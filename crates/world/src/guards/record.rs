//! Results about connections that were watched.

use super::{Guard, Guards, counts};
use crate::plan::GuardKind;
use base::{FlowId, NodeId, Span, Time, outcome};
use serde::Serialize;

outcome! {
    /// The work of a base station for a flow's data to a mobile: Snoop's part, which M-TCP has too.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SnoopOutcome {
        /// The nodes of its machines.
        at: Vec<String>;
        /// Segments sent to the mobile once more.
        local_retransmissions: u64 = "local retransmissions", sum;
        /// Of those, for want of any acknowledgement in time.
        local_timeouts: u64 = "local timeouts", sum;
        /// Duplicate acknowledgements that went no further.
        suppressed_acks: u64 = "suppressed acknowledgements", sum;
        /// Duplicate acknowledgements that went on to the sender.
        passed_acks: u64 = "acknowledgements passed on", sum;
        /// Gaps in what came from the wire.
        wire_gaps: u64 = "gaps from the wire", sum;
        /// Segments that came though they had been here before.
        sender_repeats: u64 = "repetitions by the sender", sum;
        /// Segments that the cache had no room for.
        uncached: u64 = "packets not cached" in "packets", sum;
        /// Acknowledgements of data from the mobile that were marked: the loss was on the air.
        marked_acks: u64 = "marked acknowledgements", sum;
        /// Segments in the caches of its connections, in the mean over the measured time.
        cached_mean_packets: f64 = "mean packets cached" in "packets";
        /// The largest number in the cache of one connection.
        cached_max_packets: u64 = "most packets cached" in "packets", max;
    }

    /// The further work of M-TCP's supervisor host.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct MtcpOutcome {
        /// Acknowledgements that were passed on without their last byte.
        held: u64 = "acknowledgements held back by a byte", sum;
        /// Last bytes acknowledged because nothing else came.
        released: u64 = "last bytes released", sum;
        /// Times that the sender was stopped.
        freezes: u64 = "times that the sender was stopped", sum;
        /// Times that the mobile was gone and nothing was held back to stop the sender with.
        missed: u64 = "disconnections that could not stop the sender", sum;
        /// For how long the sender was stopped, s; times that have ended.
        frozen_s: f64 = "time for which the sender was stopped";
    }
}

impl Guards {
    /// Returns the results for a flow; `None`: nothing watched it.
    pub fn outcome(
        &self,
        flow: FlowId,
        now: Time,
        name: impl Fn(NodeId) -> String,
    ) -> Option<(SnoopOutcome, Option<MtcpOutcome>)> {
        let guard = &self.guards[self.of_flow.get(flow.index()).copied().flatten()? as usize];
        let counted = counts(guard, &self.posts) - guard.at_start;
        let posts = || guard.posts.iter().flatten().map(|&post| &self.posts[post as usize]);
        let snoop = SnoopOutcome {
            at: guard.at.iter().map(|&node| name(node)).collect(),
            local_retransmissions: counted.snoop.local_retransmissions,
            local_timeouts: counted.snoop.local_timeouts,
            suppressed_acks: counted.snoop.suppressed,
            passed_acks: counted.snoop.passed,
            wire_gaps: counted.snoop.wire_gaps,
            sender_repeats: counted.snoop.sender_repeats,
            uncached: counted.snoop.uncached,
            marked_acks: counted.marked,
            cached_mean_packets: posts().map(|post| post.kept.mean(now)).sum(),
            cached_max_packets: posts().map(|post| post.kept.most()).max().unwrap_or(0),
        };
        let mtcp = counted.mtcp;
        let mtcp = MtcpOutcome {
            held: mtcp.held,
            released: mtcp.released,
            freezes: mtcp.freezes,
            missed: mtcp.missed,
            frozen_s: Span(mtcp.frozen_ns).as_secs(),
        };
        Some((snoop, guard.is_mtcp().then_some(mtcp)))
    }
}

impl Guard {
    fn is_mtcp(&self) -> bool {
        matches!(self.kind, GuardKind::Mtcp(_))
    }
}
