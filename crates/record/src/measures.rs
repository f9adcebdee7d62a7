//! The measures that a scenario asks for because they cost time: a file and a row in the registry for each.

mod acks;
mod delay_split;
mod interarrival;
mod limits;
mod reachable;

pub use reachable::ReachableOf;

use crate::journey::{End, Journey};
use crate::kinds::{Kind, Readers};
use crate::measure::Measure;
use base::{Named, Time, outcome, registry};
use serde::Serialize;
use world::{Note, Plan};

registry! {
    /// A measure that costs time.
    pub enum MeasureName, "measure",
    /// A measure at work.
    pub(crate) AnyMeasure by measures {
        DelaySplit(delay_split::DelaySplit) = "delay_split": "the delay of each flow by its causes: queueing, access, retries, transmission, wire, handoff",
        Acks(acks::Acks) = "acks": "the acknowledgements of each flow: their delay, the part of it that requests and grants of an 802.16 uplink take, and the times between arrivals",
        Reachable(reachable::Reachable) = "efficiency": "the goodput divided by that of a second run in which radio losses are filtered out and their timing kept",
        Interarrival(interarrival::Interarrival) = "interarrival": "the times between packet arrivals of flows that report none otherwise (TCP, saturated)",
        Limits(limits::FlowLimits) = "limits": "what held each flow back: what its sender waited for, and at which interfaces its packets waited and were dropped",
    }
}

macro_rules! measured {
    ($($name:ident($module:ident::$measure:ident) = $text:literal: $idea:literal,)+) => {
        outcome! {
            /// Results of the measures of a flow.
            #[derive(Clone, Debug, Default, PartialEq, Serialize)]
            pub struct MeasuredOutcome {
                $(#[doc = $idea]
                #[serde(flatten)]
                $module: Option<Box<<$module::$measure as Measure>::Of>>;)+
            }
        }

        impl MeasuredOutcome {
            /// Stores the result of a measure for a flow.
            fn add(&mut self, measure: &AnyMeasure, flow: usize) {
                match measure { $(AnyMeasure::$name(measure) => self.$module = measure.of(flow).map(Box::new),)+ }
            }
        }
    };
}
measures!(rows measured);

impl MeasureName {
    /// The notes that it is shown.
    fn sees(self) -> &'static [Kind] {
        measures!(of self, Measure => Measure::SEES)
    }

    /// True where it follows packets to the ends of their journeys.
    pub(crate) fn follows(self) -> bool {
        measures!(of self, Measure => Measure::FOLLOWS)
    }
}

impl AnyMeasure {
    fn start(name: MeasureName, plan: &Plan) -> AnyMeasure {
        measures!(make name, Measure => Measure::start(plan))
    }
}

/// Shows a measure a note, out of line as a probe's.
#[inline(never)]
fn show(measure: &mut impl Measure, now: Time, note: &Note, measured: bool) {
    measure.see(now, note, measured);
}

/// The measures of a run at work.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveMeasures {
    /// End of the warm-up; earlier notes do not count.
    warmup: Time,
    on: Vec<AnyMeasure>,
    readers: Readers,
}

impl ActiveMeasures {
    /// Starts measures for a run of `plan`.
    pub fn start(names: &[MeasureName], plan: &Plan) -> ActiveMeasures {
        let on = || MeasureName::ALL.iter().filter(|name| names.contains(name));
        ActiveMeasures {
            warmup: Time::ZERO + plan.warmup,
            on: on().map(|&name| AnyMeasure::start(name, plan)).collect(),
            readers: Readers::new(on().map(|name| name.sees())),
        }
    }

    /// Shows a note to the measures that look at its kind.
    #[inline]
    pub fn see(&mut self, now: Time, note: &Note, kind: Kind) {
        if !self.readers.any(kind) {
            return;
        }
        let (measured, on) = (self.measures_at(now), &mut self.on);
        let mut see = |at: usize| {
            measures!(each &mut on[at], measure => show(measure, now, note, measured));
        };
        self.readers.each(kind, &mut see);
    }

    /// A packet has come to its end.
    pub fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
        if self.measures_at(now) {
            for measure in &mut self.on {
                measures!(each measure, measure => measure.on_end(journey, end));
            }
        }
    }

    /// Results for the flow of this number.
    pub fn of(&self, flow: usize) -> MeasuredOutcome {
        let mut outcome = MeasuredOutcome::default();
        self.on.iter().for_each(|measure| outcome.add(measure, flow));
        outcome
    }

    /// The warm-up ends after all that happens at its last instant.
    fn measures_at(&self, now: Time) -> bool {
        now > self.warmup || self.warmup == Time::ZERO
    }
}
