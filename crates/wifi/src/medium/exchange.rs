//! A station's actions: begin, answer, wait, conclude. The rules are those of the cell in which all hear all.

use super::bits;
use super::frame::Slot;
use super::node::Awaited;
use super::verdict::Verdict;
use super::{Due, Happened, Medium};
use crate::config::SilenceRule;
use crate::exchange::{Frame, Sequence};
use crate::frames::{Kind, Timing};
use crate::outcome::{Failure, Outcome};
use crate::rates::RateRef;
use crate::station::{Interval, Service};
use crate::witness::Witness;
use base::{StationId, Time};
use net::{DropReason, Ended};

impl Medium {
    /// Begins the exchanges of all stations that start at this instant: none of them notices another.
    pub(super) fn begin_exchanges<W: Witness>(
        &mut self,
        winners: &[StationId],
        now: Time,
        witness: &mut W,
    ) {
        for &station in winners {
            let Some(service) = self.stations[station.index()].service else { continue };
            let way = (station, service.to);
            let (rates, rate) = if service.is_basic() {
                let rates = self.rates.first(way);
                (rates, self.rates.bit_rates(rates).2)
            } else {
                let rates = self.rates.choose(now, way, service.is_new());
                (rates, self.rates.bit_rates(rates).0)
            };
            self.stations[station.index()].count_attempt(rate);
            // Decided once, at the start: an RTS must announce how long the data will take.
            let coded = self.errors.as_mut().filter(|_| !service.is_basic());
            let sent_bits = coded
                .map_or(service.mpdu_bits, |errors| errors.coded_bits(service.mpdu_bits, way, now));
            self.begin_exchange((station, &service), (rates, sent_bits), now, witness);
        }
    }

    /// Begins an exchange with its first frame, at rates and with a length of its data that have been decided.
    pub(super) fn begin_exchange<W: Witness>(
        &mut self,
        (station, service): (StationId, &Service),
        (rates, sent_bits): (RateRef, u64),
        now: Time,
        witness: &mut W,
    ) {
        let node = &mut self.nodes[station.index()];
        (node.exchange, node.rates) = (Interval { start: now, end: now }, rates);
        (node.blame, node.cts_came, node.reply) = (Failure::Channel, false, None);
        node.sent_bits = sent_bits;
        let sequence = self.sequence(station, service);
        let frame = if service.uses_rts {
            sequence.rts(now)
        } else if sequence.is_announced() {
            sequence.announcement(now)
        } else {
            sequence.data(now)
        };
        self.launch(frame, witness);
    }

    /// A SIFS has passed since a station was asked to answer.
    pub(super) fn answer<W: Witness>(&mut self, station: StationId, now: Time, witness: &mut W) {
        let reply = self.nodes[station.index()].reply.take_if(|reply| reply.start == now);
        if let Some(frame) = reply {
            self.launch(frame, witness);
            if frame.kind.is_answer() && !self.hears_answer(frame.to) {
                self.await_in_vain(frame.to, now);
            }
        } else if self.edca.is_some() {
            self.go_on_with_txop(station, now, witness);
        } else {
            self.tell_past_to_all();
            self.give_up_waiting_for(station);
            (0..self.nodes.len() as u32).for_each(|of| self.await_in_vain(StationId(of), now));
        }
    }

    /// True where a station listens to a frame that it may decode.
    #[inline]
    fn hears_answer(&self, station: StationId) -> bool {
        let lock = self.nodes[station.index()].lock;
        let is_followed = lock.map(|lock| lock.hold.power_w >= self.levels.receive_w);
        is_followed.unwrap_or_else(|| self.solitude.is_decoded_at(station))
    }

    /// Gives a station that waits for an answer which does not reach it an event at its deadline.
    pub(super) fn await_in_vain(&mut self, station: StationId, now: Time) {
        let node = &self.nodes[station.index()];
        if node.awaited.is_some() && (now..Time::NEVER).contains(&node.deadline) {
            self.schedule(node.deadline, Due::Timeout(station));
        }
    }

