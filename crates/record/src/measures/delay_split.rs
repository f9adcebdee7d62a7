//! The delay of flows' data packets by its causes.

use crate::journey::{End, Journey};
use crate::measure::Measure;
use crate::split::{Part, Parts};
use schemars::JsonSchema;
use serde::Serialize;
use world::Plan;

/// Of a flow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DelaySplitOf {
    /// Its mean by causes; null where no packet arrived.
    pub delay_split_s: Option<DelaySplitOutcome>,
    /// The sums over all packets.
    pub delay_split_ns: DelayPartsOutcome,
}

/// Mean one-way delay of data packets by its causes, s. The parts add up to the mean, but for the rounding of each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DelaySplitOutcome {
    /// All of it: that of `delay_s`.
    pub mean: f64,
    /// Waiting in interface queues behind others.
    pub queueing: f64,
    /// At the head of an 802.11 queue until an exchange begins: inter-frame spaces, backoff, others' turns.
    pub access: f64,
    /// 802.11 exchanges that failed.
    pub retries: f64,
    /// From the start of an 802.11 exchange that succeeded to the last bit at the receiver.
    pub transmission: f64,
    /// Serialization and propagation on wired links.
    pub wire: f64,
    /// Waiting at a station without an access point; ways through tunnels, whole.
    pub handoff: f64,
}

/// The sums over all packets, whole ns: they add up to the sum of the delays exactly.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DelayPartsOutcome {
    /// As in the means.
    pub queueing: u64,
    /// As in the means.
    pub access: u64,
    /// As in the means.
    pub retries: u64,
    /// As in the means.
    pub transmission: u64,
    /// As in the means.
    pub wire: u64,
    /// As in the means.
    pub handoff: u64,
}

/// The delays, added up.
#[derive(Clone, Debug)]
pub struct DelaySplit {
    /// By flow: how many packets, and their time by part, ns.
    flows: Vec<(u64, Parts)>,
}

impl Measure for DelaySplit {
    type Of = DelaySplitOf;
    const FOLLOWS: bool = true;

    fn start(plan: &Plan) -> DelaySplit {
        DelaySplit { flows: vec![Default::default(); plan.flows.len()] }
    }

    fn on_end(&mut self, journey: &Journey, end: End) {
        if let End::Delivered = end
            && journey.is_data()
        {
            let (packets, sums) = &mut self.flows[journey.flow.index()];
            *packets += 1;
            sums.iter_mut().zip(journey.clock.parts).for_each(|(sum, part)| *sum += part);
        }
    }

    fn of(&self, flow: usize) -> Option<DelaySplitOf> {
        let (packets, sums) = self.flows[flow];
        let of = |part: Part| sums[part as usize];
        let mean = |ns: u64| ns as f64 / packets as f64 * 1e-9;
        let delay_split_s = (packets > 0).then(|| DelaySplitOutcome {
            mean: mean(sums.iter().sum()),
            queueing: mean(of(Part::Queueing)),
            access: mean(of(Part::Access)),
            retries: mean(of(Part::Retries)),
            transmission: mean(of(Part::Transmission)),
            wire: mean(of(Part::Wire)),
            handoff: mean(of(Part::Handoff)),
        });
        let delay_split_ns = DelayPartsOutcome {
            queueing: of(Part::Queueing),
            access: of(Part::Access),
            retries: of(Part::Retries),
            transmission: of(Part::Transmission),
            wire: of(Part::Wire),
            handoff: of(Part::Handoff),
        };
        Some(DelaySplitOf { delay_split_s, delay_split_ns })
    }
}
