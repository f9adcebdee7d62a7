//! The frames of 802.11 and of shared LANs, and what became of each.

use crate::columns::{Name, columns};
use crate::kinds::Kind;
use crate::on_air::{Settled, Stations, step_of};
use crate::probe::{Close, Tabulate};
use base::{Named, Span, StationId, Time};
use engine::Watch;
use wifi::SentMpdu;
use world::{Note, Plan};

columns! {
    /// The frames of 802.11 and of shared LANs in the order in which they begin. With a step: the first 64 of each step
    /// of every air.
    pub struct AirTable {
        /// Start, preamble included, s.
        time_s: f64,
        /// Time on the air, s.
        airtime_s: f64,
        /// Its sender's cell or LAN.
        cell: Name,
        /// Sender.
        station: Name,
        /// Addressee; null for a group frame.
        to: Option<Name>,
        /// "data", "management", "rts", "cts", "ack", "block_ack", "block_ack_request" or "cf_end".
        kind: &'static str,
        /// "answered", "overlapped" (no answer, and another frame was on the air), "unanswered" (no answer, alone on the air)
        /// or "none_due". On a LAN: "none_due" (it came through) or "overlapped" (it collided).
        fate: &'static str,
        /// True if it has been sent before.
        retry: bool,
        /// MPDU with FCS, or the whole A-MPDU; the frame of a LAN, without its preamble.
        bytes: u32,
        /// Rate of these, bit/s.
        rate_bps: u64,
        /// Number of the air: cells of the same number are on the air together.
        air: u32,
        /// Its number among all frames of its air, from 0: gaps show what a step leaves out.
        number: u64,
        /// After a collision on a LAN: for how long its sender keeps silent, s; else null.
        backoff_s: Option<f64>,
        /// Access category whose exchange it is part of; null in cells without.
        category: Option<&'static str>,
        /// In such cells, of data: number of MPDUs.
        mpdus: Option<u32>,
        /// MPDUs among these that their receiver did not decode.
        mpdus_lost: Option<u32>,
        /// These MPDUs in their order, runs of equal ones: "12x1538+ 1x1538-" are 12 of 1538 bytes that came and one that was
        /// lost; "r" before the sign: sent before.
        mpdu_runs: Option<String>,
    }
}

/// Equal MPDUs, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    count: u32,
    bytes: u32,
    retry: bool,
    lost: bool,
}

/// The MPDUs of a frame.
#[derive(Clone, Debug, Default)]
struct Runs(Vec<Run>);

impl Runs {
    fn add(&mut self, mpdu: &SentMpdu) {
        let next = Run { count: 1, bytes: mpdu.bytes, retry: mpdu.retry, lost: mpdu.lost };
        match self.0.last_mut() {
            Some(last) if *last == (Run { count: last.count, ..next }) => last.count += 1,
            _ => self.0.push(next),
        }
    }

    /// The number of the chosen MPDUs; `None` where the frame has no MPDUs.
    fn count(&self, mut chosen: impl FnMut(&Run) -> bool) -> Option<u32> {
        let counts = self.0.iter().filter(|run| chosen(run)).map(|run| run.count);
        (!self.0.is_empty()).then(|| counts.sum())
    }

    fn text(&self) -> Option<String> {
        let text = |run: &Run| {
            let (again, sign) =
                (if run.retry { "r" } else { "" }, if run.lost { "-" } else { "+" });
            format!("{}x{}{again}{sign}", run.count, run.bytes)
        };
        (!self.0.is_empty()).then(|| self.0.iter().map(text).collect::<Vec<_>>().join(" "))
    }
}

/// With a step, number of frames recorded in each: some exchanges, one after the other.
const BURST: u64 = 64;

/// A frame that is written down: what became of it, its number, its MPDUs.
type Row = (Settled, u64, Runs);

/// A frame of a station that is written down and not yet settled.
#[derive(Clone, Debug)]
struct Chosen {
    number: u64,
    /// Its place among the rows.
    place: usize,
    mpdus: Runs,
}

