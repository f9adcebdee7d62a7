//! Places of stations, computed again only where they can have changed.

use base::{Span, Time};
use radio::Position;
use radio::mobility::Mobility;

/// Place of a station, valid at the instant of the last query and for as long as it rests there.
#[derive(Clone, Copy, Debug)]
struct Found {
    at: Position,
    is_present: bool,
    travelled_m: f64,
    asked: Time,
    /// Before when nothing of this changes.
    until: Time,
    /// Number of changes.
    version: u32,
}

/// For so long a station that moves stays in a spot: dozens of frames, and a few centimetres on foot.
const STAY: Span = Span::millis(20);

/// Where a station is for a while.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// No farther than the radius from here, metres.
    pub centre: Position,
    /// Zero where it rests.
    pub radius_m: f64,
    /// False where it is not there.
    pub is_present: bool,
    /// Number of changes.
    pub version: u32,
    from: Time,
    until: Time,
}

/// The mean power between two stations, and where they were.
#[derive(Clone, Copy, Debug)]
struct Known {
    versions: (u32, u32),
    mean_w: f64,
}

/// The places of stations of which some move.
#[derive(Clone, Debug)]
pub struct Places {
    moving: Vec<Mobility>,
    found: Vec<Found>,
    spots: Vec<Spot>,
    /// When all of them hold: from the first time on, and before the second.
    spots_hold: (Time, Time),
    /// Number of times at which some changed.
    changes: u32,
    /// By sender and receiver, row after row.
    known: Vec<Known>,
}

impl Places {
    /// Creates the places of these stations.
    pub fn new(moving: &[&Mobility]) -> Places {
        let nowhere = Found {
            at: Position::default(),
            is_present: false,
            travelled_m: 0.0,
            asked: Time::NEVER,
            until: Time::ZERO,
            version: 0,
        };
        let spot = Spot {
            centre: Position::default(),
            radius_m: 0.0,
            is_present: false,
            version: 0,
            from: Time::NEVER,
            until: Time::NEVER,
        };
        let unknown = Known { versions: (0, 0), mean_w: 0.0 };
        Places {
            moving: moving.iter().map(|&place| place.clone()).collect(),
            found: vec![nowhere; moving.len()],
            spots: vec![spot; moving.len()],
            spots_hold: (Time::NEVER, Time::NEVER),
            changes: 0,
            known: vec![unknown; moving.len() * moving.len()],
        }
    }

    /// Mean power from one station to another at `now`, W, by `power_w` of their places; zero where one of them is not there.
    #[inline]
    pub fn mean_w(
        &mut self,
        (from, to): (usize, usize),
        now: Time,
        power_w: impl FnOnce(Position, Position) -> f64,
    ) -> f64 {
        self.find(from, now);
        self.find(to, now);
        let (a, b) = (&self.found[from], &self.found[to]);
        let known = &mut self.known[from * self.found.len() + to];
        if known.versions != (a.version, b.version) {
            let is_there = a.is_present && b.is_present;
            known.mean_w = if is_there { power_w(a.at, b.at) } else { 0.0 };
            known.versions = (a.version, b.version);
        }
        known.mean_w
    }

    /// Finds the spots in which all stations are at `now`.
    #[inline]
    pub fn locate(&mut self, now: Time) {
        let (from, until) = self.spots_hold;
        if now < from || now >= until {
            self.find_spots(now);
        }
    }

    #[cold]
    fn find_spots(&mut self, now: Time) {
        self.spots_hold = (Time::ZERO, Time::NEVER);
        self.changes += 1;
        for station in 0..self.spots.len() {
            let spot = &self.spots[station];
            // All that move are found anew together, so that spots change once in a stay.
            if spot.radius_m > 0.0 || now < spot.from || now >= spot.until {
                self.find_spot(station, now);
            }
            let (Spot { from, until, .. }, (latest, earliest)) =
                (&self.spots[station], self.spots_hold);
            self.spots_hold = (latest.max(*from), earliest.min(*until));
        }
    }

    /// The spot in which a station is, as of the last [`Places::locate`].
    pub fn spot(&self, station: usize) -> &Spot {
        &self.spots[station]
    }

    /// The number of times at which spots have changed.
    #[inline]
    pub fn changes(&self) -> u32 {
        self.changes
    }

    fn find_spot(&mut self, station: usize, now: Time) {
        let mobility = &mut self.moving[station];
        let leg = mobility.leg(now);
        let change = mobility.next_appearance(now).unwrap_or(Time::NEVER);
        let speed_m_per_s = leg.velocity.squared().sqrt();
        let rests = speed_m_per_s == 0.0;
        let until = leg.end.min(change);
        self.spots[station] = Spot {
            centre: leg.position(now),
            // A little more than it moves: places are rounded.
            radius_m: if rests { 0.0 } else { speed_m_per_s * STAY.as_secs() * 1.001 },
            is_present: mobility.is_present(now),
            version: self.spots[station].version + 1,
            from: now,
            until: if rests { until } else { until.min(now + STAY) },
        };
    }

    /// The way that a station has travelled until `now`, metres.
    #[inline]
    pub fn travelled_m(&mut self, station: usize, now: Time) -> f64 {
        self.find(station, now);
        self.found[station].travelled_m
    }

    #[inline]
    fn find(&mut self, station: usize, now: Time) {
        let found = &self.found[station];
        if now != found.asked && (now < found.asked || now >= found.until) {
            self.find_anew(station, now);
        }
    }

    fn find_anew(&mut self, station: usize, now: Time) {
        let mobility = &mut self.moving[station];
        let leg = mobility.leg(now);
        let rests = leg.velocity.squared() == 0.0;
        let change = mobility.next_appearance(now).unwrap_or(Time::NEVER);
        let version = self.found[station].version + 1;
        self.found[station] = Found {
            at: leg.position(now),
            is_present: mobility.is_present(now),
            travelled_m: leg.travelled_m(now),
            asked: now,
            until: if rests { leg.end.min(change) } else { now },
            version,
        };
    }
}
