//! Bandwidth requests in 802.16, with their success.

use crate::columns::{Name, columns};
use crate::frames_kept::FramesKept;
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use base::{Named, Span, Time};
use engine::Watch;
use wimax::{Request, Told};
use world::{Note, Plan};

columns! {
    /// Requests that 802.16 stations send in contention. With a step: in the frames that the probe `frames` has.
    pub struct RequestTable {
        /// Start of the opportunity, s.
        time_s: f64,
        /// Its duration, s.
        airtime_s: f64,
        /// The cell.
        cell: Name,
        /// The frame, counted from 0.
        frame: u64,
        /// "requests" (for bandwidth) or "ranging".
        region: &'static str,
        /// The opportunity of the region, from 0.
        opportunity: u32,
        /// Sender.
        station: Name,
        /// Number of senders in this opportunity; more than one are not heard.
        senders: u32,
    }
}

/// Follows requests in contention.
#[derive(Clone, Debug)]
pub struct RequestProbe {
    kept: FramesKept,
    /// Cell, frame and request.
    rows: Vec<(u32, u64, Request)>,
}

impl Watch<Note> for RequestProbe {
    fn see(&mut self, now: Time, note: &Note) {
        if let Some((cell, kept, Told::Asked(request))) = self.kept.see(now, note)
            && kept.is_on
        {
            self.rows.push((cell, kept.frame, request));
        }
    }
}

impl Tabulate for RequestProbe {
    type Table = RequestTable;
    const SEES: &'static [Kind] = &[Kind::Frames];

    fn start(plan: &Plan, step: Option<Span>) -> RequestProbe {
        RequestProbe { kept: FramesKept::new(plan, step), rows: Vec::new() }
    }

    fn table(self, close: &Close<'_>) -> RequestTable {
        let mut table = RequestTable::default();
        for (cell, frame, request) in &self.rows {
            let cell = &self.kept.cells()[*cell as usize];
            table.time_s.push(request.time.0.as_secs());
            table.airtime_s.push(request.time.1.since(request.time.0).as_secs());
            table.cell.push(cell.name.clone());
            table.frame.push(*frame);
            table.region.push(request.what.name());
            table.opportunity.push(request.opportunity);
            let node = cell.nodes[request.station.index()];
            table.station.push(close.nodes[node.index()].clone());
            table.senders.push(request.senders.0);
        }
        table
    }
}
