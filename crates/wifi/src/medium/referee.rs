//! A medium as the referee of a cell: it plays, ahead of time, what follows when several stations begin at once.
//!
//! Where all stations decode all, nobody who does not begin with the first, or within the time in which that goes unnoticed,
//! begins before the air is free again. So all that follows is known at the first start: which frames are decoded amid others,
//! by whom, who answers, and until when each station waits. The cell has the stations, and lends them.

use super::bits;
use super::collision::{Collision, Glance};
use super::node::Awaited;
use super::verdict::{Delivery, Verdict};
use super::{Due, Happened, Medium};
use crate::errors::ErrorChannels;
use crate::exchange::Frame;
use crate::mlme::Channel;
use crate::outcome::Outcome;
use crate::rates::{RateRef, Rates};
use crate::station::Station;
use crate::witness::Witness;
use base::{Seed, StationId, Time};

/// A station begins.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    /// Which.
    pub station: StationId,
    /// When.
    pub start: Time,
    /// At which rates.
    pub rates: RateRef,
    /// Bits sent for its data.
    pub sent_bits: u64,
}

/// The parts of a cell that a play works with.
#[derive(Debug)]
pub struct Lent<'a> {
    /// Its stations.
    pub stations: &'a mut Vec<Station>,
    /// Their rates.
    pub rates: &'a mut Rates,
    /// Channels that lose frames which power and others leave whole.
    pub channels: &'a mut ErrorChannels,
}

/// An event of a play: its time, its place among those of an instant, and the number of its entry.
type Entry = ((Time, u8, u32), Due);

/// The referee of a cell.
#[derive(Clone, Debug)]
pub struct Referee {
    medium: Medium,
    agenda: Vec<Entry>,
    entered: u32,
    /// Stations that wait for an answer since before.
    waiting: Vec<StationId>,
    happened: Happened,
    /// Packets that arrive in the last play, as they arrive.
    pub deliveries: Vec<Delivery>,
    /// Exchanges that end in it, as they end.
    pub verdicts: Vec<Verdict>,
    /// By station: when its inter-frame space ends after it.
    pub resumes: Vec<Time>,
    /// Until when one of the stations has heard that the air is reserved.
    reserved_until: Time,
    collision: Collision,
}

impl Referee {
    /// Makes a referee of a medium on which all decode all ([`Medium::has_one_clock`]).
    pub fn new(medium: Medium) -> Referee {
        Referee {
            collision: Collision::new(medium.nodes.len()),
            medium,
            agenda: Vec::new(),
            entered: 0,
            waiting: Vec::new(),
            happened: Happened::default(),
            deliveries: Vec::new(),
            verdicts: Vec::new(),
            resumes: Vec::new(),
            reserved_until: Time::ZERO,
        }
    }

    /// Takes what the cell has from now on: its stations, their rates and their channels.
    pub fn hand_out(&mut self, seed: Seed) -> (Vec<Station>, Rates, ErrorChannels) {
        let rates = std::mem::replace(&mut self.medium.rates, Rates::new(seed));
        let channels = self.medium.errors.as_deref().cloned();
        let channels = channels.unwrap_or_else(|| ErrorChannels::ideal(seed));
        (std::mem::take(&mut self.medium.stations), rates, channels)
    }

    /// Returns the channel on which all are.
    pub fn channel(&self) -> Channel {
        self.medium.channels[0]
    }

    /// Returns the power at one station of what another sends, W.
    pub fn power_w(&self, from: StationId, at: StationId) -> f64 {
        self.medium.links.still_w(from, at)
    }

    /// Returns true if no station holds the air for reserved at `now`.
    #[inline(always)]
    pub fn is_free(&self, now: Time) -> bool {
        self.reserved_until <= now
    }

    /// Notes that the air is reserved for a station until `nav`, and that it keeps silent until `silent`.
    pub fn reserve(&mut self, station: StationId, nav: Time, silent: Time) {
        let node = &mut self.medium.nodes[station.index()];
        (node.nav, node.nav_reset, node.silent_until) = (nav, Time::NEVER, silent);
    }

    /// Notes that a station waits for an answer up to the time of this verdict, which then holds.
    pub fn await_answer(&mut self, &Verdict { station, outcome, took, at }: &Verdict) {
        let node = &mut self.medium.nodes[station.index()];
        let (awaited, cts_came, blame) = match outcome {
            Outcome::Success => return,
            Outcome::NoCts(cause) => (Awaited::Cts, false, cause),
            Outcome::NoAckAfterCts(cause) => (Awaited::Ack, true, cause),
            Outcome::NoAck(cause) => (Awaited::Ack, false, cause),
        };
        (node.awaited, node.cts_came, node.blame) = (Some(awaited), cts_came, blame);
        (node.deadline, node.exchange) = (at, took);
        if let Some(bystanders) = &mut self.medium.bystanders {
            bystanders.note_involved(station);
        }
        self.medium.solitude.waiting |= bits::of_word(0, station);
        self.waiting.push(station);
        self.enter(at, Due::Timeout(station));
    }

    fn enter(&mut self, at: Time, due: Due) {
        let phase = u8::from(!matches!(due, Due::Data(_)));
        self.agenda.push(((at, phase, self.entered), due));
        self.entered += 1;
    }

