//! Layout and contents of 802.16 frames.

use crate::columns::{Name, columns};
use crate::frames_kept::FramesKept;
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use base::{Named, Span, Time};
use engine::Watch;
use wimax::{Filled, FramePart, Told, Way};
use world::{Note, Plan};

columns! {
    /// The parts of frames of 802.16, in their order: together they are all symbols of a frame. With a step: the first
    /// 4 frames that begin in each.
    pub struct FrameTable {
        /// Start of the frame, s.
        time_s: f64,
        /// The cell.
        cell: Name,
        /// The frame, counted from 0.
        frame: u64,
        /// "down" or "up".
        direction: &'static str,
        /// Use of the symbols: "preamble" (with the FCH), "broadcast", "burst", "ranging", "requests", "gap" or "unused".
        use_of: &'static str,
        /// Subscriber station of a burst.
        station: Option<Name>,
        /// The first symbol, counted from the frame's.
        first: u32,
        /// Number of symbols.
        symbols: u32,
        /// Start of the first symbol, s.
        begins_s: f64,
        /// Duration of all of them, s.
        airtime_s: f64,
        /// Capacity of a burst, bytes; null if the run ends before it.
        room: Option<u64>,
        /// Bytes of PDUs in a burst, the rest is padding.
        bytes: Option<u64>,
    }
}

/// A part that is written down.
#[derive(Clone, Copy, Debug)]
struct Row {
    frame: Time,
    cell: u32,
    part: FramePart,
    burst: Option<Filled>,
}

/// Follows the frames of all cells.
#[derive(Clone, Debug)]
pub struct FrameProbe {
    kept: FramesKept,
    rows: Vec<Row>,
}

impl Watch<Note> for FrameProbe {
    fn see(&mut self, now: Time, note: &Note) {
        let Some((cell, kept, told)) = self.kept.see(now, note).filter(|seen| seen.1.is_on) else {
            return;
        };
        match told {
            Told::Part(part) => {
                self.rows.push(Row { frame: now, cell, part, burst: None });
            }
            Told::Filled(_, burst) => {
                let mine = |row: &&mut Row| {
                    (row.cell, row.part.frame, row.part.first) == (cell, kept.frame, burst.first)
                };
                if let Some(row) = self.rows.iter_mut().rev().find(mine) {
                    row.burst = Some(burst);
                }
            }
            Told::Asked(_) => {}
        }
    }
}

impl Tabulate for FrameProbe {
    type Table = FrameTable;
    const SEES: &'static [Kind] = &[Kind::Frames];

    fn start(plan: &Plan, step: Option<Span>) -> FrameProbe {
        FrameProbe { kept: FramesKept::new(plan, step), rows: Vec::new() }
    }

    fn table(self, close: &Close<'_>) -> FrameTable {
        let mut table = FrameTable::default();
        for Row { frame, cell, part, burst } in &self.rows {
            let cell = &self.kept.cells()[*cell as usize];
            table.time_s.push(frame.as_secs());
            table.cell.push(cell.name.clone());
            table.frame.push(part.frame);
            table.direction.push(if part.way == Way::Down { "down" } else { "up" });
            table.use_of.push(part.what.name());
            let node = part.station.map(|station| cell.nodes[station.index()]);
            table.station.push(node.map(|node| close.nodes[node.index()].clone()));
            table.first.push(part.first);
            table.symbols.push(part.symbols);
            table.begins_s.push(part.time.0.as_secs());
            table.airtime_s.push(part.time.1.since(part.time.0).as_secs());
            table.room.push(burst.map(|burst| burst.room));
            table.bytes.push(burst.map(|burst| burst.used));
        }
        table
    }
}
