//! The start of a frame: the senders of its uplink, and the bursts of its downlink.

use super::burst::{Burst, Place};
use super::told::Served;
use super::{Cell, Decision, MapElement, Side};
use crate::allot::{Allotment, Booking};
use crate::phy::Way;
use crate::stats::FrameStats;
use crate::subscriber::Subscriber;
use base::{StationId, Time};

impl Cell {
    /// A frame begins: grants, then bursts of the downlink, then the length of the broadcast.
    pub(super) fn open_frame(&mut self, now: Time) {
        if self.has_begun {
            self.frame += 1;
        }
        if let Some(signal) = &mut self.signal
            && signal.changes(!self.has_begun)
        {
            let Side { codings, deaf, .. } = &mut self.down;
            signal.set(now, (codings, deaf), (&mut self.up.codings, &mut self.up.deaf));
        }
        (self.has_begun, self.clock.start) = (true, now);
        self.admit(now);
        self.grant(now);
        self.map_down(now);
        let (down, up) = (self.down_map.len() as u32, self.up_map.len() as u32);
        let first = self.layout.broadcast(self.frame, down, up);
        self.count_frame(now, first);
        for i in 0..self.down_map.len() {
            self.down_map[i].start += first;
            self.send_down(now, i);
        }
        self.next = Decision::Requests;
    }

    /// Stations whose entry is over are in the network from this frame on.
    fn admit(&mut self, now: Time) {
        let Cell { entry, subscribers, services, .. } = self;
        let Some(entry) = entry.as_mut().filter(|entry| !entry.is_over()) else { return };
        entry.admit(now, |station| {
            for (up, service) in subscribers[station].up.iter_mut().zip(services.iter()) {
                up.silent_until = 0;
                if service.stations.contains(&station) {
                    up.due = now;
                }
            }
        });
    }

    fn count_frame(&mut self, now: Time, broadcast: u32) {
        let symbols =
            |map: &[MapElement]| map.iter().map(|burst| u64::from(burst.symbols)).sum::<u64>();
        let counts = FrameStats {
            frames: 1,
            down: u64::from(self.layout.down),
            broadcast: u64::from(broadcast),
            down_bursts: symbols(&self.down_map),
            up: u64::from(self.layout.up()),
            contention: u64::from(self.layout.contention),
            up_bursts: symbols(&self.up_map),
        };
        self.stats.add(now, counts);
    }

    /// Gives out the downlink, the first class first; symbols are counted from the end of the broadcast.
    fn map_down(&mut self, now: Time) {
        let Cell {
            down, down_map, subscribers, layout, pdus, wants, weights, ranks, entry, ..
        } = self;
        let (frame, grants) = (self.frame, self.up_map.len() as u32);
        down.allotment.clear();
        for &service in ranks.iter() {
            let mut all = 0;
            for (bytes, subscriber) in wants.iter_mut().zip(subscribers.iter()) {
                *bytes = pdus.need(&subscriber.down[service].backlog(now));
                all |= *bytes;
            }
            if all == 0 {
                continue;
            }
            // What is for stations outside the network waits.
            entry.iter().flat_map(|entry| entry.outside()).for_each(|station| wants[station] = 0);
            let mut room = Booking {
                allotment: &mut down.allotment,
                codings: &down.codings,
                around: (0, layout.gap()),
                least: pdus.least(),
                space: |bursts| match layout.has_elements(bursts, grants) {
                    true => layout.down.saturating_sub(layout.broadcast(frame, bursts, grants)),
                    false => 0,
                },
            };
            down.schedulers[service].run(wants, weights, &mut room);
        }
        place(&down.allotment, (0, layout.gap()), down_map);
    }

    /// Fills a burst of the downlink.
    fn send_down(&mut self, now: Time, number: usize) {
        let MapElement { station, start: first, symbols } = self.down_map[number];
        let (coding, way) = (self.down.codings[station.index() - 1], Way::Down);
        let (room, is_deaf) = (coding.room(symbols), self.down.deaf[station.index() - 1]);
        let Cell { subscribers, fates, flying, errors, clock, pdus, ranks, .. } = self;
        let Subscriber { down, stats, .. } = &mut subscribers[station.index() - 1];
        let place = Place { station, way, first, symbols, coding, room, is_deaf };
        let mut burst = Burst { place, now, filled: 0, pdus, clock, stats, errors, fates, flying };
        for &service in ranks.iter() {
            burst.fill(&mut down[service], 0);
        }
        let burst = Some(burst.close(first));
        self.served.push(Served { station, is_down: true, burst });
    }
}

/// Lays out the bursts of an allotment from symbol `first` on.
pub(super) fn place(allotment: &Allotment, (first, gap): (u32, u32), map: &mut Vec<MapElement>) {
    map.clear();
    let mut start = first;
    for (station, symbols) in allotment.bursts() {
        map.push(MapElement { station: StationId(station as u32 + 1), start, symbols });
        start += symbols + gap;
    }
}