    /// Looks at data frames that begin together on a free air.
    pub fn glance(&mut self, frames: &[Frame], rates: &Rates) -> Glance {
        let glance = self.collision.look(&mut self.medium, frames, rates);
        if glance == Glance::Lost {
            self.reserved_until = frames.iter().map(|frame| frame.nav).max().unwrap_or(Time::ZERO);
        }
        glance
    }

    /// Returns when those who have decoded a frame of the last collision count again: see [`Collision::common_start`].
    pub fn common_start(&self, after: impl Fn(Time) -> Time) -> Option<Time> {
        self.collision.common_start(after)
    }

    /// Calls `told` with each station that has decoded a frame of the last collision, and with the end of its reservation.
    pub fn each_decoded(&mut self, rates: &Rates, told: impl FnMut(StationId, Time)) {
        self.collision.each_decoded(&mut self.medium, rates, told);
    }

    /// Marks those who have decoded none: see [`Collision::mark_missed`].
    pub fn mark_missed(&mut self, rates: &Rates, missed: &mut [u32]) {
        self.collision.mark_missed(&mut self.medium, rates, missed);
    }

    /// Gives reservations of the last collision that hold when a play begins to those who have decoded them.
    fn note_captures(&mut self, begun: &[Begun], rates: &Rates) {
        let start = begun.first().map_or(Time::ZERO, |begun| begun.start);
        if !self.is_free(start) {
            let mut captured = Vec::new();
            self.collision
                .each_decoded(&mut self.medium, rates, |at, nav| captured.push((at, nav)));
            for (at, nav) in captured {
                self.reserve(at, nav, Time::ZERO);
            }
        }
        self.collision.clear();
    }

    /// Plays what follows when these stations begin, in the order of their starts; returns when the air is free again.
    pub fn play<W: Witness>(
        &mut self,
        begun: &[Begun],
        mut lent: Lent<'_>,
        witness: &mut W,
    ) -> Time {
        self.note_captures(begun, lent.rates);
        self.swap(&mut lent);
        self.deliveries.clear();
        self.verdicts.clear();
        self.medium.verdicts = Some(std::mem::take(&mut self.verdicts));
        let end = self.play_on(begun, witness);
        // Who still waits for an answer will wait in vain.
        self.waiting.extend(begun.iter().map(|begun| begun.station));
        for station in self.waiting.drain(..) {
            let deadline = self.medium.nodes[station.index()].deadline;
            self.medium.fail(station, deadline, &mut self.happened);
        }
        self.verdicts = self.medium.verdicts.take().unwrap_or_default();
        self.let_resume(begun, end);
        self.swap(&mut lent);
        end
    }

    fn swap(&mut self, lent: &mut Lent<'_>) {
        std::mem::swap(&mut self.medium.stations, lent.stations);
        std::mem::swap(&mut self.medium.rates, lent.rates);
        if let Some(channels) = &mut self.medium.errors {
            std::mem::swap(&mut **channels, lent.channels);
        }
    }

    /// Plays until nobody sends any more.
    fn play_on<W: Witness>(&mut self, mut begun: &[Begun], witness: &mut W) -> Time {
        let mut end = Time::ZERO;
        loop {
            let next = self.agenda.iter().enumerate().min_by_key(|(_, (at, _))| *at);
            let next = next.map(|(place, ((at, ..), _))| (place, *at));
            // Starts come after all else that is due at their instant.
            if let Some((first, rest)) = begun.split_first()
                && next.is_none_or(|(_, at)| at > first.start)
            {
                if let Some(service) = self.medium.stations[first.station.index()].service {
                    let at = (first.rates, first.sent_bits);
                    let who = (first.station, &service);
                    self.medium.begin_exchange(who, at, first.start, witness);
                }
                begun = rest;
            } else if let Some((place, now)) = next {
                let (_, due) = self.agenda.swap_remove(place);
                self.medium.on_due(now, due, &mut self.happened, witness);
                if matches!(due, Due::Data(_) | Due::Control(_)) {
                    end = now;
                }
                if let Some((packet, to)) = self.happened.arrived.take() {
                    self.deliveries.push(Delivery { at: now, packet, to });
                }
            }
            let mut dues = std::mem::take(&mut self.medium.dues);
            for (at, due) in dues.drain(..) {
                self.enter(at, due);
            }
            self.medium.dues = dues;
            let is_over = |(_, due): &Entry| matches!(due, Due::Timeout(_));
            if begun.is_empty() && self.agenda.iter().all(is_over) {
                self.agenda.clear();
                return end;
            }
        }
    }

    /// Works out from when on each station counts slots, and until when one holds the air for reserved.
    fn let_resume(&mut self, begun: &[Begun], end: Time) {
        let nodes = &mut self.medium.nodes;
        self.resumes.clear();
        self.resumes.extend(nodes.iter().map(|node| node.space_ends(end)));
        let reserved = |node: &super::Node| node.reserved_until().max(node.silent_until);
        self.reserved_until = nodes.iter().map(reserved).max().unwrap_or(Time::ZERO);
        for begun in begun {
            // The next frame that it hears ends its wait, or that is over before.
            nodes[begun.station.index()].hold = Time::ZERO;
        }
    }
}
