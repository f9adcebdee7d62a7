//! Rates, losses and delays of flows, step by step.

use crate::columns::{Name, columns};
use crate::header::{is_again, payload};
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use base::{Span, Time};
use engine::Watch;
use net::Direction;
use transport::udp::Jitter;
use world::{Note, Plan};

columns! {
    /// A row for each step of each flow from its start, those in which nothing happened included.
    pub struct FlowTable {
        /// End of the step, s: a multiple of its length, or the end of the run.
        time_s: f64,
        /// The flow's name.
        flow: Name,
        /// Data packets handed to the network.
        packets_sent: u64,
        /// Their network-layer bytes.
        bytes_sent: u64,
        /// Payload that was sent for the first time, bytes.
        payload_bytes_sent: u64,
        /// TCP retransmissions among the packets.
        retransmits: u64,
        /// Data packets that reached the sink.
        packets_delivered: u64,
        /// Data packets lost.
        packets_lost: u64,
        /// Network-layer bits that reached the sink, a second.
        throughput_bps: f64,
        /// Application bits that the sink got for the first time, a second.
        goodput_bps: f64,
        /// Lost of those lost or delivered; null where there were none.
        loss: Option<f64>,
        /// Mean one-way delay of what was delivered, s; null where there was none.
        delay_mean_s: Option<f64>,
        /// Largest, s.
        delay_max_s: Option<f64>,
        /// Mean time since the packet before, s; null where none was delivered.
        interarrival_mean_s: Option<f64>,
        /// Its standard deviation, s; null where fewer than two were delivered.
        interarrival_std_s: Option<f64>,
        /// RFC 3550 jitter at the end of the step, s.
        jitter_s: f64,
    }
}

/// The step where none is asked for.
const DEFAULT_STEP: Span = Span::secs(1);

/// Most rows of a table.
const MOST_ROWS: u64 = 10_000_000;

/// Sums of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
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

impl Interval {
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
    step: Interval,
    last_arrival: Option<Time>,
    jitter: Jitter,
}

/// FlowProbe step by step.
#[derive(Clone, Debug)]
pub struct FlowProbe {
    step: u64,
    end: Time,
    flows: Vec<Running>,
    rows: Vec<(u64, u32, Interval)>,
}

impl Watch<Note> for FlowProbe {
    fn see(&mut self, now: Time, note: &Note) {
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
}

impl FlowProbe {
    /// A flow in the step of `now`.
    fn at(&mut self, now: Time, flow: u32) -> &mut Running {
        let number = step_of(now, self.step);
        let running = &mut self.flows[flow as usize];
        while running.number < number {
            self.rows.push((running.number, flow, running.step));
            running.step = Interval { jitter_s: running.step.jitter_s, ..Interval::default() };
            running.number += 1;
        }
        running
    }
}

impl Tabulate for FlowProbe {
    type Table = FlowTable;
    const SEES: &'static [Kind] = &[Kind::Delivered, Kind::Dropped, Kind::Fresh, Kind::Sent];

    fn refuse(plan: &Plan, step: Option<Span>) -> Result<(), String> {
        let (step, flows) = (step.unwrap_or(DEFAULT_STEP), plan.flows.len() as u64);
        let rows = plan.duration.0.div_ceil(step.0.max(1)).saturating_mul(flows);
        if rows > MOST_ROWS {
            let least = Span((plan.duration.0.saturating_mul(flows)).div_ceil(MOST_ROWS));
            return Err(format!(
                "probe flows: {rows} rows in steps of {} s; at most {MOST_ROWS}: a step of {} s or more",
                step.as_secs(),
                least.as_secs()
            ));
        }
        Ok(())
    }

    fn start(plan: &Plan, step: Option<Span>) -> FlowProbe {
        let step = step.unwrap_or(DEFAULT_STEP).0.max(1);
        let begin = |start: Time| Running { number: step_of(start, step), ..Running::default() };
        let flows = plan.flows.iter().map(|flow| begin(flow.start)).collect();
        FlowProbe { step, end: Time::ZERO + plan.duration, flows, rows: Vec::new() }
    }

    fn table(mut self, close: &Close<'_>) -> FlowTable {
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
            table.add((Time(until), &close.flows[flow as usize]), length, &step);
        }
        table
    }
}

impl FlowTable {
    fn add(&mut self, (until, flow): (Time, &Name), length: Span, step: &Interval) {
        let rate = |bytes: u64| bytes as f64 * 8.0 / length.as_secs();
        let decided = step.lost + step.delivered;
        let (gaps, gap, squares) = step.gaps;
        let some = (step.delivered > 0).then_some(());
        self.time_s.push(until.as_secs());
        self.flow.push(flow.clone());
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
        let mut step = Interval::default();
        for gap in [2, 4, 4, 4, 5, 5, 7, 9] {
            step.gap(Span::secs(gap));
        }
        assert_eq!(step.gaps.1, 5.0);
        assert!((step.gaps.2 - 32.0).abs() < 1e-12);
    }
}
