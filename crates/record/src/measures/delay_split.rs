//! The delay of flows' data packets by its causes.

use crate::journey::{End, Journey};
use crate::measure::Measure;
use crate::split::{Part, Parts};
use base::outcome;
use serde::Serialize;
use world::Plan;

outcome! {
    /// Results of a flow.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct DelaySplitOf {
        /// Its mean by causes; null where no packet arrived.
        delay_split_s: Option<Means> = "delay", by packets_delivered;
        /// The sums over all packets, whole ns: they add up to the sum of the delays exactly.
        delay_split_ns: ByPart<u64> = "summed delay" in "ns", sum;
    }

    /// Mean one-way delay of data packets by its causes, s. The parts add up to the mean, but for the rounding of each.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Means {
        /// All of it: that of `delay_s`.
        mean: f64;
        /// Its parts.
        #[serde(flatten)]
        parts: ByPart<f64>;
    }

    /// A value for each part of a delay.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct ByPart<T> {
        /// Waiting in interface queues behind others.
        queueing: T;
        /// At the head of an 802.11 queue until an exchange begins: inter-frame spaces, backoff, others' turns.
        access: T;
        /// 802.11 exchanges that failed.
        retries: T;
        /// From the start of an 802.11 exchange that succeeded to the last bit at the receiver.
        transmission: T;
        /// Serialization and propagation on wired links.
        wire: T;
        /// Waiting at a station without an access point; ways through tunnels, whole.
        handoff: T;
    }
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
