//! Shared wired LANs.

use super::contract::{Came, Contract, Desk, Due, Out};
use super::report::{Reports, Survey};
use crate::cx::Noting;
use crate::note::Note;
use crate::plan::{LanPlan, Part};
use base::{Seed, Time};
use engine::Phase;
use net::{Ended, Hop, Lan, LanEnded, LanFrame, Topology};

/// A LAN on which nobody has ever sent.
pub(super) fn lan(plan: &LanPlan, part: &Part<'_>, seed: Seed) -> Lan {
    Lan::new(&plan.config, seed, (part.number as u64) << 32)
}

/// Each station sends to each other.
pub(super) fn connect(part: &Part<'_>, topology: &mut Topology) {
    let cell = part.element;
    for (from, node) in part.numbered() {
        for (to, other) in part.numbered().filter(|other| other.0 != from) {
            topology.connect(node, other, Hop::Air { cell, from, to });
        }
    }
}

/// A frame has come to its end, well or not.
fn note_carried(desk: &mut Desk<'_, impl Noting>, frame: LanFrame) {
    let LanFrame { id, since, began, .. } = frame;
    desk.note(|_| Note::Carried { id, first_since: since, known_since: None, began });
}

impl Contract for Lan {
    #[inline]
    fn due(&mut self, desk: &mut Desk<'_, impl Noting>) -> Time {
        if let Some(end) = self.moved_end() {
            desk.wake(end, Phase::Completion, Due::End);
        }
        self.next_start()
    }

    #[inline]
    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came {
        match due {
            Due::Start => {
                let end = self.on_start();
                desk.wake(end, Phase::Completion, Due::End);
                Came::Nothing
            }
            Due::Arrival => {
                let Some(frame) = self.arrive() else { return Came::Nothing };
                note_carried(desk, frame);
                Came::Arrived(frame.id, frame.to)
            }
            _ => {
                end(self, desk, out);
                Came::Ended
            }
        }
    }

    fn report(&mut self, of: &Survey<'_>, into: &mut Reports) {
        into.lans.push(self.outcome(&of.whole()));
        for (station, reported) in of.stations() {
            let queue = format!("{}/{}", reported.of, reported.name);
            into.queues.push((queue, self.queue_stats_by(station, of.end)));
            into.lan_stations.push(self.station_outcome(station, reported));
        }
    }
}

/// The transmission has come to its end, unless a station that joined has moved that.
#[inline(never)]
fn end(lan: &mut Lan, desk: &mut Desk<'_, impl Noting>, out: &mut Out) {
    let before = lan.last_arrival();
    let is_over = lan.on_end(desk.now(), |LanEnded { station, sent, given_up }| {
        if let Some(sent) = sent {
            desk.note(|cell| Note::LanSent { cell, station, sent });
        }
        let dropped = given_up.map(|(frame, reason)| {
            note_carried(desk, frame);
            (frame.id, reason)
        });
        out.ended.push(Ended { station, dropped });
    });
    let last = lan.last_arrival();
    if let Some(at) = last.filter(|_| is_over && last != before) {
        desk.wake(at, Phase::Arrival, Due::Arrival);
    }
}
