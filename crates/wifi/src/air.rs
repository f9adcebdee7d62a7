//! The air of one cell in which all hear all: which receivers a frame falls for, and what each remembers of it.
//!
//! Where all share one channel state, all remember the same and one record serves. Else each station has its own.

use crate::errors::ErrorChannels;
use crate::exchange::Frame;
use base::{StationId, Time};

/// A station's memory of the exchange that it heard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bystander {
    /// True if it could not decode the last frame.
    pub errored: bool,
    /// End of its NAV.
    pub nav: Time,
}

/// Channels, and what was heard.
#[derive(Clone, Debug)]
pub struct Air {
    channels: ErrorChannels,
    /// Whether bystanders could not decode the last frame: one record for all, or one for each station.
    errored: Vec<bool>,
    nav: Vec<Time>,
    /// Stations whose NAV differs from the record for all, since they sent or received a frame that set the others' NAV.
    apart: Vec<(StationId, Time)>,
    /// The latest reservation that bystanders heard in the present exchange, where one record serves, with its sender and
    /// addressee.
    heard: ((StationId, StationId), Time),
    /// The reservation of an RTS that nothing followed, and when it is given up unless the medium becomes busy before.
    unused: Option<(Time, Time)>,
}

impl Air {
    /// A quiet air.
    pub fn new(channels: ErrorChannels) -> Air {
        let records = channels.len();
        Air {
            channels,
            errored: vec![false; records],
            nav: vec![Time::ZERO; records],
            apart: Vec::new(),
            heard: ((StationId(0), StationId(0)), Time::ZERO),
            unused: None,
        }
    }

    /// Returns true if one record serves all bystanders but those set apart.
    pub fn is_uniform(&self) -> bool {
        self.nav.len() == 1
    }

    /// Returns the record of `station`.
    pub fn bystander(&self, station: StationId) -> Bystander {
        let record = if self.is_uniform() { 0 } else { station.index() };
        let own = self.apart.iter().find(|apart| apart.0 == station).map(|apart| apart.1);
        let nav = self.bound_until(own.unwrap_or(self.nav[record]));
        Bystander { errored: self.errored[record], nav }
    }

    /// Returns the record that serves all stations not set apart.
    #[inline(always)]
    pub fn common(&self) -> Bystander {
        Bystander { errored: self.errored[0], nav: self.bound_until(self.nav[0]) }
    }

