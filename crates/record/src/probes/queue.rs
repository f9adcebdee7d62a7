//! Lengths of interface queues.

use crate::columns::{Name, columns};
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use crate::series::Series;
use base::{Span, Time};
use engine::Watch;
use world::{Note, Plan};

columns! {
    /// Interface queues as each packet comes (for stations of a cell also as each leaves).
    pub struct QueueTable {
        /// Time, s.
        time_s: f64,
        /// The queue's name, as in `queues`.
        queue: Name,
        /// Packets waiting, without the one being sent.
        packets: u32,
    }
}

/// Follows all queues.
#[derive(Clone, Debug)]
pub struct QueueProbe {
    series: Series<u32>,
    /// By element and queue there: its number. Links come first.
    numbers: Vec<Vec<u32>>,
}

impl Watch<Note> for QueueProbe {
    fn see(&mut self, now: Time, note: &Note) {
        match *note {
            Note::WireQueue { link, packets } => self.series.note(now, link.0, packets),
            Note::Queue { cell, queue, packets } => {
                self.series.note(now, self.numbers[cell.index()][queue as usize], packets);
            }
            _ => {}
        }
    }
}

impl Tabulate for QueueProbe {
    type Table = QueueTable;
    const SEES: &'static [Kind] = &[Kind::Queue, Kind::WireQueue];

    fn start(plan: &Plan, step: Option<Span>) -> QueueProbe {
        let mut queues = plan.links.len() as u32;
        let numbers = plan.by_element(|part| {
            let first = queues;
            queues += part.queues as u32;
            first..queues
        });
        QueueProbe { series: Series::new(queues as usize, step), numbers }
    }

    fn table(self, close: &Close<'_>) -> QueueTable {
        let rows = self.series.finish();
        QueueTable {
            time_s: rows.iter().map(|row| row.0.as_secs()).collect(),
            queue: rows.iter().map(|row| close.queues[row.1 as usize].clone()).collect(),
            packets: rows.iter().map(|row| row.2).collect(),
        }
    }
}
