//! Probes: time series of a run, written down as it goes and given as tables of columns.

use crate::nearest::unknown;
use crate::units::Duration;
use crate::value::Value;
use base::{Span, Time};
use net::{Direction, Flags, Header, Segment};
use schemars::JsonSchema;
use serde::Serialize;
use transport::tcp::{Phase, RateMeter, Snapshot};
use world::{CutCause, Note, Plan};

/// The names of the probes.
const NAMES: [&str; 3] = ["tcp", "cuts", "queue"];

/// Which probes are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// The state of TCP senders.
    pub tcp: bool,
    /// Window cuts and their causes.
    pub cuts: bool,
    /// Lengths of interface queues.
    pub queue: bool,
    /// At most one row a flow or queue in each step of this length; `None`: each change.
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
        self.tcp || self.cuts || self.queue
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
}

/// TCP senders after each change, or at the end of each step in which there was one. Names as in `ss -ti`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TcpTable {
    /// When, s.
    pub time_s: Vec<f64>,
    /// The flow's name.
    pub flow: Vec<String>,
    /// Congestion window, segments, without the inflation of fast recovery.
    pub snd_cwnd: Vec<f64>,
    /// Slow-start threshold, segments; null while nothing bounds it.
    pub ssthresh: Vec<Option<f64>>,
    /// Smoothed round-trip time, s; null before the first sample.
    pub srtt_s: Vec<Option<f64>>,
    /// Smallest round-trip time measured, s; null before the first sample.
    pub minrtt_s: Vec<Option<f64>>,
    /// Mean deviation of the round-trip time, s; null before the first sample.
    pub rttvar_s: Vec<Option<f64>>,
    /// Retransmission timeout, s, doublings included.
    pub rto_s: Vec<f64>,
    /// Oldest number not acknowledged; the SYN is 0, the first byte 1.
    pub snd_una: Vec<u64>,
    /// The number that is sent next.
    pub snd_nxt: Vec<u64>,
    /// Bytes from `snd_una` to `snd_nxt`.
    pub flight_bytes: Vec<u64>,
    /// Bytes in the network as far as the sender knows (RFC 6675's pipe); without SACK the same as `flight_bytes`.
    pub pipe_bytes: Vec<u64>,
    /// Bytes SACKed above `snd_una`.
    pub sacked_bytes: Vec<u64>,
    /// Last valid sample of the delivery rate (draft-cheng-iccrg-delivery-rate-estimation), bit/s of payload; null
    /// before it. Without SACK, what is acknowledged counts as delivered, and the
    /// repair of a loss gives no sample.
    pub delivery_rate_bps: Vec<Option<f64>>,
    /// Pacing rate, bit/s of payload; null where the flow is not paced.
    pub pacing_rate_bps: Vec<Option<f64>>,
    /// In fast recovery.
    pub in_recovery: Vec<bool>,
    /// "open", "recovery" (fast recovery) or "loss" (all is sent again: after a timeout, with Tahoe after any loss).
    pub state: Vec<&'static str>,
    /// The law's own state, such as BBR's; empty where it has only one.
    pub law_state: Vec<&'static str>,
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

/// Rows of (time, owner, value): the last value in each step, where it differs from that of the row before.
#[derive(Clone, Debug)]
struct Series<T> {
    step: u64,
    rows: Vec<(Time, u32, T)>,
    /// By owner.
    heads: Vec<Head<T>>,
}

/// The end of an owner's series.
#[derive(Clone, Copy, Debug)]
struct Head<T> {
    /// What this step has come to, and when.
    open: Option<(Time, T)>,
    /// The value of the last row.
    last: Option<T>,
}

impl<T: Copy + PartialEq> Series<T> {
    fn new(owners: usize, step: Option<Span>) -> Series<T> {
        let step = step.map_or(1, |step| step.0.max(1));
        Series { step, rows: Vec::new(), heads: vec![Head { open: None, last: None }; owners] }
    }

    fn note(&mut self, now: Time, owner: u32, value: T) {
        let Head { open, last } = &mut self.heads[owner as usize];
        if open.map(|open| open.1).or(*last) == Some(value) {
            return;
        }
        let over = open.filter(|(then, _)| then.0 / self.step != now.0 / self.step);
        if let Some((then, before)) = over.filter(|over| Some(over.1) != *last) {
            self.rows.push((then, owner, before));
            *last = Some(before);
        }
        *open = Some((now, value));
    }

    fn finish(mut self) -> Vec<(Time, u32, T)> {
        for (owner, Head { open, last }) in self.heads.into_iter().enumerate() {
            if let Some((then, value)) = open.filter(|open| last != Some(open.1)) {
                self.rows.push((then, owner as u32, value));
            }
        }
        self.rows.sort_by_key(|row| (row.0, row.1));
        self.rows
    }
}

