//! Probes: time series of a run, written down as it goes and given as tables of columns.

mod flows;
mod journey;
mod packets;
mod series;
mod split;
mod tcp;

pub use flows::FlowTable;
pub use packets::PacketTable;
pub use tcp::TcpTable;

use crate::measures::{Measures, Taken};
use crate::nearest::unknown;
use crate::units::Duration;
use crate::value::Value;
use base::{Span, Time};
use flows::FlowSeries;
pub(crate) use journey::Journey;
use journey::{End, Journeys};
use net::{Direction, Flags, Header, Segment};
use packets::Row;
use schemars::JsonSchema;
use serde::Serialize;
use series::Series;
pub(crate) use split::{Part, Parts};
use transport::tcp::{RateMeter, Snapshot};
use world::{CutCause, Note, Plan};

/// The names of the probes.
const NAMES: [&str; 5] = ["tcp", "cuts", "queue", "flows", "packets"];

/// The step of `flows` where none is asked for.
const DEFAULT_STEP: Span = Span::secs(1);

/// A table of `flows` has at most so many rows.
const MOST_ROWS: u64 = 10_000_000;

/// Which probes are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// The state of TCP senders.
    pub tcp: bool,
    /// Window cuts and their causes.
    pub cuts: bool,
    /// Lengths of interface queues.
    pub queue: bool,
    /// Rates, losses and delays of flows, a row for each step.
    pub flows: bool,
    /// A row for each packet.
    pub packets: bool,
    /// At most one row a flow or queue in each step of this length; `None`: each change, and of `flows` each second.
    pub step: Option<Span>,
}

impl Probes {
    /// Probes by their names, `step` with its unit, such as "10 ms".
    ///
    /// # Errors
    /// What is wrong with a name or the step.
    pub fn new(names: &[String], step: Option<&str>) -> Result<Probes, String> {
        let mut probes = Probes { step: step.map(a_step).transpose()?, ..Probes::default() };
        for name in names {
            match name.as_str() {
                "tcp" => probes.tcp = true,
                "cuts" => probes.cuts = true,
                "queue" => probes.queue = true,
                "flows" => probes.flows = true,
                "packets" => probes.packets = true,
                other => return Err(unknown("probe", other, &NAMES)),
            }
        }
        Ok(probes)
    }

    /// The step in seconds, where there is one.
    pub fn step_s(&self) -> Option<f64> {
        self.step.map(Span::as_secs)
    }

    /// True where one is on.
    pub fn any(&self) -> bool {
        self.tcp || self.cuts || self.queue || self.flows || self.packets
    }

    /// What is wrong with them for a run of `plan`.
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub fn refuse(&self, plan: &Plan) -> Result<(), String> {
        let (step, rows) = (self.step_of_flows(), FlowSeries::rows(self.step_of_flows(), plan));
        if self.flows && rows > MOST_ROWS {
            let flows = plan.flows.len() as u64;
            let least = Span((plan.duration.0.saturating_mul(flows)).div_ceil(MOST_ROWS));
            return Err(format!(
                "probe flows: {rows} rows in steps of {} s; at most {MOST_ROWS}: a step of {} s or more",
                step.as_secs(),
                least.as_secs()
            ));
        }
        Ok(())
    }

    fn step_of_flows(&self) -> Span {
        self.step.unwrap_or(DEFAULT_STEP)
    }
}

fn a_step(text: &str) -> Result<Span, String> {
    let Duration(step) =
        Duration::from_text(text).map_err(|why| format!("probe interval: {why}"))?;
    let zero = step == Span::ZERO;
    if zero { Err("probe interval: it must be at least 1 ns".to_owned()) } else { Ok(step) }
}

/// The tables of the probes that were on, each a row for a place in all its columns. Warm-up included.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ProbeTables {
    /// The state of TCP senders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<TcpTable>,
    /// Window cuts and their causes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts: Option<CutTable>,
    /// Lengths of interface queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<QueueTable>,
    /// Rates, losses and delays of flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flows: Option<FlowTable>,
    /// Packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets: Option<PacketTable>,
}

/// Window cuts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CutTable {
    /// When, s.
    pub time_s: Vec<f64>,
    /// The flow's name.
    pub flow: Vec<String>,
    /// The cause, as in `window_cuts` of a flow.
    pub cause: Vec<&'static str>,
}

/// Interface queues as each packet comes (for stations of a cell also as each leaves).
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct QueueTable {
    /// When, s.
    pub time_s: Vec<f64>,
    /// The queue's name, as in `queues`.
    pub queue: Vec<String>,
    /// Packets waiting, without the one being sent.
    pub packets: Vec<u32>,
}

/// Writes down what probes are told.
#[derive(Clone, Debug)]
pub struct Recorder {
    probes: Probes,
    tcp: Option<Series<Snapshot>>,
    /// By flow, where `tcp` is on.
    rates: Vec<RateMeter>,
    cuts: Option<Vec<(Time, u32, CutCause)>>,
    queue: Option<Series<u32>>,
    /// By element of the air and station there: the number of its queue. Links come first.
    queue_of: Vec<Vec<u32>>,
    flows: Option<FlowSeries>,
    /// Packets on their way, where they are followed.
    journeys: Option<Journeys>,
    packets: Option<Vec<Row>>,
    taken: Taken,
}

