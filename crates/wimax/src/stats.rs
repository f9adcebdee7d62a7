//! Counters of a cell and of its stations.

use crate::landed::Landed;
use crate::phy::Way;
use base::{DelayHistogram, Span, Time};
use std::ops::AddAssign;

/// Counts of what begins: what begins at an instant belongs to the time after it.
///
/// Frames and bursts are decided at their first instant. The one that begins at the end of a run is never sent, and the one
/// that begins with the measurement is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Begun<T> {
    before: T,
    newest: T,
    since: Time,
}

impl<T: Copy + Default + AddAssign> Begun<T> {
    pub(crate) fn add(&mut self, now: Time, counts: T) {
        if now > self.since {
            self.before += self.newest;
            (self.newest, self.since) = (T::default(), now);
        }
        self.newest += counts;
    }

    /// The counts of what began before `now`.
    pub fn before(&self, now: Time) -> T {
        let mut counts = self.before;
        if self.since < now {
            counts += self.newest;
        }
        counts
    }

    pub(crate) fn begin_measurement(&mut self, now: Time) {
        let newest = if self.since < now { T::default() } else { self.newest };
        *self = Begun { before: T::default(), newest, since: self.since };
    }
}

/// Counts of bursts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BurstStats {
    /// Bursts.
    pub bursts: u64,
    /// Their symbols, preambles included.
    pub symbols: u64,
    /// Bytes that they had room for.
    pub room: u64,
    /// Bytes of PDUs among these.
    pub used: u64,
}

impl AddAssign for BurstStats {
    fn add_assign(&mut self, other: BurstStats) {
        self.bursts += other.bursts;
        self.symbols += other.symbols;
        self.room += other.room;
        self.used += other.used;
    }
}

/// Counts of one direction of a subscriber station.
#[derive(Clone, Debug, Default)]
pub struct WayStats {
    /// Its bursts.
    pub bursts: Begun<BurstStats>,
    /// Packets that arrived.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Packets that came to their end and were lost on the air.
    pub lost: u64,
    /// Pieces sent again.
    pub resent: u64,
    /// From a packet's arrival at its queue to that at the other end.
    pub delay: DelayHistogram,
}

impl WayStats {
    /// A packet has come to its end.
    fn count(&mut self, landed: &Landed) {
        if landed.is_lost {
            self.lost += 1;
        } else {
            self.packets += 1;
            self.bytes += landed.size;
            self.delay.record(landed.at.since(landed.since));
        }
    }
}

/// Counts of a subscriber station's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestStats {
    /// Sent in an opportunity.
    pub attempts: u64,
    /// Those alone in their opportunity.
    pub successes: u64,
    /// Sent for the first time.
    pub first_attempts: u64,
    /// Those alone in their opportunity.
    pub first_successes: u64,
    /// Found lost when T16 was over.
    pub timeouts: u64,
    /// Given up after the last retry.
    pub given_up: u64,
    /// Sent in a burst of data.
    pub piggybacked: u64,
    /// Packets that arrived or were lost on the air, and how long all of them waited until the base station knew of them,
    /// from then to their first symbol, and to their last.
    pub packets: u64,
    /// See `packets`.
    pub request_wait: Span,
    /// See `packets`.
    pub grant_wait: Span,
    /// See `packets`.
    pub transmission: Span,
}

impl RequestStats {
    fn wait(&mut self, landed: &Landed) {
        let &Landed { at, since, known_since, began, .. } = landed;
        self.packets += 1;
        self.request_wait += known_since.since(since);
        self.grant_wait += began.since(known_since);
        self.transmission += at.since(began);
    }
}

/// Counts of one subscriber station since the measurement began.
#[derive(Clone, Debug, Default)]
pub struct StationStats {
    /// Towards it.
    pub down: WayStats,
    /// From it.
    pub up: WayStats,
    /// Its bandwidth requests.
    pub requests: RequestStats,
}

impl StationStats {
    /// Counts of a direction.
    pub(crate) fn way(&mut self, way: Way) -> &mut WayStats {
        match way {
            Way::Down => &mut self.down,
            Way::Up => &mut self.up,
        }
    }

    /// A packet comes to its end.
    #[inline]
    pub(crate) fn count(&mut self, way: Way, landed: &Landed) {
        self.way(way).count(landed);
        if way == Way::Up {
            self.requests.wait(landed);
        }
    }

    pub(crate) fn begin_measurement(&mut self, now: Time) {
        let mut bursts = [self.down.bursts, self.up.bursts];
        bursts.iter_mut().for_each(|bursts| bursts.begin_measurement(now));
        *self = StationStats::default();
        [self.down.bursts, self.up.bursts] = bursts;
    }
}

/// Symbols of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Frames.
    pub frames: u64,
    /// Symbols of the downlink.
    pub down: u64,
    /// Symbols of preamble and broadcast among these.
    pub broadcast: u64,
    /// Symbols of bursts among these.
    pub down_bursts: u64,
    /// Symbols of the uplink.
    pub up: u64,
    /// Symbols of contention among these.
    pub contention: u64,
    /// Symbols of bursts among these.
    pub up_bursts: u64,
}

impl AddAssign for FrameStats {
    fn add_assign(&mut self, other: FrameStats) {
        self.frames += other.frames;
        self.down += other.down;
        self.broadcast += other.broadcast;
        self.down_bursts += other.down_bursts;
        self.up += other.up;
        self.contention += other.contention;
        self.up_bursts += other.up_bursts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_at_an_instant_belongs_to_the_time_after_it() {
        let mut begun = Begun::<BurstStats>::default();
        let one = BurstStats { bursts: 1, ..BurstStats::default() };
        for at in [0, 5, 5, 10] {
            begun.add(Time(at), one);
        }
        let count = |begun: &Begun<BurstStats>, now| begun.before(Time(now)).bursts;
        assert_eq!([count(&begun, 10), count(&begun, 11)], [3, 4]);
        begun.begin_measurement(Time(10));
        assert_eq!([count(&begun, 10), count(&begun, 15)], [0, 1]);
        begun.begin_measurement(Time(15));
        assert_eq!(count(&begun, 15), 0);
    }
}
