//! Rules for limits of queues.

use base::{named, settings};

named! {
    /// Packets that a limit in packets counts.
    pub enum QueueCounts, "way of counting" {
        Waiting = "waiting": "packets that wait; the one being sent does not count (ns-3's device queue)",
        WithService = "with_service": "packets that wait and the one being sent (ns-2's DropTail)",
    }
}

settings! {
    /// Rules for the limits of all queues.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct QueueRules {
        /// What a limit in packets counts.
        counts: QueueCounts = QueueCounts::Waiting, "counts";
    }
}