    /// Returns the record of each bystander, in order, where each has one.
    pub fn bystanders(&self) -> impl Iterator<Item = Bystander> + '_ {
        let (unused, until) = self.unused.unwrap_or((Time::NEVER, Time::NEVER));
        let both = self.errored.iter().zip(&self.nav);
        both.map(move |(&errored, &nav)| Bystander {
            errored,
            nav: if nav == unused { until } else { nav },
        })
    }

    /// Stations whose NAV differs from the record for all.
    pub fn apart(&self) -> impl Iterator<Item = StationId> + '_ {
        self.apart.iter().map(|apart| apart.0)
    }

    /// True where more than half of the bystanders could not decode the last frame.
    pub fn most_errored(&self) -> bool {
        self.errored.iter().filter(|&&errored| errored).count() * 2 > self.errored.len()
    }

    /// True where one record serves for all, and no reservation lasts beyond `end`.
    #[inline(always)]
    pub fn is_free(&self, end: Time) -> bool {
        self.is_uniform() && self.apart.is_empty() && self.nav[0] <= end
    }

    /// An exchange begins at `start`: nobody has heard of it, but reservations made earlier last.
    #[inline(always)]
    pub fn begin(&mut self, start: Time) {
        if self.is_uniform() && self.apart.is_empty() && self.unused.is_none() {
            self.errored[0] = false;
        } else {
            self.begin_amid_reservations(start);
        }
    }

    fn begin_amid_reservations(&mut self, start: Time) {
        self.errored.fill(false);
        if let Some((nav, until)) = self.unused.take()
            && until <= start
        {
            for own in self.nav.iter_mut().chain(self.apart.iter_mut().map(|apart| &mut apart.1)) {
                if *own == nav {
                    *own = until;
                }
            }
        }
        if self.nav[0] <= start {
            self.apart.retain(|apart| apart.1 > start);
        }
    }

    /// Returns true if no channel loses a frame.
    pub fn is_ideal(&self) -> bool {
        self.channels.is_ideal()
    }

    /// Returns the channels.
    pub fn channels(&mut self) -> &mut ErrorChannels {
        &mut self.channels
    }

    /// Forgets reservations.
    pub fn clear(&mut self) {
        self.nav.fill(Time::ZERO);
        self.apart.clear();
        self.unused = None;
    }

    /// Nobody could decode the last frame.
    pub fn all_errored(&mut self) {
        self.errored.fill(true);
    }

    /// Gives the reservations that last until `nav` up at `until`, if nobody begins before (802.11-2020, 10.3.2.4).
    pub fn give_up(&mut self, nav: Time, until: Time) {
        self.unused = Some((nav, until));
    }

    #[inline(always)]
    fn bound_until(&self, nav: Time) -> Time {
        match self.unused {
            Some((unused, until)) if unused == nav => until,
            _ => nav,
        }
    }

    /// Bits sent for a data frame ([`ErrorChannels::coded_bits`]).
    #[inline]
    pub fn coded_bits(&mut self, bits: u64, way: (StationId, StationId), now: Time) -> u64 {
        self.channels.coded_bits(bits, way, now)
    }

    /// Puts a frame on the air; true where its addressee can decode it.
    #[inline(always)]
    pub fn carry(&mut self, frame: &Frame) -> bool {
        let can_be_lost = self.channels.can_hit(frame);
        if self.is_uniform() {
            let lost = can_be_lost && self.channels.loses_for_all(frame);
            self.errored[0] = lost;
            if frame.to == frame.from {
                self.reserve((frame.from, frame.from), if lost { Time::ZERO } else { frame.nav });
            } else if !lost && frame.nav > self.heard.1 {
                self.heard = ((frame.from, frame.to), frame.nav);
            }
            return !lost;
        }
        self.carry_to_each(frame, can_be_lost)
    }

    fn carry_to_each(&mut self, frame: &Frame, can_be_lost: bool) -> bool {
        let Air { channels, errored, nav, .. } = self;
        let to = frame.to.index();
        // A frame sets no NAV at its addressee.
        let own = nav[to];
        let note = |(errored, nav): (&mut bool, &mut Time), lost: bool| {
            *errored = lost;
            if !lost {
                *nav = (*nav).max(frame.nav);
            }
        };
        let records = errored.iter_mut().zip(nav.iter_mut());
        if can_be_lost {
            channels.loses_for_each(frame, records, note);
        } else {
            let others = records.enumerate().filter(|(at, _)| *at != frame.from.index());
            others.for_each(|(_, record)| note(record, false));
        }
        nav[to] = own;
        frame.to != frame.from && !errored[to]
    }

    /// The exchange ends: reservations that outlast it bind all but its two stations.
    #[inline(always)]
    pub fn end(&mut self, end: Time) {
        let (pair, nav) = self.heard;
        if nav > end {
            self.reserve(pair, nav);
        }
        self.heard.1 = Time::ZERO;
    }

    /// All but these two have decoded a frame that binds them.
    fn reserve(&mut self, pair: (StationId, StationId), nav: Time) {
        let common = self.nav[0];
        for station in [pair.0, pair.1] {
            if self.apart.iter().all(|apart| apart.0 != station) {
                self.apart.push((station, common));
            }
        }
        for (station, own) in &mut self.apart {
            if *station != pair.0 && *station != pair.1 {
                *own = (*own).max(nav);
            }
        }
        self.nav[0] = common.max(nav);
    }
}
