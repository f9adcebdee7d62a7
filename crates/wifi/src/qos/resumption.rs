//! When the stations of a cell may send again: after the present exchange, and while a NAV is set.

use super::turn::Turn;
use base::{StationId, Time};

/// When the stations' spaces begin after the present exchange, reservations apart.
#[derive(Clone, Debug, Default)]
pub struct Resumption {
    /// For most.
    pub from: Time,
    /// Stations for which they begin at another time.
    pub apart: Vec<(StationId, Time)>,
    /// Stations to whose functions the medium is busy, since they wait for an answer, or for the data behind a CTS; and until when.
    pub awaiting: Vec<(StationId, Time)>,
}

impl Resumption {
    /// A sender waits for its answer until a timeout. Its spaces begin then, but not before the medium is `free` for it.
    pub fn hold_back(&mut self, sender: StationId, timeout: Time, free: Time) {
        self.apart.push((sender, timeout.max(free)));
        self.awaiting.push((sender, timeout));
    }

    /// True where a station waits for an answer, or for data.
    pub fn awaits(&self, station: StationId, now: Time) -> bool {
        self.awaiting.iter().any(|&(own, until)| own == station && now < until)
    }

    /// Another exchange begins.
    pub fn clear(&mut self) {
        self.apart.clear();
        self.awaiting.clear();
    }
}

/// A reservation: the NAV of all stations but some.
#[derive(Clone, Copy, Debug)]
struct Reservation {
    until: Time,
    /// The NAV that it sets: that of an RTS is given up where nobody begins before `until` (802.11-2020, 10.3.2.4).
    nav: Time,
    /// It has been. The stations that it bound have no NAV any more, not even that of a frame before it.
    is_given_up: bool,
    /// Whose frames have made it.
    owner: StationId,
    /// The station to which all of them have gone, if they have: they have not set its NAV (802.11-2020, 10.3.2.4).
    only: Option<StationId>,
}

impl Reservation {
    fn binds(&self, station: StationId) -> bool {
        station != self.owner && self.only != Some(station)
    }
}

/// All reservations of a cell that may not be over.
#[derive(Clone, Debug, Default)]
pub struct Reservations(Vec<Reservation>);

impl Reservations {
    /// Frames of `owner` reserve the medium, which may all have gone to one station.
    pub fn add(&mut self, until: Time, owner: StationId, only: Option<StationId>) {
        self.add_reset((until, until), owner, only);
    }

    /// The same of an RTS up to `nav`, which is given up at `reset` unless somebody begins before.
    pub fn add_reset(
        &mut self,
        (reset, nav): (Time, Time),
        owner: StationId,
        only: Option<StationId>,
    ) {
        let until = reset.min(nav);
        self.0.push(Reservation { until, nav, is_given_up: false, owner, only });
    }

    /// An exchange begins: some are over, and none is given up any more.
    pub fn prune(&mut self, now: Time) {
        let mut is_behind = false;
        self.0.retain_mut(|own| {
            let is_live = own.until > now;
            if is_live {
                (own.until, is_behind) = (own.nav, true);
            }
            own.is_given_up |= !is_live && own.until < own.nav;
            is_live || own.is_given_up && is_behind
        });
    }

    /// A CF-End, which all have heard, ends all (802.11-2020, 10.23.2.10).
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The last of some, in the order of their frames, that has set a NAV: a frame sets it that reserves for longer, or where
    /// what was reserved before has been given up.
    fn last<'a>(some: impl Iterator<Item = &'a Reservation>) -> Option<&'a Reservation> {
        let sets =
            |next: &Reservation, before: &Reservation| before.is_given_up || next.nav > before.nav;
        some.reduce(|before, next| if sets(next, before) { next } else { before })
    }

    /// True where no NAV is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The end of the NAV of stations that all of them bind.
    pub fn until(&self) -> Time {
        Reservations::last(self.0.iter()).map_or(Time::ZERO, |own| own.until)
    }

    /// The one that has set a station's NAV.
    fn of(&self, station: StationId) -> Option<&Reservation> {
        Reservations::last(self.0.iter().filter(|own| own.binds(station)))
    }

    /// The end of a station's NAV.
    pub fn nav(&self, station: StationId) -> Time {
        self.of(station).map_or(Time::ZERO, |own| own.until)
    }

    /// True where a station does not answer an RTS that ends at `now`: its NAV is set, and not by a frame of this sender
    /// (802.11-2020, 10.23.2.4).
    pub fn silences(&self, station: StationId, (sender, now): (StationId, Time)) -> bool {
        self.of(station).is_some_and(|own| own.owner != sender && now < own.until)
    }

    /// Those whose NAV some do not set.
    pub fn free(&self) -> impl Iterator<Item = StationId> {
        self.0.iter().flat_map(|own| [Some(own.owner), own.only]).flatten()
    }
}

/// A time within an exchange, or between two of a TXOP, in which some stations find the medium idle and no NAV set.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    pub start: Time,
    pub end: Time,
    pub of: Finders,
}

/// Who finds the medium idle in a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finders {
    /// All that neither send nor wait for an answer then.
    Bystanders,
    /// One station.
    One(StationId),
}

impl Gap {
    /// Never.
    pub const NONE: Gap = Gap { start: Time::NEVER, end: Time::NEVER, of: Finders::Bystanders };

    /// True where a station that waits for no answer finds the medium idle at `now`, during an exchange with these turns.
    pub fn is_found(&self, station: StationId, now: Time, turns: &[Turn]) -> bool {
        let sends = |turn: &Turn| turn.contender.station() == station && turn.took.end > now;
        let finds = || match self.of {
            Finders::Bystanders => !turns.iter().any(sends),
            Finders::One(only) => only == station,
        };
        now >= self.start && now < self.end && finds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_rts_that_is_given_up_takes_an_earlier_reservation_with_it() {
        let [owner, addressee, other] = [0, 1, 2].map(StationId);
        let at = |us| Time::ZERO + base::Span::micros(us);
        let mut all = Reservations::default();
        all.add(at(100), other, None);
        all.add_reset((at(40), at(150)), owner, Some(addressee));
        let third = StationId(3);
        assert_eq!([owner, addressee, third].map(|own| all.nav(own)), [at(100), at(100), at(40)]);
        all.prune(at(50));
        assert_eq!(
            [owner, addressee].map(|own| all.nav(own)),
            [at(100); 2],
            "it does not bind them"
        );
        assert!([other, third].iter().all(|&own| all.nav(own) <= at(50)), "their NAV is reset");
        assert!(!all.silences(third, (owner, at(60))) && all.silences(addressee, (owner, at(60))));
        all.add(at(90), addressee, None);
        assert_eq!(
            [owner, third].map(|own| all.nav(own)),
            [at(100), at(90)],
            "the next counts anew"
        );
        all.prune(at(100));
        assert!(all.is_empty());
    }
}
