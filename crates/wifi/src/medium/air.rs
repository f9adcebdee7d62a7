//! A frame goes on the air, and off it: what each station notices.

use super::bits;
use super::frame::Slot;
use super::receiver::{Fate, Hold, Lock};
use super::{Due, Happened, Medium};
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::GROUP;
use crate::outcome::Failure;
use crate::witness::{Heard, Sent, Witness};
use base::{StationId, Time};

impl Medium {
    /// Puts a frame on the air at its start. Its sender must not be sending.
    pub(super) fn launch<W: Witness>(&mut self, frame: Frame, witness: &mut W) {
        witness.sent(|| self.sent(&frame));
        let (from, now) = (frame.from, frame.start);
        self.end_solitude();
        self.tell_station(from);
        self.leave_clock_in_time(from);
        if frame.to != GROUP {
            self.leave_clock_in_time(frame.to);
        }
        if let Some(bystanders) = &mut self.bystanders {
            bystanders.note_involved(from);
        }
        self.starts.set(from, Time::NEVER);
        self.go_deaf(&frame);
        let is_alone = self.may_be_alone(&frame, witness.is_listening());
        let slot = self.frames.insert(frame);
        self.nodes[from.index()].sending = Some(slot);
        let channel = self.channels[from.index()];
        let sifs = self.nodes[from.index()].waits.sifs;
        self.busy_of(channel).begin(now, sifs);
        if frame.to != GROUP && self.channels[frame.to.index()] != channel {
            self.frames.blame(slot, Failure::Away);
        }
        if is_alone {
            self.begin_alone((slot, &frame));
        } else {
            self.tell_past_to_all();
            self.spread((slot, &frame), witness.is_listening());
        }
        self.schedule(frame.end(), Due::end_of(frame.kind, slot));
        if self.edca.is_some() {
            self.expect_mpdus(slot, &frame);
        }
    }

    /// Begins a frame at all stations that it reaches.
    fn spread(&mut self, (slot, frame): (Slot, &Frame), is_witnessed: bool) {
        let waits = self.bystanders.is_some();
        if self.classes.is_some() {
            if is_witnessed {
                self.part_clocks();
            }
            self.spread_to_clocks(slot, frame);
        }
        if waits && (is_witnessed || frame.kind == Kind::Group) {
            self.tell_all_near(frame.from);
        } else if waits {
            self.spread_to_bystanders(slot, frame);
        }
        for word in self.links.words_near(frame.from) {
            let mut near = self.hear_for_themselves(word, self.links.near(frame.from)[word]);
            if let Some(bystanders) = &mut self.bystanders {
                near = bystanders.involve(word, near);
            }
            self.frames.note_told(slot, word, near);
            self.reach((slot, frame), bits::stations(word, near));
        }
    }

    /// A frame begins to reach these stations.
    #[inline(always)]
    fn reach(&mut self, (slot, frame): (Slot, &Frame), stations: bits::Stations) {
        let (several, channel) = (!self.is_one_channel, self.channels[frame.from.index()]);
        for to in stations {
            if several && self.channels[to.index()] != channel {
                continue;
            }
            let power_w = self.links.power_w(frame.from, to, frame.start);
            let is_heard = power_w >= self.levels.floor_w;
            if is_heard
                && !self.enters_clock(to, (slot, frame))
                && !self.hear_alone(to, (slot, frame), power_w)
            {
                self.hear(to, (slot, frame), power_w);
            }
        }
    }

    /// Whoever sends hears nothing.
    fn go_deaf(&mut self, frame: &Frame) {
        let from = frame.from;
        let node = &mut self.nodes[from.index()];
        node.go_deaf();
        if let Some(lock) = node.lock.take() {
            let heard = self.frames.get(lock.slot).filter(|heard| heard.to == from);
            if heard.is_some() {
                // An answer is due whatever the state of the medium: a station that disturbs it did not know of the
                // exchange.
                let hidden = frame.kind.is_answer();
                let cause = if hidden { Failure::Hidden } else { Failure::Collision };
                self.frames.blame(lock.slot, cause);
            }
            self.await_in_vain(from, frame.start);
        }
        self.sense(from, frame.start);
    }

    /// The medium becomes busy for a station.
    #[inline(always)] // for all whom a frame reaches
    fn sense(&mut self, station: StationId, now: Time) {
        let (node, rest) = (&mut self.nodes[station.index()], &mut self.stations[station.index()]);
        if node.sense(now, || rest.draw_backoff()) {
            self.starts.set(station, Time::NEVER);
        }
    }

    /// The medium becomes busy for a station with a frame of `from`.
    #[inline(always)] // for all whom a frame reaches
    pub(super) fn sense_first(&mut self, station: StationId, from: StationId, now: Time) {
        let loses_slot = self.nodes[station.index()].loses_slot(from, now);
        self.sense(station, now);
        if loses_slot {
            self.nodes[station.index()].counter.give_back();
        }
    }

