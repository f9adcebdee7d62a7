//! Lengths of interface queues.

use crate::columns::columns;
use crate::probe::{Close, Tabulate};
use crate::series::Series;
use base::{Span, Time};
use engine::Watch;
use world::{Note, Plan};

columns! {
    /// Interface queues as each packet comes (for stations of a cell also as each leaves).
    pub struct QueueTable {
        /// When, s.
        time_s: f64,
        /// The queue's name, as in `queues`.
        queue: String,
        /// Packets waiting, without the one being sent.
        packets: u32,
    }
}

/// Follows all queues.
#[derive(Clone, Debug)]
pub struct QueueProbe {
    series: Series<u32>,
    /// By element of the air and station there: the number of its queue. Links come first.
    numbers: Vec<Vec<u32>>,
}

impl Watch<Note> for QueueProbe {
    fn see(&mut self, now: Time, note: &Note) {
        match *note {
            Note::WireQueue { link, packets } => self.series.note(now, link.0, packets),
            Note::StationQueue { cell, station, packets } => {
                self.series.note(now, self.numbers[cell.index()][station.index()], packets);
            }
            Note::SubscriberQueue { cell, station, is_down, packets } => {
                let number = 2 * (station.index() - 1) + usize::from(!is_down);
                self.series.note(now, self.numbers[cell.index()][number], packets);
            }
            _ => {}
        }
    }
}

impl Tabulate for QueueProbe {
    type Table = QueueTable;

    fn start(plan: &Plan, step: Option<Span>) -> QueueProbe {
        let mut queues = plan.links.len() as u32;
        let mut of_cell = Vec::new();
        for cell in &plan.cells {
            let first = queues;
            queues += cell.stations.len() as u32;
            of_cell.push(first..queues);
        }
        let elements = plan.air_map().elements;
        let numbers = elements.iter().map(|cells| cells.iter().flat_map(|&i| of_cell[i].clone()));
        let mut numbers: Vec<Vec<u32>> = numbers.map(Iterator::collect).collect();
        for cell in &plan.wimax {
            // The note counts all services of a station: they are shown at best effort's queue.
            let services = cell.config.services.len() as u32 + 1;
            let of_station = |i: u32| [0, 1].map(|way| queues + 2 * services * i + way);
            let stations = cell.stations.len() as u32 - 1;
            numbers.push((0..stations).flat_map(of_station).collect());
            queues += 2 * services * stations;
        }
        for lan in &plan.lans {
            let stations = lan.stations.len() as u32;
            numbers.push((queues..queues + stations).collect());
            queues += stations;
        }
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
