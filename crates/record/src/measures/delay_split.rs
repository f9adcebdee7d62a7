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
    pub delay_split_s: Option<Means>,
    /// The sums over all packets, whole ns: they add up to the sum of the delays exactly.
    pub delay_split_ns: ByPart<u64>,
}

/// Mean one-way delay of data packets by its causes, s. The parts add up to the mean, but for the rounding of each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Means {
    /// All of it: that of `delay_s`.
    pub mean: f64,
    /// Of which.
    #[serde(flatten)]
    pub parts: ByPart<f64>,
}

/// A value for each part of a delay.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ByPart<T> {
    /// Waiting in interface queues behind others.
    pub queueing: T,
    /// At the head of an 802.11 queue until an exchange begins: inter-frame spaces, backoff, others' turns.
    pub access: T,
    /// 802.11 exchanges that failed.
    pub retries: T,
    /// From the start of an 802.11 exchange that succeeded to the last bit at the receiver.
    pub transmission: T,
    /// Serialization and propagation on wired links.
    pub wire: T,
    /// Waiting at a station without an access point; ways through tunnels, whole.
    pub handoff: T,
}

impl<T> ByPart<T> {
    fn of(parts: &Parts, value: impl Fn(u64) -> T) -> ByPart<T> {
        let of = |part: Part| value(parts[part as usize]);
        ByPart {
            queueing: of(Part::Queueing),
            access: of(Part::Access),
            retries: of(Part::Retries),
            transmission: of(Part::Transmission),
            wire: of(Part::Wire),
            handoff: of(Part::Handoff),
        }
    }
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
        let (packets, sums) = &self.flows[flow];
        let mean = |ns: u64| ns as f64 / *packets as f64 * 1e-9;
        let delay_split_s = (*packets > 0)
            .then(|| Means { mean: mean(sums.iter().sum()), parts: ByPart::of(sums, mean) });
        Some(DelaySplitOf { delay_split_s, delay_split_ns: ByPart::of(sums, |ns| ns) })
    }
}
