//! Use of the symbols of 802.16 in each step.

use crate::columns::{Name, columns};
use crate::frames_kept::FramesKept;
use crate::kinds::Kind;
use crate::on_air::step_of;
use crate::probe::{Close, Tabulate};
use base::{Named, Span, StationId, Time};
use engine::Watch;
use wimax::{Told, Use, Way};
use world::{Note, Plan};

columns! {
    /// For how long 802.16 frames were for what in each step; nothing where they were not. A frame counts in the step in which it
    /// begins.
    pub struct SymbolTable {
        /// Start of the step, s.
        time_s: f64,
        /// The cell.
        cell: Name,
        /// "down" or "up".
        direction: &'static str,
        /// Use of the symbols, as in the probe `frames`.
        use_of: &'static str,
        /// Subscriber station of bursts.
        station: Option<Name>,
        /// Frames in which there were any.
        frames: u32,
        /// Number of symbols.
        symbols: u64,
        /// Their duration, s.
        airtime_s: f64,
        /// In a contention region: time of the opportunities in which one station sent, s.
        heard_s: f64,
        /// In a contention region: time of the opportunities in which several sent, s.
        collided_s: f64,
    }
}

/// Use of symbols.
type What = (Way, Use, Option<StationId>);

/// Symbols of a step that are for one thing.
#[derive(Clone, Copy, Debug)]
struct Row {
    step: u64,
    what: What,
    frames: u32,
    symbols: u64,
    airtime: Span,
    heard: Span,
    collided: Span,
}

/// Adds up the symbols of all cells.
#[derive(Clone, Debug)]
pub struct SymbolProbe {
    kept: FramesKept,
    step: Span,
    /// By cell: its rows, and where those of the present step begin.
    cells: Vec<(Vec<Row>, usize)>,
}

impl SymbolProbe {
    /// The row of the present step.
    fn row(&mut self, cell: u32, began: Time, what: What) -> &mut Row {
        let step = step_of(began, self.step);
        let (rows, first) = &mut self.cells[cell as usize];
        if rows.last().is_some_and(|last| last.step != step) {
            *first = rows.len();
        }
        let found = rows[*first..].iter().position(|row| row.what == what);
        let place = found.map_or(rows.len(), |place| *first + place);
        if place == rows.len() {
            let none = Span::ZERO;
            let (airtime, heard, collided) = (none, none, none);
            rows.push(Row { step, what, frames: 0, symbols: 0, airtime, heard, collided });
        }
        &mut rows[place]
    }
}

impl Watch<Note> for SymbolProbe {
    fn see(&mut self, now: Time, note: &Note) {
        let Some((cell, kept, told)) = self.kept.see(now, note) else { return };
        let began = kept.began;
        match told {
            Told::Part(part) => {
                let row = self.row(cell, began, (part.way, part.what, part.station));
                row.frames += 1;
                row.symbols += u64::from(part.symbols);
                row.airtime += part.time.1.since(part.time.0);
            }
            // An opportunity counts once, with the first of its senders.
            Told::Asked(request) if request.senders.1 == 0 => {
                let row = self.row(cell, began, (Way::Up, request.what, None));
                let sum = if request.senders.0 == 1 { &mut row.heard } else { &mut row.collided };
                *sum += request.time.1.since(request.time.0);
            }
            _ => {}
        }
    }
}

impl Tabulate for SymbolProbe {
    type Table = SymbolTable;
    const SEES: &'static [Kind] = &[Kind::Frames];

    fn start(plan: &Plan, step: Option<Span>) -> SymbolProbe {
        let kept = FramesKept::new(plan, None);
        let cells = vec![(Vec::new(), 0); kept.cells().len()];
        SymbolProbe { kept, step: step.unwrap_or(Span::secs(1)), cells }
    }

    fn table(self, close: &Close<'_>) -> SymbolTable {
        let numbered = self.cells.iter().enumerate();
        let mut rows: Vec<_> = numbered
            .flat_map(|(cell, (rows, _))| rows.iter().map(move |row| (row, cell)))
            .collect();
        rows.sort_by_key(|(row, cell)| (row.step, *cell));
        let mut table = SymbolTable::default();
        for (row, cell) in rows {
            let (cell, (way, what, station)) = (&self.kept.cells()[cell], row.what);
            table.time_s.push(Time(row.step * self.step.0).as_secs());
            table.cell.push(cell.name.clone());
            table.direction.push(if way == Way::Down { "down" } else { "up" });
            table.use_of.push(what.name());
            let node = station.map(|station| cell.nodes[station.index()]);
            table.station.push(node.map(|node| close.nodes[node.index()].clone()));
            table.frames.push(row.frames);
            table.symbols.push(row.symbols);
            table.airtime_s.push(row.airtime.as_secs());
            table.heard_s.push(row.heard.as_secs());
            table.collided_s.push(row.collided.as_secs());
        }
        table
    }
}
