//! Rates, losses and delays of flows, step by step.

use super::packets::{is_again, payload};
use base::{Span, Time};
use net::Direction;
use schemars::JsonSchema;
use serde::Serialize;
use transport::udp::Jitter;
use world::{Note, Plan};

/// A row for each step of each flow from its start, those in which nothing happened included.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FlowTable {
    /// End of the step, s: a multiple of its length, or the end of the run.
    pub time_s: Vec<f64>,
    /// The flow's name.
    pub flow: Vec<String>,
    /// Data packets handed to the network.
    pub packets_sent: Vec<u64>,
    /// Their network-layer bytes.
    pub bytes_sent: Vec<u64>,
    /// Payload that was sent for the first time, bytes.
    pub payload_bytes_sent: Vec<u64>,
    /// Of the packets, TCP retransmissions.
    pub retransmits: Vec<u64>,
    /// Data packets that reached the sink.
    pub packets_delivered: Vec<u64>,
    /// Data packets lost.
    pub packets_lost: Vec<u64>,
    /// Network-layer bits that reached the sink, a second.
    pub throughput_bps: Vec<f64>,
    /// Application bits that the sink got for the first time, a second.
    pub goodput_bps: Vec<f64>,
    /// Lost of those lost or delivered; null where there were none.
    pub loss: Vec<Option<f64>>,
    /// Mean one-way delay of what was delivered, s; null where there was none.
    pub delay_mean_s: Vec<Option<f64>>,
    /// Largest, s.
    pub delay_max_s: Vec<Option<f64>>,
    /// Mean time since the packet before, s; null where none was delivered.
    pub interarrival_mean_s: Vec<Option<f64>>,
    /// Its standard deviation, s; null where fewer than two were delivered.
    pub interarrival_std_s: Vec<Option<f64>>,
    /// RFC 3550 jitter at the end of the step, s.
    pub jitter_s: Vec<f64>,
}

/// What a step has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    sent: u64,
    sent_bytes: u64,
    payload: u64,
    again: u64,
    delivered: u64,
    delivered_bytes: u64,
    fresh_bytes: u64,
    lost: u64,
    delay: Span,
    delay_max: Span,
    /// Gaps between arrivals: their number, mean and sum of squares about it (Welford 1962), s.
    gaps: (u64, f64, f64),
    jitter_s: f64,
}

/// A step takes what happens at its end and not what happens at its beginning, as the measured time does.
fn step_of(now: Time, step: u64) -> u64 {
    now.0.saturating_sub(1) / step
}

impl Step {
    fn gap(&mut self, gap: Span) {
        let (n, mean, squares) = &mut self.gaps;
        *n += 1;
        let off = gap.as_secs() - *mean;
        *mean += off / *n as f64;
        *squares += off * (gap.as_secs() - *mean);
    }
}

/// A flow as far as it has come.
#[derive(Clone, Debug, Default)]
struct Running {
    /// The number of the step at work.
    number: u64,
    step: Step,
    last_arrival: Option<Time>,
    jitter: Jitter,
}

/// Flows step by step.
#[derive(Clone, Debug)]
pub struct FlowSeries {
    step: u64,
    end: Time,
    flows: Vec<Running>,
    rows: Vec<(u64, u32, Step)>,
}

impl FlowSeries {
    /// Of a run of `plan`, in steps of this length.
    pub fn new(step: Span, plan: &Plan) -> FlowSeries {
        let step = step.0.max(1);
        let begin = |start: Time| Running { number: step_of(start, step), ..Running::default() };
        let flows = plan.flows.iter().map(|flow| begin(flow.start)).collect();
        FlowSeries { step, end: Time::ZERO + plan.duration, flows, rows: Vec::new() }
    }

    /// How many rows a run of `plan` gives.
    pub fn rows(step: Span, plan: &Plan) -> u64 {
        plan.duration.0.div_ceil(step.0.max(1)).saturating_mul(plan.flows.len() as u64)
    }

