//! What 802.16 frames are made of.

use crate::columns::columns;
use crate::probe::{Close, Tabulate};
use base::{Named, NodeId, Span, Time};
use engine::Watch;
use wimax::{FramePart, Way};
use world::{Note, Plan};

columns! {
    /// The parts of frames of 802.16, in their order: together they are all symbols of a frame.
    pub struct FrameTable {
        /// When the frame began, s.
        time_s: f64,
        /// The cell.
        cell: String,
        /// The frame, counted from 0.
        frame: u64,
        /// "down" or "up".
        direction: &'static str,
        /// What the symbols are for: "preamble" (with the FCH), "broadcast", "burst", "ranging", "requests", "gap" or "unused".
        use_of: &'static str,
        /// Of a burst: its subscriber station.
        station: Option<String>,
        /// The first symbol, counted from the frame's.
        first: u32,
        /// How many symbols.
        symbols: u32,
    }
}

/// An 802.16 cell as the probe knows it.
#[derive(Clone, Debug)]
struct Watched {
    name: String,
    nodes: Vec<NodeId>,
    /// When a frame is written down again.
    due: Time,
    /// The present one is.
    is_on: bool,
}

/// Follows the frames of all cells.
#[derive(Clone, Debug)]
pub struct FrameProbe {
    /// How many elements of the air are 802.11's: 802.16's come behind them.
    before: usize,
    cells: Vec<Watched>,
    step: Span,
    rows: Vec<(Time, u32, FramePart)>,
}

impl Watch<Note> for FrameProbe {
    fn see(&mut self, now: Time, note: &Note) {
        let &Note::FramePart { cell, part } = note else { return };
        let number = cell.index() - self.before;
        let watched = &mut self.cells[number];
        if part.first == 0 {
            watched.is_on = now >= watched.due;
            if watched.is_on {
                watched.due = now + self.step;
            }
        }
        if watched.is_on {
            self.rows.push((now, number as u32, part));
        }
    }
}

impl Tabulate for FrameProbe {
    type Table = FrameTable;

    fn start(plan: &Plan, step: Option<Span>) -> FrameProbe {
        let watched = |cell: &world::WimaxPlan| Watched {
            name: cell.name.clone(),
            nodes: cell.stations.clone(),
            due: Time::ZERO,
            is_on: false,
        };
        FrameProbe {
            before: plan.air_map().elements.len(),
            cells: plan.wimax.iter().map(watched).collect(),
            step: step.unwrap_or(Span::ZERO),
            rows: Vec::new(),
        }
    }

    fn table(self, close: &Close<'_>) -> FrameTable {
        let mut table = FrameTable::default();
        for (at, cell, part) in &self.rows {
            let cell = &self.cells[*cell as usize];
            table.time_s.push(at.as_secs());
            table.cell.push(cell.name.clone());
            table.frame.push(part.frame);
            table.direction.push(if part.way == Way::Down { "down" } else { "up" });
            table.use_of.push(part.what.name());
            let node = part.station.map(|station| cell.nodes[station.index()]);
            table.station.push(node.map(|node| close.nodes[node.index()].clone()));
            table.first.push(part.first);
            table.symbols.push(part.symbols);
        }
        table
    }
}
