//! Measures that a scenario asks for because they cost time: without them a run is as fast as it was.

use crate::probe::{Journey, Part, Parts};
use crate::spec::{MeasureName, ScenarioSpec};
use apps::Playout;
use base::Time;
use net::Direction;
use world::{DelayPartsOutcome, DelaySplitOutcome, FlowOutcome, InterarrivalOutcome, Note, Plan};

/// Which measures are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// The delay of each flow by its causes.
    pub delay_split: bool,
    /// Times between the arrivals of each flow's packets.
    pub interarrival: bool,
}

impl Measures {
    /// Those that a scenario asks for.
    pub fn of(spec: &ScenarioSpec) -> Measures {
        let mut measures = Measures::default();
        for name in &spec.measures {
            match name.value.0 {
                MeasureName::DelaySplit => measures.delay_split = true,
                MeasureName::Interarrival => measures.interarrival = true,
            }
        }
        measures
    }

    /// True where one is on.
    pub fn any(self) -> bool {
        self.delay_split || self.interarrival
    }
}

/// What the measures of a run take down.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Packets that arrive up to then do not count.
    warmup: Time,
    split: Option<DelaySplit>,
    /// By flow: who notices its packets.
    arrivals: Option<Vec<Playout>>,
    /// True from the first arrival in the measured time on.
    measuring: bool,
}

impl Taken {
    /// Nothing yet, in a run of `plan`.
    pub fn new(measures: Measures, plan: &Plan) -> Taken {
        let flows = plan.flows.len();
        Taken {
            warmup: Time::ZERO + plan.warmup,
            split: measures.delay_split.then(|| DelaySplit::new(flows)),
            arrivals: measures.interarrival.then(|| vec![Playout::default(); flows]),
            measuring: false,
        }
    }

    /// The warm-up ends after all that happens at its last instant.
    fn counts(&self, now: Time) -> bool {
        now > self.warmup || self.warmup == Time::ZERO
    }

    /// True where packets are to be followed.
    pub fn follows(&self) -> bool {
        self.split.is_some()
    }

    /// A packet has arrived whose way is known.
    pub fn on_end(&mut self, now: Time, journey: &Journey) {
        let counts = self.counts(now);
        if let Some(split) = self.split.as_mut().filter(|_| counts) {
            split.add(journey);
        }
    }

    /// Something has happened.
    pub fn on(&mut self, now: Time, note: &Note) {
        let counts = self.counts(now);
        if let &Note::Delivered { flow, direction: Direction::Forward, born, .. } = note
            && let Some(arrivals) = &mut self.arrivals
        {
            // As of flows that are played: a time between arrivals counts, whole, when it ends in the measured time.
            if counts && !self.measuring {
                self.measuring = true;
                arrivals.iter_mut().for_each(Playout::begin_measurement);
            }
            arrivals[flow.index()].on_datagram(now, born, 0);
        }
    }

    /// Adds to the results of the flow of this number.
    pub fn add_to(&self, flow: &mut FlowOutcome, number: usize) {
        if let Some(split) = &self.split {
            let (means, sums) = split.of(number);
            (flow.measures.delay_split_s, flow.measures.delay_split_ns) = (Some(means), Some(sums));
        }
        if let (Some(arrivals), None) = (&self.arrivals, &flow.playout) {
            flow.measures.interarrival_s = Some(InterarrivalOutcome::new(&arrivals[number]));
        }
    }
}

/// The delays of flows' data packets, added up by cause.
#[derive(Clone, Debug)]
struct DelaySplit {
    /// By flow: how many packets, and their time by part, ns.
    flows: Vec<(u64, Parts)>,
}

impl DelaySplit {
    fn new(flows: usize) -> DelaySplit {
        DelaySplit { flows: vec![Default::default(); flows] }
    }

    /// A packet has arrived.
    fn add(&mut self, journey: &Journey) {
        if journey.is_data() {
            let (packets, sums) = &mut self.flows[journey.flow.index()];
            *packets += 1;
            sums.iter_mut().zip(journey.clock.parts).for_each(|(sum, part)| *sum += part);
        }
    }

    /// Of a flow: the means, where a packet has arrived, and the sums that they are made of.
    fn of(&self, flow: usize) -> (Option<DelaySplitOutcome>, DelayPartsOutcome) {
        let (packets, sums) = self.flows[flow];
        let of = |part: Part| sums[part as usize];
        let mean = |ns: u64| ns as f64 / packets as f64 * 1e-9;
        let means = (packets > 0).then(|| DelaySplitOutcome {
            mean: mean(sums.iter().sum()),
            queueing: mean(of(Part::Queueing)),
            access: mean(of(Part::Access)),
            retries: mean(of(Part::Retries)),
            transmission: mean(of(Part::Transmission)),
            wire: mean(of(Part::Wire)),
            handoff: mean(of(Part::Handoff)),
        });
        let sums = DelayPartsOutcome {
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
