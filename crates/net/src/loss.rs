//! Losses on a wire: at random, or exactly the packets that a list names.

use base::{FlowId, Rng};

/// Each packet is lost with the same probability, independently.
#[derive(Clone, Debug)]
pub struct RandomLoss {
    /// Probability of loss, 0 to 1.
    pub p: f64,
    /// The link's own stream.
    pub rng: Rng,
}

impl RandomLoss {
    /// Draws the fate of one packet.
    pub fn loses(&mut self) -> bool {
        self.p > 0.0 && self.rng.chance(self.p)
    }
}

/// Drops exactly the n-th, m-th, ... packet of one flow entering a link, counted from 0 (a SYN counts).
#[derive(Clone, Debug)]
pub struct DropList {
    flow: FlowId,
    ordinals: Vec<u64>,
    seen: u64,
}

impl DropList {
    /// A list for `flow`; order and repetition of `ordinals` do not matter.
    pub fn new(flow: FlowId, mut ordinals: Vec<u64>) -> DropList {
        ordinals.sort_unstable();
        DropList { flow, ordinals, seen: 0 }
    }

    /// Counts a packet of `flow`; true where the list names it.
    pub fn drops(&mut self, flow: FlowId) -> bool {
        if flow != self.flow {
            return false;
        }
        let ordinal = self.seen;
        self.seen += 1;
        self.ordinals.binary_search(&ordinal).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_packets_of_its_flow_only() {
        let mut list = DropList::new(FlowId(1), vec![2, 0]);
        let fates: Vec<bool> =
            [1, 0, 1, 1, 1].into_iter().map(|flow| list.drops(FlowId(flow))).collect();
        assert_eq!(fates, [true, false, false, true, false]);
    }
}