    /// A frame begins to reach a station that it does not address and that notices nothing else: what most stations are to
    /// most frames. False where more than this has to be asked.
    #[inline(always)] // one caller
    fn hear_alone(&mut self, at: StationId, (slot, frame): (Slot, &Frame), power_w: f64) -> bool {
        let node = &mut self.nodes[at.index()];
        if !node.is_at_leisure() || frame.to == at || !self.levels.are_followed(power_w) {
            return false;
        }
        self.frames.reach(slot, at, power_w);
        (node.sensed, node.noticed) = (1, true);
        let hold = Hold::first(frame.preamble(), power_w, (&self.levels, false));
        node.lock = Some(Lock::new((slot, frame), at, hold));
        let rest = &mut self.stations[at.index()];
        if node.sense(frame.start, || rest.draw_backoff()) {
            self.starts.set(at, Time::NEVER);
        }
        true
    }

    /// A frame begins to reach a station.
    fn hear(&mut self, at: StationId, (slot, frame): (Slot, &Frame), power_w: f64) {
        let now = frame.start;
        self.count_hazard(at, now);
        if self.levels.bit_by_bit {
            self.suspect(at, frame.from, now);
        }
        self.frames.reach(slot, at, power_w);
        let for_me = frame.to == at;
        if for_me && power_w < self.levels.receive_w {
            self.blame_weakness(at, slot, now);
        }
        if power_w < self.levels.sense_w {
            return;
        }
        let node = &mut self.nodes[at.index()];
        let others = node.sensed > 0;
        node.sensed += 1;
        node.noticed = true;
        if node.sending.is_some() {
            if for_me {
                self.blame_rival(at, slot, at, now);
            }
            return;
        }
        // Carrier sense changes only with the first of several transmissions; slots stop there (10.3.4.3).
        if !others {
            self.sense_first(at, frame.from, now);
        }
        match self.nodes[at.index()].lock {
            Some(lock) => self.compete(at, lock, (slot, frame), power_w),
            None if power_w >= self.levels.follow_w => {
                if for_me {
                    self.blame_others(at, slot, now);
                }
                let hold = Hold::first(frame.preamble(), power_w, (&self.levels, others));
                self.nodes[at.index()].lock = Some(Lock::new((slot, frame), at, hold));
            }
            None => {}
        }
    }

    /// A frame begins while a station listens to another.
    fn compete(&mut self, at: StationId, lock: Lock, (slot, frame): (Slot, &Frame), power_w: f64) {
        let now = frame.start;
        let met = lock.hold.meet(now, power_w, &self.reception);
        if met.spoils {
            self.spoil(at, frame.from, now);
        }
        // Bit by bit, the frame that it listens to from now on can be lost to the one before, which goes on.
        if frame.to == at && (self.levels.bit_by_bit || !(met.takes_over && met.alone)) {
            let old_from = self.frames.get(lock.slot).map_or(at, |frame| frame.from);
            self.blame_rival(at, slot, old_from, now);
        }
        if met.takes_over {
            self.suspect(at, frame.from, now);
            let hold = lock.hold.after(frame.preamble(), power_w, met.alone);
            self.nodes[at.index()].lock = Some(Lock::new((slot, frame), at, hold));
        }
    }

    /// Thresholds say that the frame a station listens to cannot be decoded any more.
    fn spoil(&mut self, at: StationId, rival: StationId, now: Time) {
        if let Some(lock) = &mut self.nodes[at.index()].lock {
            lock.hold.spoiled = true;
        }
        self.suspect(at, rival, now);
    }

    /// A frame leaves the air.
    pub(super) fn end_frame<W: Witness>(
        &mut self,
        slot: Slot,
        now: Time,
        happened: &mut Happened,
        witness: &mut W,
    ) {
        let Some(&frame) = self.frames.get(slot) else { return };
        self.busy_of(self.channels[frame.from.index()]).end(now);
        if frame.kind != Kind::End {
            self.nodes[frame.owner().index()].exchange.end = now;
        }
        self.fall_silent(&frame, now);
        if self.is_in_parts(&frame) {
            self.settle_parts(slot, &frame, witness);
        }
        let decoded = match self.solitude.take_if_of(slot) {
            Some(heard) => self.end_alone((slot, &frame), heard, (now, witness), happened),
            None => self.end_everywhere((slot, &frame), (now, witness), happened),
        };
        if frame.kind == Kind::Group {
            self.conclude_group(frame.from, now, happened);
        } else if !decoded && frame.to != GROUP {
            self.blame_owner(slot, now);
        }
        self.await_answer(&frame, decoded, now, happened);
        self.note_quiet(frame.from);
        self.frames.remove(slot, self.links.words_near(frame.from));
        self.note_free(frame.from);
    }

