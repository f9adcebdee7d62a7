//! A frame as a map: what each of its symbols is for.

use super::{Cell, MapElement};
use crate::phy::Way;
use base::{StationId, named};

named! {
    /// What symbols of a frame are for.
    pub enum Use, "use of symbols" {
        Preamble = "preamble": "the long preamble and the FCH",
        Broadcast = "broadcast": "the maps, and at times the channels' descriptions",
        Burst = "burst": "a station's data, in the uplink with a preamble",
        Ranging = "ranging": "opportunities for ranging",
        Requests = "requests": "opportunities for bandwidth requests",
        Gap = "gap": "silence between bursts or regions",
        Unused = "unused": "nothing",
    }
}

/// Symbols of a frame that are for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramePart {
    /// The frame, counted from 0.
    pub frame: u64,
    /// What for.
    pub what: Use,
    /// Of which direction.
    pub way: Way,
    /// Of a burst: the subscriber station.
    pub station: Option<StationId>,
    /// The first symbol, counted from the frame's.
    pub first: u32,
    /// How many.
    pub symbols: u32,
}

impl Cell {
    /// Tells of all parts of the present frame, in their order: together they are all its symbols.
    pub fn map(&self, told: impl FnMut(FramePart)) {
        let layout = &self.layout;
        let (down, up) = (self.down_map.len() as u32, self.up_map.len() as u32);
        let mut walk = Walk { frame: self.frame, first: 0, told };
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
}

/// A way through a frame's symbols.
struct Walk<F> {
    frame: u64,
    /// The first symbol that has not been told of.
    first: u32,
    told: F,
}

impl<F: FnMut(FramePart)> Walk<F> {
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
            let &mut Walk { frame, first, .. } = self;
            (self.told)(FramePart { frame, what, way, station, first, symbols: end - first });
            self.first = end;
        }
    }
}
