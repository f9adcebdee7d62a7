//! Which frames of 802.16 are written down.

use base::{CellId, NodeId, Span, Time};
use world::{Note, Plan};

/// With a step, so many frames of each are written down: a request, and the grant that answers it.
const BURST: u32 = 4;

/// An 802.16 cell as probes know it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// The nodes of its stations; the base station is the first.
    pub nodes: Vec<NodeId>,
    /// The present frame.
    pub frame: u64,
    /// When it began.
    pub began: Time,
    /// It is written down.
    pub is_on: bool,
    /// The present step, and frames begun in it.
    step: (u64, u32),
}

/// All 802.16 cells.
#[derive(Clone, Debug)]
pub struct FramesKept {
    /// How many elements of the air are 802.11's: 802.16's come behind them.
    before: usize,
    step: Option<Span>,
    cells: Vec<Kept>,
}

impl FramesKept {
    /// In a run of `plan`, with the first frames of each step.
    pub fn new(plan: &Plan, step: Option<Span>) -> FramesKept {
        let kept = |cell: &world::WimaxPlan| Kept {
            name: cell.name.clone(),
            nodes: cell.stations.clone(),
            frame: 0,
            began: Time::ZERO,
            is_on: false,
            step: (0, 0),
        };
        let cells = plan.wimax.iter().map(kept).collect();
        FramesKept { before: plan.air_map().elements.len(), step, cells }
    }

    /// The cells, in their order.
    pub fn cells(&self) -> &[Kept] {
        &self.cells
    }

    /// Takes a note: the number and the state of the cell that it is about; `None`: it is about none.
    pub fn see(&mut self, now: Time, note: &Note) -> Option<(u32, &Kept)> {
        let (Note::FramePart { cell, .. }
        | Note::BurstFilled { cell, .. }
        | Note::Asked { cell, .. }) = *note
        else {
            return None;
        };
        let kept = self.of(cell);
        if let Note::FramePart { part, .. } = *note
            && part.first == 0
        {
            self.begin(cell, now, part.frame);
        }
        Some((kept as u32, &self.cells[kept]))
    }

    fn of(&self, cell: CellId) -> usize {
        cell.index() - self.before
    }

    fn begin(&mut self, cell: CellId, now: Time, frame: u64) {
        let step = self.step.map_or(0, |each| crate::on_air::step_of(now, each));
        let (number, every) = (self.of(cell), self.step.is_none());
        let kept = &mut self.cells[number];
        if step != kept.step.0 {
            kept.step = (step, 0);
        }
        kept.step.1 += 1;
        (kept.frame, kept.began) = (frame, now);
        kept.is_on = every || kept.step.1 <= BURST;
    }
}