    /// A frame ends for all that hear it; true where its addressee has decoded it.
    #[inline(always)] // one caller
    fn end_everywhere<W: Witness>(
        &mut self,
        (slot, frame): (Slot, &Frame),
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        let mut decoded = false;
        self.end_at_clocks(slot, frame);
        for word in self.links.words_near(frame.from) {
            for to in bits::stations(word, self.frames.told(slot, word)) {
                let power_w = self.frames.power_w(slot, to);
                if power_w > 0.0 {
                    let here =
                        self.stop_hearing(to, (slot, frame), power_w, (now, witness), happened);
                    decoded |= here && to == frame.to;
                    self.frames.leave(slot, to);
                    self.note_quiet(to);
                }
            }
        }
        self.end_for_bystanders(slot, frame);
        decoded
    }

    /// A frame no longer reaches a station; true where it was decoded there.
    #[inline]
    fn stop_hearing<W: Witness>(
        &mut self,
        at: StationId,
        (slot, frame): (Slot, &Frame),
        power_w: f64,
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        self.count_hazard(at, now);
        if power_w < self.levels.sense_w {
            return false;
        }
        let node = &mut self.nodes[at.index()];
        node.sensed -= 1;
        let lock = node.lock.filter(|lock| lock.slot == slot);
        let fate = match lock {
            None => None,
            Some(lock) if self.is_in_parts(frame) => Some(self.fate_of_parts(at, &lock, frame)),
            Some(lock) => Some(self.fate_of_whole(at, &lock, frame)),
        };
        let noticed = lock.is_some_and(|lock| lock.hold.power_w >= self.levels.receive_w);
        self.conclude_hearing(
            at,
            (slot, frame),
            (fate, noticed, Some(power_w)),
            (now, witness),
            happened,
        )
    }

    /// A station hears a frame no longer. `fate` is that of its reception, if it listened to the frame; `noticed`: it was
    /// strong enough to be received.
    #[inline(always)] // for all whom a frame reaches
    pub(super) fn conclude_hearing<W: Witness>(
        &mut self,
        at: StationId,
        (slot, frame): (Slot, &Frame),
        (fate, noticed, power_w): (Option<Fate>, bool, Option<f64>),
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        let node = &mut self.nodes[at.index()];
        let decoded = fate == Some(Fate::Decoded);
        let for_me = frame.to == at;
        if let Some(fate) = fate {
            node.lock = None;
            node.errored = !decoded;
            if decoded && !for_me {
                // Stations with functions may belong to several generations.
                let timeout = match node.functions {
                    Some(_) => self.rates.timing(frame.rates).nav_timeout,
                    None => node.waits.nav_timeout,
                };
                node.overhear_at_rate(frame, timeout, now);
            }
            if for_me && frame.kind == Kind::Data {
                node.silent_until = Time::ZERO;
            }
            if for_me && fate == Fate::Noise {
                self.frames.blame_anew(slot, Failure::Channel);
            }
        }
        let waits = node.awaited.is_some();
        // A frame that has been received ends the wait for an answer, whatever it was (10.3.2.9, 10.3.2.11). Where the wait was
        // over, its space is that of this frame, at least.
        if noticed {
            node.hold = Time::ZERO;
        }
        // EIFS or DIFS from here, as this very frame was decoded or not (10.3.2.3.7).
        if node.resume_if_idle(now) {
            self.starts.set(at, node.start());
        }
        if decoded && frame.kind == Kind::Ack {
            node.answerer = (frame.from, node.counter.runs_from());
        }
        if noticed {
            let heard = Heard { from: frame.from, at, power_w, decoded };
            witness.heard(std::iter::once(heard));
            if waits || for_me || frame.kind == Kind::Group {
                self.on_reception(at, frame, decoded, (slot, now), happened);
            }
        }
        decoded
    }

    /// Lets a station count slots again where it notices nobody.
    #[inline]
    pub(super) fn resume_if_idle(&mut self, station: StationId, now: Time) {
        if self.nodes[station.index()].resume_if_idle(now) {
            self.note_start(station);
        }
    }

    fn sent(&self, frame: &Frame) -> Sent {
        let (rates, channel) =
            (self.rates.bit_rates(frame.rates), self.channels[frame.from.index()]);
        if let Some((edca, begun)) = self.exchange_of(frame.owner()) {
            return edca.stations.sent(frame, begun, &self.rates, Some(channel));
        }
        let details = self.stations[frame.from.index()].frame_details(frame.kind);
        Sent::new(frame, rates, Some(channel), details)
    }
}