impl Recorder {
    /// A recorder for a run of `plan`, which also takes what `measures` need.
    pub fn new(probes: &Probes, plan: &Plan, measures: Measures) -> Recorder {
        let taken = Taken::new(measures, plan);
        let mut queues = plan.links.len() as u32;
        let mut of_cell = Vec::new();
        for cell in &plan.cells {
            let first = queues;
            queues += cell.stations.len() as u32;
            of_cell.push(first..queues);
        }
        let elements = plan.air_map().elements;
        let queue_of = elements.iter().map(|cells| cells.iter().flat_map(|&i| of_cell[i].clone()));
        let queue_of = queue_of.map(Iterator::collect).collect();
        Recorder {
            probes: *probes,
            tcp: probes.tcp.then(|| Series::new(plan.flows.len(), probes.step)),
            rates: if probes.tcp {
                vec![RateMeter::default(); plan.flows.len()]
            } else {
                Vec::new()
            },
            cuts: probes.cuts.then(Vec::new),
            queue: probes.queue.then(|| Series::new(queues as usize, probes.step)),
            queue_of,
            flows: probes.flows.then(|| FlowSeries::new(probes.step_of_flows(), plan)),
            journeys: (probes.packets || taken.follows()).then(|| Journeys::new(plan)),
            packets: probes.packets.then(Vec::new),
            taken,
        }
    }

    /// True where a probe is on.
    pub fn has_tables(&self) -> bool {
        self.probes.any()
    }

    /// What the measures have taken.
    pub fn taken(&self) -> &Taken {
        &self.taken
    }

    /// Follows packets.
    fn follow(&mut self, now: Time, note: &Note) {
        if let Some(flows) = &mut self.flows {
            flows.on(now, note);
        }
        self.taken.on(now, note);
        let ended = self.journeys.as_mut().and_then(|journeys| journeys.on(now, note));
        let Some((journey, end)) = ended else { return };
        if let End::Delivered = end {
            self.taken.on_end(now, &journey);
        }
        if let Some(packets) = &mut self.packets {
            packets.push((journey, Some((now, end))));
        }
    }

    /// The tables, with the names of flows, queues and nodes in the order of their numbers.
    pub fn tables(self, flows: &[String], queues: &[String], nodes: &[String]) -> ProbeTables {
        let under_way = self.journeys.iter().flat_map(Journeys::under_way);
        let under_way: Vec<Row> = under_way.map(|journey| (*journey, None)).collect();
        let packets = self.packets.map(|mut rows| {
            rows.extend(under_way);
            PacketTable::new(rows, flows, nodes)
        });
        ProbeTables {
            packets,
            flows: self.flows.map(|series| series.table(flows)),
            tcp: self.tcp.map(|series| TcpTable::new(&series.finish(), flows)),
            cuts: self.cuts.map(|rows| CutTable {
                time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
                flow: rows.iter().map(|row| flows[row.1 as usize].clone()).collect(),
                cause: rows.iter().map(|row| row.2.name()).collect(),
            }),
            queue: self.queue.map(|series| {
                let rows = series.finish();
                QueueTable {
                    time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
                    queue: rows.iter().map(|row| queues[row.1 as usize].clone()).collect(),
                    packets: rows.iter().map(|row| row.2).collect(),
                }
            }),
        }
    }
}

/// One past the last number that a segment of data takes, its FIN included.
fn end_of(segment: &Segment) -> u64 {
    segment.seq + u64::from(segment.len) + u64::from(segment.flags.has(Flags::FIN))
}

impl engine::Watch<Note> for Recorder {
    fn see(&mut self, now: Time, note: &Note) {
        self.follow(now, note);
        match *note {
            Note::Sent {
                flow,
                direction: Direction::Forward,
                header: Header::Tcp(segment),
                ..
            } => {
                let end = end_of(&segment);
                if let Some(meter) = self.rates.get_mut(flow.index()).filter(|_| end > segment.seq)
                {
                    meter.on_send(now, end);
                }
            }
            Note::Tcp { flow, mut state } => {
                if let Some(tcp) = &mut self.tcp {
                    let seen = self.rates[flow.index()].on_ack(now, state.snd_una, state.min_rtt);
                    let seen = seen.map(|rate| rate / state.mss as f64);
                    state.delivery_rate = state.delivery_rate.or(seen);
                    tcp.note(now, flow.0, state);
                }
            }
            Note::WindowCut { flow, cause } => {
                if let Some(cuts) = &mut self.cuts {
                    cuts.push((now, flow.0, cause));
                }
            }
            Note::WireQueue { link, packets } => {
                if let Some(queue) = &mut self.queue {
                    queue.note(now, link.0, packets);
                }
            }
            Note::StationQueue { cell, station, packets } => {
                if let Some(queue) = &mut self.queue {
                    queue.note(now, self.queue_of[cell.index()][station.index()], packets);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_steps_are_checked() {
        let new = |name: &str, step| Probes::new(&[name.to_owned()], step);
        assert!(new("tcp", Some("10 ms")).is_ok_and(|p| p.tcp && p.step == Some(Span::millis(10))));
        assert!(new("tpc", None).is_err_and(|why| why.contains("tcp")));
        assert!(new("tcp", Some("10")).is_err_and(|why| why.contains("no unit")));
        assert!(new("tcp", Some("0 s")).is_err_and(|why| why.contains("at least 1 ns")));
    }
}
