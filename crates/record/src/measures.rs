//! The measures that a scenario asks for because they cost time: a file and a line in the registry for each.

pub use reachable::ReachableOf;

use crate::journey::{End, Journey};
use crate::measure::Measure;
use base::{Time, named};
use schemars::JsonSchema;
use serde::Serialize;
use world::{Note, Plan};

macro_rules! measures {
    ($($module:ident::$measure:ident = $name:literal: $idea:literal;)+) => {
        $(mod $module;)+
        $(use $module::$measure;)+

        named! {
            /// A measure that costs time.
            pub enum MeasureName, "measure" { $($measure = $name: $idea,)+ }
        }

        /// What measures say of a flow.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
        pub struct MeasuredOutcome {
            $(#[doc = $idea]
            #[serde(flatten)]
            pub $module: Option<<$measure as Measure>::Of>,)+
        }

        /// What the measures of a run take down.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct ActiveMeasures {
            /// What happens up to then does not count.
            warmup: Time,
            $($module: Option<$measure>,)+
        }

        impl MeasureName {
            /// Whether it is told of the ends of packets' journeys.
            pub(crate) fn follows(self) -> bool {
                match self { $(MeasureName::$measure => $measure::FOLLOWS,)+ }
            }
        }

        impl ActiveMeasures {
            /// Nothing yet, in a run of `plan`.
            pub fn start(names: &[MeasureName], plan: &Plan) -> ActiveMeasures {
                let is_on = |name| names.contains(&name);
                ActiveMeasures {
                    warmup: Time::ZERO + plan.warmup,
                    $($module: is_on(MeasureName::$measure).then(|| $measure::start(plan)),)+
                }
            }

            /// Something has happened.
            pub fn see(&mut self, now: Time, note: &Note) {
                let measured = self.measures_at(now);
                $(if let Some(measure) = &mut self.$module { measure.see(now, note, measured); })+
            }

            /// A packet has come to its end.
            pub fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
                if self.measures_at(now) {
                    $(if let Some(measure) = &mut self.$module { measure.on_end(journey, end); })+
                }
            }

            /// What they say of the flow of this number.
            pub fn of(&self, flow: usize) -> MeasuredOutcome {
                MeasuredOutcome { $($module: self.$module.as_ref().and_then(|measure| measure.of(flow)),)+ }
            }
        }
    };
}

measures! {
    delay_split::DelaySplit = "delay_split": "the delay of each flow by its causes: queueing, access, retries, transmission, wire, handoff";
    acks::Acks = "acks": "the acknowledgements of each flow: their delay, the part of it that requests and grants of an 802.16 uplink take, and the times between arrivals";
    reachable::Reachable = "efficiency": "the goodput divided by that of a second run in which radio losses are filtered out and their timing kept";
    interarrival::Interarrival = "interarrival": "the times between packet arrivals of flows that report none otherwise (TCP, saturated)";
}

impl ActiveMeasures {
    /// The warm-up ends after all that happens at its last instant.
    fn measures_at(&self, now: Time) -> bool {
        now > self.warmup || self.warmup == Time::ZERO
    }
}
