//! A frame as a map: what each of its symbols is for.

use super::told::{FramePart, Request, Sender, Use};
use super::{Cell, MapElement};
use crate::phy::{Clock, Way};
use base::{Span, StationId};

impl Cell {
    /// Reports all parts of the present frame in order; together they cover all its symbols.
    pub fn map(&self, told: impl FnMut(FramePart)) {
        let layout = &self.layout;
        let (down, up) = (self.down_map.len() as u32, self.up_map.len() as u32);
        let mut walk =
            Walk { frame: self.frame, first: 0, clock: &self.clock, down: layout.down, told };
        walk.to(layout.head(), (Way::Down, Use::Preamble));
        let broadcast = layout.broadcast(self.frame, down, up) - layout.gap();
        walk.to(broadcast, (Way::Down, Use::Broadcast));
        walk.bursts(Way::Down, &self.down_map, 0);
        walk.to(layout.down, (Way::Down, Use::Unused));
        let (ranging, requests) = (layout.ranging, layout.contention);
        for (end, of, what) in
            [(ranging, ranging, Use::Ranging), (requests, requests - ranging, Use::Requests)]
        {
            let gap = if of > 0 { layout.region_gap() } else { 0 };
            walk.to(layout.down + end - gap, (Way::Up, what));
            walk.to(layout.down + end, (Way::Up, Use::Gap));
        }
        walk.bursts(Way::Up, &self.up_map, layout.down);
        walk.to(layout.symbols, (Way::Up, Use::Unused));
    }

    /// Reports all requests of the present frame. All opportunities of a region have the same length.
    pub fn requests(&self, mut told: impl FnMut(Request)) {
        let (layout, gap) = (&self.layout, self.layout.region_gap());
        for (at, &(what, station, opportunity)) in self.senders.iter().enumerate() {
            let (count, first, end) = match what {
                Use::Ranging => (self.ranging, 0, layout.ranging),
                _ => (self.requests.opportunities, layout.ranging, layout.contention),
            };
            let (first, end) = (self.clock.up(first), self.clock.up(end.saturating_sub(gap)));
            let from =
                |n: u32| first + Span(end.since(first).0 * u64::from(n) / u64::from(count.max(1)));
            let same = |other: &&Sender| (other.0, other.2) == (what, opportunity);
            let all = self.senders.iter().filter(same).count() as u32;
            let senders = (all, self.senders[..at].iter().filter(same).count() as u32);
            let time = (from(opportunity), from(opportunity + 1));
            told(Request { what, station, opportunity, senders, time });
        }
    }
}

/// A way through a frame's symbols.
struct Walk<'a, F> {
    frame: u64,
    clock: &'a Clock,
    /// Symbols of the downlink.
    down: u32,
    /// The first symbol not yet reported.
    first: u32,
    told: F,
}

impl<F: FnMut(FramePart)> Walk<'_, F> {
    /// The symbols up to one are for this.
    fn to(&mut self, end: u32, (way, what): (Way, Use)) {
        self.part(end, (way, what, None));
    }

    fn bursts(&mut self, way: Way, map: &[MapElement], from: u32) {
        for burst in map {
            let start = from + burst.start;
            self.to(start, (way, Use::Gap));
            self.part(start + burst.symbols, (way, Use::Burst, Some(burst.station)));
        }
    }

    fn part(&mut self, end: u32, (way, what, station): (Way, Use, Option<StationId>)) {
        if end > self.first {
            let &mut Walk { frame, first, clock, down, .. } = self;
            let at = |symbol| match way {
                Way::Down => clock.down(symbol),
                Way::Up => clock.up(symbol - down),
            };
            let (symbols, time) = (end - first, (at(first), at(end)));
            (self.told)(FramePart { frame, what, way, station, first, symbols, time });
            self.first = end;
        }
    }
}