    /// A packet or its bytes.
    pub fn on(&mut self, now: Time, note: &Note) {
        match note {
            Note::Sent { flow, direction: Direction::Forward, bytes, header, .. } => {
                let step = &mut self.at(now, flow.0).step;
                step.sent += 1;
                step.sent_bytes += u64::from(*bytes);
                let again = is_again(header);
                step.again += u64::from(again);
                step.payload += if again { 0 } else { u64::from(payload(header)) };
            }
            Note::Fresh { flow, bytes } => self.at(now, flow.0).step.fresh_bytes += bytes,
            Note::Dropped { flow, direction: Direction::Forward, .. } => {
                self.at(now, flow.0).step.lost += 1;
            }
            &Note::Delivered { flow, direction: Direction::Forward, bytes, born, .. } => {
                let running = self.at(now, flow.0);
                let (step, delay) = (&mut running.step, now.since(born));
                step.delivered += 1;
                step.delivered_bytes += u64::from(bytes);
                step.delay = Span(step.delay.0 + delay.0);
                step.delay_max = step.delay_max.max(delay);
                running.jitter.record(born, now);
                step.jitter_s = running.jitter.seconds();
                if let Some(last) = running.last_arrival.replace(now) {
                    step.gap(now.since(last));
                }
            }
            _ => {}
        }
    }

    /// A flow in the step of `now`.
    fn at(&mut self, now: Time, flow: u32) -> &mut Running {
        let number = step_of(now, self.step);
        let running = &mut self.flows[flow as usize];
        while running.number < number {
            self.rows.push((running.number, flow, running.step));
            running.step = Step { jitter_s: running.step.jitter_s, ..Step::default() };
            running.number += 1;
        }
        running
    }

    /// The table, with the names of flows in the order of their numbers.
    pub fn table(mut self, names: &[String]) -> FlowTable {
        for flow in 0..self.flows.len() as u32 {
            let last = self.at(self.end, flow);
            let row = (last.number, flow, last.step);
            if row.0 * self.step < self.end.0 {
                self.rows.push(row);
            }
        }
        self.rows.sort_by_key(|row| (row.0, row.1));
        let mut table = FlowTable::default();
        for (number, flow, step) in self.rows {
            let from = number * self.step;
            let until = from.saturating_add(self.step).min(self.end.0);
            let length = Span(until - from);
            table.add((Time(until), &names[flow as usize]), length, &step);
        }
        table
    }
}

impl FlowTable {
    fn add(&mut self, (until, flow): (Time, &str), length: Span, step: &Step) {
        let rate = |bytes: u64| bytes as f64 * 8.0 / length.as_secs();
        let decided = step.lost + step.delivered;
        let (gaps, gap, squares) = step.gaps;
        let some = (step.delivered > 0).then_some(());
        self.time_s.push(until.as_secs());
        self.flow.push(flow.to_owned());
        self.packets_sent.push(step.sent);
        self.bytes_sent.push(step.sent_bytes);
        self.payload_bytes_sent.push(step.payload);
        self.retransmits.push(step.again);
        self.packets_delivered.push(step.delivered);
        self.packets_lost.push(step.lost);
        self.throughput_bps.push(rate(step.delivered_bytes));
        self.goodput_bps.push(rate(step.fresh_bytes));
        self.loss.push((decided > 0).then(|| step.lost as f64 / decided as f64));
        self.delay_mean_s.push(some.map(|()| step.delay.as_secs() / step.delivered as f64));
        self.delay_max_s.push(some.map(|()| step.delay_max.as_secs()));
        self.interarrival_mean_s.push((gaps > 0).then_some(gap));
        self.interarrival_std_s.push((gaps > 1).then(|| libm::sqrt(squares / (gaps - 1) as f64)));
        self.jitter_s.push(step.jitter_s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_gaps_is_that_of_a_sample() {
        let mut step = Step::default();
        for gap in [2, 4, 4, 4, 5, 5, 7, 9] {
            step.gap(Span::secs(gap));
        }
        assert_eq!(step.gaps.1, 5.0);
        assert!((step.gaps.2 - 32.0).abs() < 1e-12);
    }
}