/// Writes down what probes are told.
#[derive(Clone, Debug)]
pub struct Recorder {
    tcp: Option<Series<Snapshot>>,
    /// By flow, where `tcp` is on.
    rates: Vec<RateMeter>,
    cuts: Option<Vec<(Time, u32, CutCause)>>,
    queue: Option<Series<u32>>,
    /// By element of the air and station there: the number of its queue. Links come first.
    queue_of: Vec<Vec<u32>>,
}

impl Recorder {
    /// A recorder for a run of `plan`.
    pub fn new(probes: &Probes, plan: &Plan) -> Recorder {
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
            tcp: probes.tcp.then(|| Series::new(plan.flows.len(), probes.step)),
            rates: if probes.tcp {
                vec![RateMeter::default(); plan.flows.len()]
            } else {
                Vec::new()
            },
            cuts: probes.cuts.then(Vec::new),
            queue: probes.queue.then(|| Series::new(queues as usize, probes.step)),
            queue_of,
        }
    }

    /// The tables, with the names of flows and queues in the order of their numbers.
    pub fn tables(self, flows: &[String], queues: &[String]) -> ProbeTables {
        ProbeTables {
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

impl engine::Probe<Note> for Recorder {
    fn record(&mut self, now: Time, note: impl FnOnce() -> Note) {
        match note() {
            Note::Sent { flow, direction: Direction::Forward, header: Header::Tcp(segment) } => {
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

impl TcpTable {
    fn new(rows: &[(Time, u32, Snapshot)], flows: &[String]) -> TcpTable {
        fn column<T>(rows: &[(Time, u32, Snapshot)], of: impl Fn(&Snapshot) -> T) -> Vec<T> {
            rows.iter().map(|row| of(&row.2)).collect()
        }
        let bps = |s: &Snapshot, rate: Option<f64>| rate.map(|rate| rate * s.mss as f64 * 8.0);
        TcpTable {
            time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
            flow: rows.iter().map(|row| flows[row.1 as usize].clone()).collect(),
            snd_cwnd: column(rows, |s| s.cwnd),
            ssthresh: column(rows, |s| Some(s.ssthresh).filter(|s| s.is_finite())),
            srtt_s: column(rows, |s| s.srtt.map(Span::as_secs)),
            minrtt_s: column(rows, |s| s.min_rtt.map(Span::as_secs)),
            rttvar_s: column(rows, |s| s.rttvar.map(Span::as_secs)),
            rto_s: column(rows, |s| s.rto.as_secs()),
            snd_una: column(rows, |s| s.snd_una),
            snd_nxt: column(rows, |s| s.snd_nxt),
            flight_bytes: column(rows, |s| s.flight),
            pipe_bytes: column(rows, |s| s.pipe),
            sacked_bytes: column(rows, |s| s.sacked),
            delivery_rate_bps: column(rows, |s| bps(s, s.delivery_rate)),
            pacing_rate_bps: column(rows, |s| bps(s, s.pacing_rate)),
            in_recovery: column(rows, |s| s.in_recovery),
            state: column(rows, |s| match s.phase {
                Phase::Open => "open",
                Phase::Recovery => "recovery",
                Phase::Loss => "loss",
            }),
            law_state: column(rows, |s| s.law_state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_keeps_changes_only() {
        let mut series = Series::new(2, None);
        for (at, owner, value) in [(0, 0, 5), (1, 0, 5), (2, 1, 7), (3, 0, 6), (3, 0, 8), (9, 0, 8)]
        {
            series.note(Time(at), owner, value);
        }
        assert_eq!(series.finish(), [(Time(0), 0, 5), (Time(2), 1, 7), (Time(3), 0, 8)]);
    }

    #[test]
    fn a_step_gives_its_last_value() {
        let mut series = Series::new(1, Some(Span(10)));
        for (at, value) in [(1, 1), (2, 2), (9, 3), (10, 4), (35, 5), (36, 4), (41, 9)] {
            series.note(Time(at), 0, value);
        }
        let rows = series.finish();
        assert_eq!(rows, [(Time(9), 0, 3), (Time(10), 0, 4), (Time(41), 0, 9)]);
    }

    #[test]
    fn names_and_steps_are_checked() {
        let new = |name: &str, step| Probes::new(&[name.to_owned()], step);
        assert!(new("tcp", Some("10 ms")).is_ok_and(|p| p.tcp && p.step == Some(Span::millis(10))));
        assert!(new("tpc", None).is_err_and(|why| why.contains("tcp")));
        assert!(new("tcp", Some("10")).is_err_and(|why| why.contains("no unit")));
        assert!(new("tcp", Some("0 s")).is_err_and(|why| why.contains("at least 1 ns")));
    }
}
