//! What a station does: begins, answers, waits, concludes. The rules are those of the cell in which all hear all.

use super::frame::{Frame, Kind, Slot};
use super::node::Awaited;
use super::{Due, Happened, Medium};
use crate::cell::Ended;
use crate::config::SilenceRule;
use crate::frames::Timing;
use crate::rates::RateRef;
use crate::station::{Failure, Outcome};
use crate::witness::Witness;
use base::{StationId, Time};

impl Medium {
    /// All who begin at this instant: none of them notices another.
    pub(super) fn begin_exchanges<W: Witness>(
        &mut self,
        winners: &[StationId],
        now: Time,
        witness: &mut W,
    ) {
        for &station in winners {
            let Some(service) = self.stations[station.index()].service else { continue };
            let way = (station, service.to);
            let rates = self.rates.choose(now, way, service.is_new());
            self.stations[station.index()].count_attempt(self.rates.bit_rates(rates).0);
            let node = &mut self.nodes[station.index()];
            (node.exchange, node.rates) = ((now, now), rates);
            (node.blame, node.cts_came, node.reply) = (Failure::Channel, false, None);
            let frame = if service.uses_rts {
                self.rts(station, service.to, service.mpdu_bits, now)
            } else {
                self.data(station, service.to, service.mpdu_bits, now)
            };
            self.launch(frame, witness);
        }
    }

    /// A SIFS has passed since a station was asked to answer.
    pub(super) fn answer<W: Witness>(&mut self, station: StationId, now: Time, witness: &mut W) {
        let reply = self.nodes[station.index()].reply.take_if(|reply| reply.start == now);
        if let Some(frame) = reply {
            self.launch(frame, witness);
        }
    }

    /// A sender has waited for an answer; one that has begun is heard out.
    pub(super) fn time_out(&mut self, station: StationId, now: Time, happened: &mut Happened) {
        let node = &mut self.nodes[station.index()];
        if node.awaited.is_none() || node.deadline != now {
            return;
        }
        let receive_w = self.reception.receive_w();
        if node.lock.is_some_and(|lock| lock.power_w >= receive_w) {
            node.deadline = Time::NEVER;
        } else {
            self.fail(station, now, happened);
        }
    }

    /// The sender of a frame has come to its end.
    pub(super) fn fall_silent(&mut self, frame: &Frame, now: Time) {
        let timing = *self.rates.timing(frame.rates);
        let node = &mut self.nodes[frame.from.index()];
        node.sending = None;
        let awaited = match frame.kind {
            Kind::Rts => Some(Awaited::Cts),
            Kind::Data => Some(Awaited::Ack),
            Kind::Cts | Kind::Ack => None,
        };
        if frame.kind == Kind::Cts && node.mac.silence == SilenceRule::WhileItAwaitsData {
            node.silent_until = frame.nav;
        }
        if awaited.is_some() {
            node.awaited = awaited;
            node.hold = now + timing.after_timeout;
            node.deadline = now + timing.timeout;
            self.schedule(now + timing.timeout, Due::Timeout(frame.from));
        }
        self.resume_if_idle(frame.from, now);
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
            (Some(Awaited::Ack), Kind::Ack) if for_me => {
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
            Kind::Data if for_me => self.take_data(at, frame, now, happened),
            _ => {}
        }
    }

    fn send_after_cts(&mut self, station: StationId, now: Time) {
        let node = &mut self.nodes[station.index()];
        (node.awaited, node.cts_came) = (None, true);
        let Some(service) = self.stations[station.index()].service else { return };
        let start = now + self.nodes[station.index()].timing.sifs;
        let data = self.data(station, service.to, service.mpdu_bits, start);
        self.reply(data);
    }

    fn answer_rts(&mut self, at: StationId, rts: &Frame, now: Time) {
        if !self.nodes[at.index()].may_answer(now) {
            self.nodes[rts.from.index()].blame = Failure::Hidden;
            return;
        }
        let timing = *self.rates.timing(rts.rates);
        let cts = self.control(Kind::Cts, (at, rts.from, rts.rates), now + timing.sifs, rts.nav);
        self.reply(cts);
    }

    fn take_data(&mut self, at: StationId, data: &Frame, now: Time, happened: &mut Happened) {
        let timing = *self.rates.timing(data.rates);
        let way = (at, data.from, data.rates);
        let ack = self.control(Kind::Ack, way, now + timing.sifs, Time::ZERO);
        self.reply(ack);
        let Some(service) = self.stations[data.from.index()].service.as_mut() else { return };
        if service.delivered {
            self.stations[at.index()].stats.duplicates += 1;
        } else {
            service.delivered = true;
            happened.delivered = Some((service.id, at));
        }
    }

    fn reply(&mut self, frame: Frame) {
        self.schedule(frame.start, Due::Answer(frame.from));
        self.nodes[frame.from.index()].reply = Some(frame);
    }

    /// No answer came.
    fn fail(&mut self, station: StationId, now: Time, happened: &mut Happened) {
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
        let station = &mut self.stations[at.index()];
        station.stats.airtime += node.exchange.1 - node.exchange.0;
        if let Some(service) = &station.service {
            self.rates.conclude(at, service.to, outcome);
        }
        let dropped = station.conclude(outcome);
        node.counter.draw(station.draw_backoff());
        self.load(now, at);
        if self.stations[at.index()].service.is_some() {
            self.nodes[at.index()].counter.arm();
        }
        self.note_start(at);
        happened.ended.push(Ended { station: at, dropped });
    }

    // Frames.

    fn rts(&self, from: StationId, to: StationId, bits: u64, start: Time) -> Frame {
        let rates = self.nodes[from.index()].rates;
        let timing = self.rates.timing(rates);
        let &Timing { rts, cts, ack, sifs, .. } = timing;
        let data = timing.data(bits);
        let whole = rts.airtime + sifs + cts.airtime + sifs + data + sifs + ack.airtime;
        self.control(Kind::Rts, (from, to, rates), start, start + whole)
    }

    fn data(&self, from: StationId, to: StationId, bits: u64, start: Time) -> Frame {
        let rates = self.nodes[from.index()].rates;
        let timing = self.rates.timing(rates);
        let airtime = timing.data(bits);
        let nav = start + airtime + timing.sifs + timing.ack.airtime;
        let (kind, plcp, cause) = (Kind::Data, timing.data_plcp(), None);
        Frame { kind, from, to, rates, start, airtime, plcp, bits, nav, cause }
    }

    fn control(
        &self,
        kind: Kind,
        (from, to, rates): (StationId, StationId, RateRef),
        start: Time,
        nav: Time,
    ) -> Frame {
        let timing = self.rates.timing(rates);
        let form = match kind {
            Kind::Rts => timing.rts,
            Kind::Cts => timing.cts,
            Kind::Ack | Kind::Data => timing.ack,
        };
        let (airtime, plcp, bits, cause) = (form.airtime, form.plcp, form.bits, None);
        Frame { kind, from, to, rates, start, airtime, plcp, bits, nav, cause }
    }
}