    /// A sender has waited for an answer; one that has begun is heard out.
    pub(super) fn time_out(&mut self, station: StationId, now: Time, happened: &mut Happened) {
        let node = &self.nodes[station.index()];
        if node.awaited.is_none() || node.deadline != now {
            return;
        }
        // An answer that has begun by the timeout counts: PHY-RXSTART within it, whenever its end (10.3.2.11).
        if self.hears_answer(station) {
            self.nodes[station.index()].deadline = Time::NEVER;
        } else {
            self.fail(station, now, happened);
            self.note_quiet(station);
        }
    }

    /// The sender of a frame has come to its end.
    pub(super) fn fall_silent(&mut self, frame: &Frame, now: Time) {
        let &Timing { timeout, after_timeout, .. } = self.rates.timing(frame.rates);
        let node = &mut self.nodes[frame.from.index()];
        node.sending = None;
        let awaited = match frame.kind {
            Kind::Rts => Some(Awaited::Cts),
            Kind::Data | Kind::BlockAckRequest => Some(Awaited::Ack),
            _ => None,
        };
        if frame.to == frame.from {
            self.send_announced(frame.from, now);
            return;
        }
        // In ns-2 the sender of a CTS is bound to its exchange until the data have come or should have.
        if frame.kind == Kind::Cts && node.silence == SilenceRule::WhileItAwaitsData {
            node.silent_until = frame.nav;
        }
        if awaited.is_some() {
            node.awaited = awaited;
            self.solitude.waiting |= bits::of_word(0, frame.from);
            // The backoff does not run while the answer can come (10.3.2.9, 10.3.2.11).
            // Access functions add their own spaces to what is held.
            let has_functions = node.functions.is_some();
            node.hold = now + if has_functions { timeout } else { after_timeout };
            node.deadline = now + timeout;
        }
        self.resume_if_idle(frame.from, now);
    }

    /// A frame that wants an answer has ended, and its addressee has decoded it or not.
    #[inline]
    pub(super) fn await_answer(
        &mut self,
        frame: &Frame,
        decoded: bool,
        now: Time,
        happened: &mut Happened,
    ) {
        let wants_answer = matches!(frame.kind, Kind::Rts | Kind::Data | Kind::BlockAckRequest);
        if !wants_answer {
            return;
        }
        let deadline = self.nodes[frame.from.index()].deadline;
        if !decoded && self.may_fail_early(frame, deadline) {
            self.fail(frame.from, now, happened);
        } else if !decoded || !self.is_owed_answer(frame) {
            self.schedule(deadline, Due::Timeout(frame.from));
        }
    }

    /// True where the addressee of a frame answers after a SIFS. Whether that is heard is asked when it begins: most are, and
    /// their senders need no event at the deadline. A station that may change its channel has one.
    #[inline]
    fn is_owed_answer(&self, frame: &Frame) -> bool {
        let reply = &self.nodes[frame.to.index()].reply;
        let to_sender = reply.as_ref().is_some_and(|reply| reply.to == frame.from);
        to_sender && self.managers.is_empty() && self.edca.is_none()
    }

    /// True where it can be told already that an exchange has failed, whose frame nobody will answer, though its sender learns of it
    /// at `deadline`, or when it has heard another frame before: it tries again, and slots pass no earlier. Nobody is told of it.
    fn may_fail_early(&self, frame: &Frame, deadline: Time) -> bool {
        let Some(classes) = &self.classes else { return false };
        let (node, station) = (&self.nodes[frame.from.index()], &self.stations[frame.from.index()]);
        // A station that counts no slots before then does not begin amid a frame that ends its wait.
        let is_held = node.hold >= deadline + self.sense_time;
        is_held && !node.cts_came && station.will_try_again() && deadline < classes.last_wait
    }

    /// A CTS to oneself has ended.
    fn send_announced(&mut self, station: StationId, now: Time) {
        self.reply_with_data(station, now);
        self.resume_if_idle(station, now);
    }

