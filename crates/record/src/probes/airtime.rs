//! Use of the medium of 802.11 or of a shared LAN, by station and purpose.

use crate::columns::{Name, columns};
use crate::kinds::Kind;
use crate::on_air::{Fate, Settled, Stations, step_of};
use crate::probe::{Close, Tabulate};
use base::{Span, Time};
use engine::Watch;
use world::{Note, Plan};

columns! {
    /// For how long frames of a station of 802.11 or of a LAN were on the air in each step, by what became of them; nothing
    /// where it is none. A frame counts in the step in which it begins.
    pub struct AirtimeTable {
        /// Start of the step, s.
        time_s: f64,
        /// The station's cell or LAN.
        cell: Name,
        /// The station.
        station: Name,
        /// Frames whose answer came back, answers and group frames; on a LAN: frames that came through, s.
        carried_s: f64,
        /// Frames without an answer that met another frame on the air; on a LAN: frames that collided, s.
        overlapped_s: f64,
        /// Frames without an answer that were alone on the air, s.
        unanswered_s: f64,
        /// Retries among all these, s.
        retries_s: f64,
        /// Frames.
        frames: u32,
    }
}

/// Times of a station in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    step: u64,
    carried: Span,
    overlapped: Span,
    unanswered: Span,
    retries: Span,
    frames: u32,
}

/// Adds up the time of frames.
#[derive(Clone, Debug)]
pub struct AirtimeProbe {
    stations: Stations,
    step: Span,
    /// By element and station: the present step.
    open: Vec<Vec<Held>>,
    /// Steps that are over: element and station.
    rows: Vec<(u32, u32, Held)>,
}

impl Watch<Note> for AirtimeProbe {
    fn see(&mut self, _: Time, _: &Note) {}
}

impl Tabulate for AirtimeProbe {
    type Table = AirtimeTable;
    const SEES: &'static [Kind] = &[];
    const SETTLES: bool = true;

    fn start(plan: &Plan, step: Option<Span>) -> AirtimeProbe {
        let stations = Stations::new(plan);
        AirtimeProbe {
            step: step.unwrap_or(Span::secs(1)),
            open: stations.each(&Held::default()),
            rows: Vec::new(),
            stations,
        }
    }

    fn on_settled(&mut self, settled: &Settled) {
        let (element, station) = (settled.element, settled.from);
        let held = &mut self.open[element as usize][station.index()];
        let step = step_of(settled.start, self.step);
        if held.step != step {
            let over = std::mem::replace(held, Held { step, ..Held::default() });
            if over.frames > 0 {
                self.rows.push((element, station.0, over));
            }
        }
        let airtime = settled.airtime;
        let part = match settled.fate {
            Fate::Answered | Fate::NoneDue => &mut held.carried,
            Fate::Overlapped => &mut held.overlapped,
            Fate::Unanswered => &mut held.unanswered,
        };
        *part = Span(part.0 + airtime.0);
        if settled.retry {
            held.retries = Span(held.retries.0 + airtime.0);
        }
        held.frames += 1;
    }

    fn table(mut self, close: &Close<'_>) -> AirtimeTable {
        for (element, stations) in self.open.iter().enumerate() {
            let filled = stations.iter().enumerate().filter(|(_, held)| held.frames > 0);
            self.rows.extend(filled.map(|(at, held)| (element as u32, at as u32, *held)));
        }
        self.rows.sort_by_key(|(element, station, held)| (held.step, *element, *station));
        let mut table = AirtimeTable::default();
        for (element, station, held) in &self.rows {
            let (cell, node) = self.stations.whose[*element as usize][*station as usize];
            table.time_s.push(Time(held.step * self.step.0).as_secs());
            table.cell.push(self.stations.names[cell as usize].clone());
            table.station.push(close.nodes[node.index()].clone());
            table.carried_s.push(held.carried.as_secs());
            table.overlapped_s.push(held.overlapped.as_secs());
            table.unanswered_s.push(held.unanswered.as_secs());
            table.retries_s.push(held.retries.as_secs());
            table.frames.push(held.frames);
        }
        table
    }
}
