//! A frame goes on the air, and off it: what each station notices.

use super::frame::{Frame, Kind, Slot};
use super::receiver::{Fate, Lock, Reception};
use super::{Happened, Medium};
use crate::mlme::Channel;
use crate::station::{Failure, Telling};
use crate::witness::{Heard, Sent, Witness};
use base::{StationId, Time};

impl Medium {
    /// Puts a frame on the air at its start. Its sender must not be sending.
    pub(super) fn launch<W: Witness>(&mut self, frame: Frame, witness: &mut W) {
        witness.sent(|| self.sent(&frame));
        let (from, now) = (frame.from, frame.start);
        self.starts[from.index()] = Time::NEVER;
        self.go_deaf(&frame);
        let slot = self.frames.insert(frame);
        self.nodes[from.index()].sending = Some(slot);
        let channel = self.channels[from.index()];
        self.count_busy(channel, now, self.nodes[from.index()].timing.sifs);
        let several = !self.is_one_channel;
        if several && frame.kind != Kind::Group && self.channels[frame.to.index()] != channel {
            self.frames.blame(slot, Failure::Away);
        }
        let mut index = 0;
        while let Some(to) = self.reach.near(from, index) {
            index += 1;
            if several && self.channels[to.index()] != channel {
                continue;
            }
            let power_w = self.reach.power_w(from, to, now);
            if power_w >= self.reception.floor_w() {
                self.hear(to, slot, power_w, now);
            }
        }
        self.schedule(frame.end(), Medium::end_due(frame.kind, slot));
    }

    /// Whoever sends hears nothing.
    fn go_deaf(&mut self, frame: &Frame) {
        let from = frame.from;
        let node = &mut self.nodes[from.index()];
        node.go_deaf();
        if let Some(lock) = node.lock.take() {
            let heard = self.frames.get(lock.slot).filter(|heard| heard.to == from);
            if heard.is_some() {
                // An answer is due whatever the medium does: who disturbs it did not know of the exchange.
                let hidden = frame.kind.is_answer();
                let cause = if hidden { Failure::Hidden } else { Failure::Collision };
                self.frames.blame(lock.slot, cause);
            }
        }
        self.sense(from, frame.start);
    }

    /// The medium becomes busy for a station.
    fn sense(&mut self, station: StationId, now: Time) {
        let (node, rest) = (&mut self.nodes[station.index()], &mut self.stations[station.index()]);
        if node.sense(now, || rest.draw_backoff()) {
            self.starts[station.index()] = Time::NEVER;
        }
    }

    /// A frame begins to reach a station.
    fn hear(&mut self, at: StationId, slot: Slot, power_w: f64, now: Time) {
        self.count_hazard(at, now);
        self.frames.set_power_w(slot, at, power_w);
        self.suspect(at, slot, now);
        if power_w < self.reception.receive_w() {
            self.blame_weakness(at, slot, now);
        }
        if power_w < self.reception.sense_w() {
            return;
        }
        let node = &mut self.nodes[at.index()];
        let others = node.sensed > 0;
        node.sensed += 1;
        node.noticed = true;
        if !others && node.sending.is_none() {
            self.sense(at, now);
        }
        let node = &self.nodes[at.index()];
        if node.sending.is_some() {
            self.blame_rival(at, slot, at, now);
            return;
        }
        match (node.lock, self.reception) {
            (None, Reception::Thresholds(_)) => self.lock_on(at, slot, others, now),
            (None, Reception::Sinr(config)) if power_w >= config.detect_w => {
                self.lock_on(at, slot, false, now);
            }
            (None, Reception::Sinr(_)) => {}
            (Some(lock), _) => self.compete(at, (lock, slot), now),
        }
    }

    /// A station listens to a frame that begins.
    fn lock_on(&mut self, at: StationId, slot: Slot, others: bool, now: Time) {
        let power_w = self.frames.power_w(slot, at);
        let weak = power_w < self.reception.receive_w();
        self.blame_others(at, slot, now);
        self.nodes[at.index()].lock = Some(Lock::new(slot, power_w, now, weak || others));
    }

