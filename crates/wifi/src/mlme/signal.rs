//! The access points that a station has heard, and how strong.

use super::Channel;
use base::{Span, StationId};

/// An access point that was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownAccessPoint {
    /// Access point.
    pub access_point: StationId,
    /// Its channel.
    pub channel: Channel,
    /// Its beacon interval.
    pub interval: Span,
    /// Exponential mean of its beacons and probe responses, dBm.
    pub mean_dbm: f64,
    /// KnownAccessPoint in the present scan.
    pub fresh: bool,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    heard: Vec<KnownAccessPoint>,
}

impl Signals {
    /// A beacon or a probe response has come; `weight` is its share in the mean.
    pub fn note(&mut self, new: KnownAccessPoint, weight: f64) {
        match self.heard.iter_mut().find(|old| old.access_point == new.access_point) {
            Some(old) => {
                let mean_dbm = old.mean_dbm + weight * (new.mean_dbm - old.mean_dbm);
                *old = KnownAccessPoint { mean_dbm, ..new };
            }
            None => self.heard.push(new),
        }
    }

    /// A scan begins: what was heard before is forgotten, but for the station's own access point, whose mean goes on.
    pub fn begin_scan(&mut self, own: Option<StationId>) {
        self.heard.retain(|heard| Some(heard.access_point) == own);
        for heard in &mut self.heard {
            heard.fresh = false;
        }
    }

    /// Returns the record of an access point.
    pub fn of(&self, access_point: StationId) -> Option<&KnownAccessPoint> {
        self.heard.iter().find(|heard| heard.access_point == access_point)
    }

    /// One refused, or did not answer.
    pub fn forget(&mut self, access_point: StationId) {
        self.heard.retain(|heard| heard.access_point != access_point);
    }

    /// The strongest of those heard in the present scan, but for one; of equals the first by number.
    pub fn best_but(&self, own: Option<StationId>) -> Option<&KnownAccessPoint> {
        let others = self.heard.iter().filter(|h| h.fresh && Some(h.access_point) != own);
        others.max_by(|a, b| {
            a.mean_dbm.total_cmp(&b.mean_dbm).then(b.access_point.0.cmp(&a.access_point.0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(number: u32, mean_dbm: f64) -> KnownAccessPoint {
        let (channel, interval) = (1, Span::millis(100));
        KnownAccessPoint {
            access_point: StationId(number),
            channel,
            interval,
            mean_dbm,
            fresh: true,
        }
    }

    #[test]
    fn means_follow_by_their_weight_and_begin_anew_with_a_scan() {
        let mut signals = Signals::default();
        signals.note(heard(1, -60.0), 0.25);
        signals.note(heard(1, -64.0), 0.25);
        assert_eq!(signals.of(StationId(1)).map(|h| h.mean_dbm), Some(-61.0));
        signals.note(heard(2, -50.0), 0.25);
        signals.begin_scan(Some(StationId(1)));
        assert_eq!(signals.best_but(None), None);
        assert_eq!(signals.of(StationId(1)).map(|h| h.mean_dbm), Some(-61.0));
        assert_eq!(signals.of(StationId(2)), None);
    }

    #[test]
    fn the_strongest_is_best_and_of_equals_the_first() {
        let mut signals = Signals::default();
        for (number, dbm) in [(3, -50.0), (1, -50.0), (2, -70.0), (4, -40.0)] {
            signals.note(heard(number, dbm), 1.0);
        }
        assert_eq!(signals.best_but(None).map(|h| h.access_point.0), Some(4));
        assert_eq!(signals.best_but(Some(StationId(4))).map(|h| h.access_point.0), Some(1));
    }
}