    /// A station has listened to a frame to its end.
    pub(super) fn on_reception(
        &mut self,
        at: StationId,
        frame: &Frame,
        decoded: bool,
        (slot, now): (Slot, Time),
        happened: &mut Happened,
    ) {
        let for_me = decoded && frame.to == at;
        match (self.nodes[at.index()].awaited, frame.kind) {
            (Some(Awaited::Cts), Kind::Cts) if for_me => self.send_after_cts(at, now),
            (Some(Awaited::Ack), Kind::Ack | Kind::BlockAck) if for_me => {
                self.conclude(at, Outcome::Success, now, happened);
            }
            (Some(_), _) => {
                if frame.to == at && !decoded {
                    self.blame_owner(slot, now);
                }
                self.fail(at, now, happened);
            }
            (None, _) => {}
        }
        match frame.kind {
            Kind::Rts if for_me => self.answer_rts(at, frame, now),
            Kind::Data if for_me && self.is_in_parts(frame) => {
                self.take_parts(at, frame, now, happened);
            }
            Kind::Data if for_me && self.exchange_of(frame.from).is_some() => {
                self.take_action(at, frame, now);
            }
            Kind::BlockAckRequest if for_me => self.take_request(at, frame, now, happened),
            Kind::Data if for_me => self.take_data(at, frame, (slot, now), happened),
            Kind::Group if decoded => self.take_group(at, frame, slot, happened),
            _ => {}
        }
    }

    fn send_after_cts(&mut self, station: StationId, now: Time) {
        let node = &mut self.nodes[station.index()];
        (node.awaited, node.cts_came) = (None, true);
        self.reply_with_data(station, now);
    }

    /// The data of a station's exchange follow a SIFS after `now`.
    fn reply_with_data(&mut self, station: StationId, now: Time) {
        let start = now + self.nodes[station.index()].waits.sifs;
        let data = match self.exchange_of(station) {
            Some((edca, begun)) => edca.stations.first(begun, start, &self.rates),
            None => {
                let Some(service) = self.stations[station.index()].service else { return };
                self.sequence(station, &service).data(start)
            }
        };
        self.reply(data);
    }

    fn answer_rts(&mut self, at: StationId, rts: &Frame, now: Time) {
        if !self.nodes[at.index()].may_answer(rts, now) {
            self.nodes[rts.from.index()].blame = Failure::Hidden;
            return;
        }
        let cts = match self.exchange_of(rts.from) {
            Some((edca, begun)) => edca.stations.cts(begun, rts, &self.rates),
            None => Sequence::cts(self.rates.timing(rts.rates), rts),
        };
        let node = &mut self.nodes[at.index()];
        if let Some(functions) = &mut node.functions {
            functions.promised = cts.end() + node.waits.sifs;
        }
        self.reply(cts);
    }

    #[inline]
    fn take_data(
        &mut self,
        at: StationId,
        data: &Frame,
        (slot, now): (Slot, Time),
        happened: &mut Happened,
    ) {
        let ack = Sequence::ack(self.rates.timing(data.rates), data);
        self.reply(ack);
        let Some(service) = self.stations[data.from.index()].service.as_mut() else { return };
        if service.delivered {
            let counted = self.stations[data.from.index()].is_counted();
            self.stations[at.index()].stats.duplicates += u64::from(counted);
            return;
        }
        service.delivered = true;
        let (packet, management) = (service.id, service.management);
        if self.managers.is_empty() && management.is_none() {
            happened.arrived = Some((packet, at));
            return;
        }
        match management {
            Some(frame) => self.note_management(at, (data.from, frame), slot),
            None if self.takes_from(at, data.from) => {
                self.note_unknown(at, data.from);
                happened.arrived = Some((packet, at));
                self.note_delivery((data.from, at), now, happened);
            }
            None => {
                self.note_unknown(at, data.from);
                let dropped = Some((packet, DropReason::Handoff));
                happened.ended.push(Ended { station: at, dropped });
            }
        }
    }

    fn take_group(&mut self, at: StationId, frame: &Frame, slot: Slot, happened: &mut Happened) {
        match self.stations[frame.from.index()].service.and_then(|service| service.management) {
            Some(management) => self.note_management(at, (frame.from, management), slot),
            None => happened.hearers.push(at),
        }
    }

