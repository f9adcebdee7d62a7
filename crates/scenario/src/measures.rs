//! Measures that a scenario asks for because they cost time: without them a run is as fast as it was.

use crate::probe::{Journey, Part, Parts};
use crate::spec::{MeasureName, ScenarioSpec};
use base::Time;
use schemars::JsonSchema;
use serde::Serialize;
use world::Plan;

/// Which measures are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// The delay of each flow by its causes.
    pub delay_split: bool,
}

impl Measures {
    /// Those that a scenario asks for.
    pub fn of(spec: &ScenarioSpec) -> Measures {
        let mut measures = Measures::default();
        for name in &spec.measures {
            match name.value {
                MeasureName::DelaySplit => measures.delay_split = true,
            }
        }
        measures
    }
}

/// The delays of flows' data packets, added up by cause.
#[derive(Clone, Debug)]
pub struct DelaySplit {
    /// Packets that arrive up to then do not count.
    warmup: Time,
    /// By flow: how many packets, and their time by part, ns.
    flows: Vec<(u64, Parts)>,
}

impl DelaySplit {
    /// Of a run of `plan`.
    pub fn new(plan: &Plan) -> DelaySplit {
        DelaySplit {
            warmup: Time::ZERO + plan.warmup,
            flows: vec![Default::default(); plan.flows.len()],
        }
    }

    /// A packet has arrived.
    pub fn add(&mut self, now: Time, journey: &Journey) {
        // The warm-up ends after all that happens at its last instant.
        let counts = now > self.warmup || self.warmup == Time::ZERO;
        if counts && journey.is_data() {
            let (packets, sums) = &mut self.flows[journey.flow.index()];
            *packets += 1;
            sums.iter_mut().zip(journey.clock.parts).for_each(|(sum, part)| *sum += part);
        }
    }

    /// Of a flow: the means, where a packet has arrived, and the sums that they are made of.
    pub fn of(&self, flow: usize) -> (Option<DelaySplitResult>, PartsResult) {
        let (packets, sums) = self.flows[flow];
        let of = |part: Part| sums[part as usize];
        let mean = |ns: u64| ns as f64 / packets as f64 * 1e-9;
        let means = (packets > 0).then(|| DelaySplitResult {
            mean: mean(sums.iter().sum()),
            queueing: mean(of(Part::Queueing)),
            access: mean(of(Part::Access)),
            retries: mean(of(Part::Retries)),
            transmission: mean(of(Part::Transmission)),
            wire: mean(of(Part::Wire)),
            handoff: mean(of(Part::Handoff)),
        });
        let sums = PartsResult {
            queueing: of(Part::Queueing),
            access: of(Part::Access),
            retries: of(Part::Retries),
            transmission: of(Part::Transmission),
            wire: of(Part::Wire),
            handoff: of(Part::Handoff),
        };
        (means, sums)
    }
}

/// Mean one-way delay of data packets by its causes, s. The parts add up to the mean, but for the rounding of each.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DelaySplitResult {
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartsResult {
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
