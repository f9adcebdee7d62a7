//! The frames of 802.11 and what became of each.

use crate::columns::columns;
use crate::on_air::{OnAir, Settled, step_of};
use crate::probe::{Close, Tabulate};
use base::{Span, Time};
use engine::Watch;
use wifi::FrameKind as Kind;
use world::{Note, Plan};

columns! {
    /// The frames of 802.11 in the order in which they begin. With a step: the first 64 of each step
    /// of every air.
    pub struct AirTable {
        /// When it begins, preamble included, s.
        time_s: f64,
        /// How long it is on the air, s.
        airtime_s: f64,
        /// Its sender's cell.
        cell: String,
        /// Who sends it.
        station: String,
        /// Whom it addresses; null of a frame for all.
        to: Option<String>,
        /// "data", "management", "rts", "cts" or "ack".
        kind: &'static str,
        /// "answered", "overlapped" (no answer, and another frame was on the air), "unanswered" (no answer, alone on the air)
        /// or "none_due".
        fate: &'static str,
        /// It has been sent before.
        retry: bool,
        /// MPDU with FCS.
        bytes: u32,
        /// Of the MPDU, bit/s.
        rate_bps: u64,
        /// On which air it is: cells of the same number are on the air together.
        air: u32,
        /// Its number among all frames of its air, from 0: gaps show what a step leaves out.
        number: u64,
    }
}

/// With a step, so many frames of each are written down: some exchanges, one after the other.
const BURST: u64 = 64;

/// Writes frames down.
#[derive(Clone, Debug)]
pub struct AirProbe {
    air: OnAir,
    step: Option<Span>,
    cells: Vec<String>,
    /// By element: the present step, frames begun in it, frames in all.
    counts: Vec<(u64, u64, u64)>,
    /// By element and station: the number of its last frame, where that is written down.
    chosen: Vec<Vec<Option<u64>>>,
    rows: Vec<(Settled, u64)>,
}

impl AirProbe {
    /// Whether a frame that begins now is written down, and its number.
    fn choose(&mut self, element: usize, start: Time) -> Option<u64> {
        let (step, begun, number) = &mut self.counts[element];
        let present = self.step.map_or(0, |each| step_of(start, each));
        if present != *step {
            (*step, *begun) = (present, 0);
        }
        *begun += 1;
        *number += 1;
        (self.step.is_none() || *begun <= BURST).then_some(*number - 1)
    }
}

impl Watch<Note> for AirProbe {
    fn see(&mut self, _now: Time, note: &Note) {
        let settled = self.air.see(note);
        let Note::FrameSent { cell, frame, .. } = note else { return };
        let (element, station) = (cell.index(), frame.from.index());
        let number = self.choose(element, frame.start);
        let before = std::mem::replace(&mut self.chosen[element][station], number);
        self.rows.extend(settled.zip(before));
    }
}

impl Tabulate for AirProbe {
    type Table = AirTable;

    fn start(plan: &Plan, step: Option<Span>) -> AirProbe {
        let air = OnAir::new(plan);
        AirProbe {
            step,
            cells: plan.cells.iter().map(|cell| cell.name.clone()).collect(),
            counts: vec![(0, 0, 0); air.whose.len()],
            chosen: air.whose.iter().map(|stations| vec![None; stations.len()]).collect(),
            rows: Vec::new(),
            air,
        }
    }

    fn table(mut self, close: &Close<'_>) -> AirTable {
        let chosen = |last: &Settled| self.chosen[last.element as usize][last.frame.from.index()];
        let rest = self.air.rest().filter_map(|last| Some((last, chosen(&last)?)));
        self.rows.extend(rest.collect::<Vec<_>>());
        self.rows.sort_by_key(|(row, number)| (row.frame.start, row.element, *number));
        let mut table = AirTable::default();
        for (row, number) in &self.rows {
            let (frame, whose) = (&row.frame, &self.air.whose[row.element as usize]);
            let node = |at: usize| close.nodes[whose[at].1.index()].clone();
            let is_for_all = frame.kind == Kind::Group;
            table.time_s.push(frame.start.as_secs());
            table.airtime_s.push(frame.airtime.as_secs());
            table.cell.push(self.cells[whose[frame.from.index()].0 as usize].clone());
            table.station.push(node(frame.from.index()));
            table.to.push((!is_for_all).then(|| node(frame.to.index())));
            table.kind.push(match frame.kind {
                Kind::Data | Kind::Group if frame.management.is_some() => "management",
                Kind::Data | Kind::Group => "data",
                Kind::Rts => "rts",
                Kind::Cts => "cts",
                Kind::Ack => "ack",
            });
            table.fate.push(row.fate.name());
            table.retry.push(frame.retry);
            table.bytes.push(frame.bytes);
            table.rate_bps.push(frame.rate.0);
            table.air.push(row.element);
            table.number.push(*number);
        }
        table
    }
}
