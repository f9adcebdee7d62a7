//! Times between the arrivals of a flow's packets.

use crate::kinds::Kind;
use crate::measure::Measure;
use apps::{AppConfig, Playout};
use base::{Time, outcome};
use net::Direction;
use serde::Serialize;
use world::{InterarrivalOutcome, Note, Plan};

outcome! {
    /// Results of a flow without playout: one with playout has them without being asked.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct InterarrivalOf {
        /// Times between arrivals, s; null before the third arrival.
        interarrival_s: Option<InterarrivalOutcome> = "interarrival time";
    }
}

/// Interarrival times of each flow's packets.
#[derive(Clone, Debug)]
pub struct Interarrival {
    /// By flow.
    arrivals: Vec<Playout>,
    /// By flow: it is played.
    played: Vec<bool>,
    /// True from the first arrival in the measured time on.
    measuring: bool,
}

impl Measure for Interarrival {
    type Of = InterarrivalOf;
    const SEES: &'static [Kind] = &[Kind::Delivered];

    fn start(plan: &Plan) -> Interarrival {
        let is_played = |app: &AppConfig| matches!(app, AppConfig::Datagrams(config) if config.playout.is_some());
        Interarrival {
            arrivals: vec![Playout::default(); plan.flows.len()],
            played: plan.flows.iter().map(|flow| is_played(&flow.app)).collect(),
            measuring: false,
        }
    }

    fn see(&mut self, now: Time, note: &Note, measured: bool) {
        if let &Note::Delivered { flow, direction: Direction::Forward, born, .. } = note {
            // As of flows that are played: a time between arrivals counts, whole, when it ends in the measured time.
            if measured && !self.measuring {
                self.measuring = true;
                self.arrivals.iter_mut().for_each(Playout::begin_measurement);
            }
            self.arrivals[flow.index()].on_datagram(now, born, 0);
        }
    }

    fn of(&self, flow: usize) -> Option<InterarrivalOf> {
        let interarrival_s = InterarrivalOutcome::new(&self.arrivals[flow]);
        (!self.played[flow]).then_some(InterarrivalOf { interarrival_s })
    }
}
