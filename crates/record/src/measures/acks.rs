//! Acknowledgements: what they wait for on their way back, and how they come.

use crate::journey::{End, Journey};
use crate::kinds::Kind;
use crate::measure::Measure;
use apps::Playout;
use base::{DelayHistogram, DelayOutcome, Span, Time, outcome};
use net::Direction;
use serde::Serialize;
use world::{InterarrivalOutcome, Note, Plan};

outcome! {
    /// Results of a flow.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct AcksOf {
        /// One-way delay of acknowledgements, s; null where none arrived.
        ack_delay_s: Option<DelayOutcome> = "delay of acknowledgements";
        /// Its mean by what they waited for; null where none arrived.
        ack_wait_s: Option<AckWaits> = "wait of acknowledgements";
        /// Times between the arrivals of acknowledgements, s; null before the third.
        ack_spacing_s: Option<InterarrivalOutcome> = "spacing of acknowledgements";
    }

    /// The mean delay of acknowledgements by what they waited for, s; the parts add up.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct AckWaits {
        /// All of it: that of `ack_delay_s`.
        mean: f64;
        /// Until an 802.16 base station knew of them: requests, their backoff and T16; nothing in a downlink.
        request: f64;
        /// From then to their first symbol: until they were granted, and their burst came.
        grant: f64;
        /// To their last symbol.
        transmission: f64;
        /// Everywhere else: wires, 802.11, queues before them.
        elsewhere: f64;
    }
}

/// The acknowledgements of a flow, added up.
#[derive(Clone, Debug, Default)]
struct Acknowledged {
    delay: DelayHistogram,
    request: Span,
    grant: Span,
    transmission: Span,
    arrivals: Playout,
}

/// Those of all flows.
#[derive(Clone, Debug)]
pub struct Acks {
    flows: Vec<Acknowledged>,
    /// True from the first arrival in the measured time on.
    measuring: bool,
}

impl Measure for Acks {
    type Of = AcksOf;
    const SEES: &'static [Kind] = &[Kind::Delivered];
    const FOLLOWS: bool = true;

    fn start(plan: &Plan) -> Acks {
        Acks { flows: vec![Acknowledged::default(); plan.flows.len()], measuring: false }
    }

    fn see(&mut self, now: Time, note: &Note, measured: bool) {
        if let &Note::Delivered { flow, direction: Direction::Reverse, born, .. } = note {
            if measured && !self.measuring {
                self.measuring = true;
                self.flows.iter_mut().for_each(|flow| flow.arrivals.begin_measurement());
            }
            self.flows[flow.index()].arrivals.on_datagram(now, born, 0);
        }
    }

    fn on_end(&mut self, journey: &Journey, end: End) {
        if let End::Delivered = end
            && !journey.is_data()
        {
            let flow = &mut self.flows[journey.flow.index()];
            flow.delay.record(Span(journey.clock.parts.iter().sum()));
            flow.request += journey.waits.request;
            flow.grant += journey.waits.grant;
            flow.transmission += journey.waits.transmission;
        }
    }

    fn of(&self, flow: usize) -> Option<AcksOf> {
        let flow = &self.flows[flow];
        let ack_delay_s = DelayOutcome::of(&flow.delay);
        let part = |sum: Span| sum.as_secs() / flow.delay.count() as f64;
        let ack_wait_s = ack_delay_s.map(|delay| {
            let (request, grant) = (part(flow.request), part(flow.grant));
            let transmission = part(flow.transmission);
            let elsewhere = (delay.mean - request - grant - transmission).max(0.0);
            AckWaits { mean: delay.mean, request, grant, transmission, elsewhere }
        });
        let ack_spacing_s = InterarrivalOutcome::new(&flow.arrivals);
        Some(AcksOf { ack_delay_s, ack_wait_s, ack_spacing_s })
    }
}