/// Writes frames down.
#[derive(Clone, Debug)]
pub struct AirProbe {
    stations: Stations,
    step: Option<Span>,
    /// By element: the present step, frames begun in it, frames in all.
    counts: Vec<(u64, u64, u64)>,
    /// By element and station: its last frame, where that is written down.
    chosen: Vec<Vec<Option<Chosen>>>,
    /// In the order in which frames are reported, which is nearly that in which they begin; `None`: not yet settled.
    rows: Vec<Option<Row>>,
}

impl AirProbe {
    /// Decides whether a frame that begins now is written down.
    fn choose(&mut self, element: usize, start: Time) -> Option<Chosen> {
        let (step, begun, number) = &mut self.counts[element];
        let present = self.step.map_or(0, |each| step_of(start, each));
        if present != *step {
            (*step, *begun) = (present, 0);
        }
        *begun += 1;
        *number += 1;
        if self.step.is_some() && *begun > BURST {
            return None;
        }
        self.rows.push(None);
        let place = self.rows.len() - 1;
        Some(Chosen { number: *number - 1, place, mpdus: Runs::default() })
    }
}

impl Watch<Note> for AirProbe {
    fn see(&mut self, _now: Time, note: &Note) {
        match note {
            Note::FrameSent { cell, frame, .. } => {
                let (element, station) = (cell.index(), frame.from.index());
                self.chosen[element][station] = self.choose(element, frame.start);
            }
            Note::MpduSent { cell, mpdu } => {
                if let Some(chosen) = &mut self.chosen[cell.index()][mpdu.from.index()] {
                    chosen.mpdus.add(mpdu);
                }
            }
            _ => {}
        }
    }
}

impl Tabulate for AirProbe {
    type Table = AirTable;
    const SEES: &'static [Kind] = &[Kind::FrameSent, Kind::MpduSent];
    const SETTLES: bool = true;

    fn start(plan: &Plan, step: Option<Span>) -> AirProbe {
        let stations = Stations::new(plan);
        AirProbe {
            step,
            counts: vec![(0, 0, 0); stations.whose.len()],
            chosen: stations.each(&None),
            rows: Vec::new(),
            stations,
        }
    }

    fn on_settled(&mut self, settled: &Settled) {
        let element = settled.element as usize;
        let chosen = if settled.at_once {
            self.choose(element, settled.start)
        } else {
            self.chosen[element][settled.from.index()].take()
        };
        if let Some(Chosen { number, place, mpdus }) = chosen {
            self.rows[place] = Some((*settled, number, mpdus));
        }
    }

    fn table(self, close: &Close<'_>) -> AirTable {
        let mut rows: Vec<Row> = self.rows.into_iter().flatten().collect();
        rows.sort_by_key(|(row, number, _)| (row.start, row.element, *number));
        let mut table = AirTable::default();
        for (row, number, runs) in &rows {
            let whose = &self.stations.whose[row.element as usize];
            let node = |at: StationId| close.nodes[whose[at.index()].1.index()].clone();
            table.time_s.push(row.start.as_secs());
            table.airtime_s.push(row.airtime.as_secs());
            table.cell.push(self.stations.names[whose[row.from.index()].0 as usize].clone());
            table.station.push(node(row.from));
            table.to.push(row.to.map(node));
            table.kind.push(row.kind);
            table.fate.push(row.fate.name());
            table.retry.push(row.retry);
            table.bytes.push(row.bytes);
            table.rate_bps.push(row.rate.0);
            table.air.push(row.element);
            table.number.push(*number);
            table.backoff_s.push(row.backoff.map(Span::as_secs));
            table.category.push(row.category.map(Named::name));
            table.mpdus.push(runs.count(|_| true));
            table.mpdus_lost.push(runs.count(|run| run.lost));
            table.mpdu_runs.push(runs.text());
        }
        table
    }
}
