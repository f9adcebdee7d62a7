//! Selection of the 802.16 frames to record.

use crate::columns::Name;
use base::{CellId, NodeId, Span, Time};
use wimax::Told;
use world::{Note, Part, Plan, Technology};

/// With a step, number of frames recorded in each: a request, and the grant that answers it.
const BURST: u32 = 4;

/// An 802.16 cell as probes know it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its name.
    pub name: Name,
    /// The nodes of its stations; the base station is the first.
    pub nodes: Vec<NodeId>,
    /// The present frame.
    pub frame: u64,
    /// Start of the frame.
    pub began: Time,
    /// True if it is recorded.
    pub is_on: bool,
    /// The present step, and frames begun in it.
    step: (u64, u32),
}

/// All 802.16 cells.
#[derive(Clone, Debug)]
pub struct FramesKept {
    /// By number: the element.
    elements: Vec<CellId>,
    step: Option<Span>,
    cells: Vec<Kept>,
}

impl FramesKept {
    /// In a run of `plan`, with the first frames of each step.
    pub fn new(plan: &Plan, step: Option<Span>) -> FramesKept {
        let parts = plan.parts();
        let of_wimax = |part: &&Part<'_>| matches!(part.technology, Technology::Wimax(_));
        let kept = |part: &Part<'_>| Kept {
            name: Name::from(part.name),
            nodes: part.stations.to_vec(),
            frame: 0,
            began: Time::ZERO,
            is_on: false,
            step: (0, 0),
        };
        let cells = parts.iter().filter(of_wimax);
        FramesKept {
            elements: cells.clone().map(|part| part.element).collect(),
            step,
            cells: cells.map(kept).collect(),
        }
    }

    /// The cells, in their order.
    pub fn cells(&self) -> &[Kept] {
        &self.cells
    }

    /// Takes a note: the number and the state of the cell that it is about, and what it says; `None`: it is about none.
    pub fn see(&mut self, now: Time, note: &Note) -> Option<(u32, &Kept, Told)> {
        let Note::Frames { cell, told } = *note else { return None };
        let number = self.elements.iter().position(|&element| element == cell)?;
        if let Told::Part(part) = told
            && part.first == 0
        {
            self.begin(number, now, part.frame);
        }
        Some((number as u32, &self.cells[number], told))
    }

    fn begin(&mut self, number: usize, now: Time, frame: u64) {
        let step = self.step.map_or(0, |each| crate::on_air::step_of(now, each));
        let every = self.step.is_none();
        let kept = &mut self.cells[number];
        if step != kept.step.0 {
            kept.step = (step, 0);
        }
        kept.step.1 += 1;
        (kept.frame, kept.began) = (frame, now);
        kept.is_on = every || kept.step.1 <= BURST;
    }
}