    /// A frame begins while a station listens to another.
    fn compete(&mut self, at: StationId, (mut lock, slot): (Lock, Slot), now: Time) {
        let power_w = self.frames.power_w(slot, at);
        let old_from = self.frames.get(lock.slot).map_or(at, |frame| frame.from);
        let new_from = self.frames.get(slot).map_or(at, |frame| frame.from);
        let takes_over = match self.reception {
            Reception::Thresholds(thresholds) => {
                let stronger = lock.start == now && power_w > lock.power_w;
                let alone = thresholds.captures(power_w, lock.power_w) && !lock.hopeless;
                if !stronger && !thresholds.captures(lock.power_w, power_w) {
                    lock.spoiled = true;
                    self.blame_rival(at, lock.slot, new_from, now);
                }
                stronger.then_some(alone)
            }
            Reception::Sinr(config) => {
                let preamble = self.frames.get(lock.slot).map_or(now, |f| f.start + f.plcp);
                let captures =
                    |ratio| power_w >= lock.power_w * ratio && power_w >= config.detect_w;
                let same = lock.start == now && power_w > lock.power_w;
                let later = now < preamble && config.capture_ratio.is_some_and(captures);
                (same || later).then_some(true)
            }
        };
        self.nodes[at.index()].lock = match takes_over {
            None => {
                self.blame_rival(at, slot, old_from, now);
                Some(lock)
            }
            Some(alone) => {
                self.blame_rival(at, lock.slot, new_from, now);
                if !alone {
                    self.blame_rival(at, slot, old_from, now);
                }
                let mut new = Lock::new(slot, power_w, now, !alone);
                new.hopeless = lock.hopeless;
                Some(new)
            }
        };
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
        self.end_busy(self.channels[frame.from.index()], now);
        self.nodes[frame.owner().index()].exchange.1 = now;
        self.fall_silent(&frame, now);
        let mut decoded = false;
        let mut index = 0;
        while let Some(to) = self.reach.near(frame.from, index) {
            index += 1;
            if self.frames.power_w(slot, to) > 0.0 {
                let here = self.stop_hearing(to, slot, (now, witness), happened);
                decoded |= here && to == frame.to;
            }
        }
        if frame.kind == Kind::Group {
            self.conclude_group(frame.from, now, happened);
        } else if !decoded {
            self.blame_owner(slot, now);
        }
        self.frames.remove(slot);
        self.note_free(frame.from);
    }

    /// A frame no longer reaches a station; true where it was decoded there.
    fn stop_hearing<W: Witness>(
        &mut self,
        at: StationId,
        slot: Slot,
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        self.count_hazard(at, now);
        if self.frames.power_w(slot, at) < self.reception.sense_w() {
            return false;
        }
        let Some(&frame) = self.frames.get(slot) else { return false };
        let node = &mut self.nodes[at.index()];
        node.sensed -= 1;
        let lock = node.lock.filter(|lock| lock.slot == slot);
        let fate = lock.map(|lock| lock.fate(node.errors, &frame));
        let decoded = fate == Some(Fate::Decoded);
        if let Some(fate) = fate {
            node.lock = None;
            node.errored = !decoded;
            if decoded && frame.to != at {
                node.overhear(&frame, frame.kind == Kind::Rts, now);
            }
            if frame.to == at && frame.kind == Kind::Data {
                node.silent_until = Time::ZERO;
            }
            if fate == Fate::Noise && frame.to == at {
                self.frames.blame_anew(slot, Failure::Channel);
            }
        }
        let noticed = lock.is_some_and(|lock| lock.power_w >= self.reception.receive_w());
        let node = &mut self.nodes[at.index()];
        if noticed && node.awaited.is_some() {
            node.hold = Time::ZERO;
        }
        self.resume_if_idle(at, now);
        if noticed {
            let power_w = Some(self.frames.power_w(slot, at));
            let heard = Heard { from: frame.from, at, power_w, decoded };
            witness.heard(std::iter::once(heard));
            self.on_reception(at, &frame, decoded, (slot, now), happened);
        }
        decoded
    }

    /// Lets a station count slots again where it notices nobody.
    pub(super) fn resume_if_idle(&mut self, station: StationId, now: Time) {
        let node = &mut self.nodes[station.index()];
        if node.resume_if_idle(now) {
            self.note_start(station);
        }
    }

    fn count_hazard(&mut self, at: StationId, now: Time) {
        let Reception::Sinr(config) = self.reception else { return };
        let Some(mut lock) = self.nodes[at.index()].lock else { return };
        let Some(frame) = self.frames.get(lock.slot) else { return };
        let modulations = self.rates.modulations(frame.rates);
        let modulation = match frame.kind {
            _ if frame.basic => modulations.basic,
            Kind::Data => modulations.data,
            _ => modulations.answers,
        };
        lock.count(now, (at, &self.frames), (&config, &self.hazards, modulation));
        self.nodes[at.index()].lock = Some(lock);
    }

    fn sent(&self, frame: &Frame) -> Sent {
        let (data, control, basic) = self.rates.bit_rates(frame.rates);
        let Telling { retry, opens, management } =
            self.stations[frame.from.index()].telling(frame.kind);
        Sent {
            kind: frame.kind,
            from: frame.from,
            to: frame.to,
            start: frame.start,
            plcp: frame.plcp,
            airtime: frame.airtime,
            bytes: (frame.bits / 8) as u32,
            channel: Some(self.channels[frame.from.index()]),
            rate: match frame.kind {
                _ if frame.basic => basic,
                Kind::Data => data,
                _ => control,
            },
            nav: frame.nav,
            retry,
            opens,
            management,
        }
    }

    fn count_busy(&mut self, channel: Channel, now: Time, sifs: base::Span) {
        let busy = self.busy_of(channel);
        if busy.on_air == 0 {
            let gap = now.since(busy.until);
            busy.since = if gap <= sifs { busy.until.max(busy.since) } else { now };
        }
        busy.on_air += 1;
    }

    fn end_busy(&mut self, channel: Channel, now: Time) {
        let busy = self.busy_of(channel);
        busy.on_air -= 1;
        busy.until = now;
        if busy.on_air == 0 {
            busy.time += now.since(busy.since);
        }
    }
}