    /// Concludes a group frame when it has been sent. It counts as a success, whichever stations heard it.
    pub(super) fn conclude_group(&mut self, from: StationId, now: Time, happened: &mut Happened) {
        if let Some(service) = self.stations[from.index()].service
            && service.management.is_none()
        {
            happened.broadcast = Some(service.id);
        }
        self.conclude(from, Outcome::Success, now, happened);
    }

    pub(super) fn reply(&mut self, frame: Frame) {
        self.schedule(frame.start, Due::Answer(frame.from));
        self.solitude.answer_at = frame.start;
        self.nodes[frame.from.index()].reply = Some(frame);
    }

    /// No answer came.
    pub(super) fn fail(&mut self, station: StationId, now: Time, happened: &mut Happened) {
        let node = &self.nodes[station.index()];
        let outcome = match node.awaited {
            Some(Awaited::Cts) => Outcome::NoCts(node.blame),
            Some(Awaited::Ack) if node.cts_came => Outcome::NoAckAfterCts(node.blame),
            Some(Awaited::Ack) => Outcome::NoAck(node.blame),
            None => return,
        };
        self.conclude(station, outcome, now, happened);
    }

    /// An exchange is over for its sender.
    fn conclude(&mut self, at: StationId, outcome: Outcome, now: Time, happened: &mut Happened) {
        let node = &mut self.nodes[at.index()];
        (node.awaited, node.deadline) = (None, Time::NEVER);
        if self.exchange_of(at).is_some() {
            return self.conclude_function(at, outcome, now, happened);
        }
        let node = &mut self.nodes[at.index()];
        if let Some(verdicts) = &mut self.verdicts {
            verdicts.push(Verdict { station: at, outcome, took: node.exchange, at: now });
            return;
        }
        let station = &mut self.stations[at.index()];
        if let Some(service) = station.service.filter(|service| service.management.is_none()) {
            self.rates.conclude(at, service.to, outcome);
        }
        // Every exchange is followed by a backoff, successful or not, with a frame behind it or none (10.3.4.3).
        let before = if self.managers.is_empty() { None } else { station.service };
        let dropped = station.conclude(outcome, node.exchange);
        let is_over = station.service.is_none();
        if station.is_held() {
            station.set_aside();
        }
        node.counter.draw(station.draw_backoff());
        if is_over && let Some(service) = before {
            self.note_sent(at, &service, outcome == Outcome::Success);
        }
        self.note_free(at);
        self.load(now, at);
        if self.stations[at.index()].service.is_some() {
            self.nodes[at.index()].counter.arm();
        }
        self.note_start(at);
        happened.ended.push(Ended { station: at, dropped });
    }

    /// A station's exchange, as far as it has come: up to its last frame, or to `now` where one of its frames is on the
    /// air or will follow within a SIFS. `None`: it has none, or has given it up.
    pub(super) fn present_exchange(&self, of: StationId, now: Time) -> Option<Interval> {
        let node = &self.nodes[of.index()];
        let on_air = self.frames.slots().filter_map(|slot| self.frames.get(slot));
        let replies = self.nodes.iter().filter_map(|node| node.reply.as_ref());
        // A CF-End ends a TXOP, whose last exchange is over and counted.
        let counts = |frame: &&Frame| frame.owner() == of && frame.kind != Kind::End;
        let mut own = on_air.chain(replies).filter(counts).peekable();
        let goes_on = own.peek().is_some();
        let is_over = node.awaited.is_none() && !own.any(|frame| frame.from == of);
        let Interval { start, end } = node.exchange;
        (!is_over).then_some(Interval { start, end: if goes_on { now } else { end } })
    }

    /// The exchange of the frame in service at a station.
    fn sequence(&self, from: StationId, service: &Service) -> Sequence<'_> {
        let node = &self.nodes[from.index()];
        let timing = (self.rates.timing(node.rates), node.rates);
        Sequence::new(timing, (from, service), node.sent_bits)
    }
}
