//! A station goes from one channel to another.

use super::{Due, Medium};
use crate::mlme::Channel;
use crate::outcome::Failure;
use base::{Span, StationId, Time};

/// Channel of a station between two channels.
const NOWHERE: Channel = Channel::MAX;

impl Medium {
    /// Sends a station to another channel, deaf for `switch` on the way. What it has begun comes to its end first: a
    /// frame on the air, the answer that it waits for or owes (a frame exchange sequence, 802.11-2020, Annex G). Then it
    /// hears nothing of the old channel any more, and begins on the new one without reservation; what is left of its
    /// backoff stays. Frames that are on the new channel already are noticed as energy and not decoded.
    pub fn tune(&mut self, now: Time, station: StationId, channel: Channel, switch: Span) {
        self.tell_all();
        self.end_solitude();
        self.tell_past_to_all();
        self.retune(now, station, (channel, switch));
        self.starts.settle();
    }

    /// Channel that a station listens on; `None` while it is between two channels.
    pub fn channel(&self, station: StationId) -> Option<Channel> {
        let channel = self.channels[station.index()];
        (channel != NOWHERE).then_some(channel)
    }

    pub(super) fn retune(&mut self, now: Time, station: StationId, to: (Channel, Span)) {
        let node = &mut self.nodes[station.index()];
        node.retune = Some(to);
        if !node.is_engaged() {
            self.depart(station, now);
        }
    }

    /// Leaves the channel. The station must not be engaged.
    pub(super) fn depart(&mut self, at: StationId, now: Time) {
        let Some((_, switch)) = self.nodes[at.index()].retune else { return };
        self.channels[at.index()] = NOWHERE;
        self.is_one_channel = false;
        for slot in self.frames.slots() {
            if self.frames.power_w(slot, at) > 0.0 {
                self.frames.leave(slot, at);
                if self.frames.get(slot).is_some_and(|frame| frame.to == at) {
                    self.frames.blame(slot, Failure::Away);
                }
            }
        }
        self.clear_management(at);
        self.interrupt(at, now);
        let node = &mut self.nodes[at.index()];
        (node.lock, node.sensed, node.errored) = (None, 0, false);
        (node.nav, node.nav_reset) = (Time::ZERO, Time::NEVER);
        (node.hold, node.silent_until) = (Time::ZERO, Time::ZERO);
        if switch == Span::ZERO {
            self.arrive(at, now);
        } else {
            self.schedule(now + switch, Due::Tuned(at));
        }
    }

    /// Its slots do not pass any more.
    fn interrupt(&mut self, at: StationId, now: Time) {
        let (node, rest) = (&mut self.nodes[at.index()], &mut self.stations[at.index()]);
        node.stop_slots(now, || rest.draw_backoff());
        self.starts.set(at, Time::NEVER);
    }

    /// Comes to the channel: what is on the air there is noticed.
    pub(super) fn arrive(&mut self, at: StationId, now: Time) {
        let Some((channel, _)) = self.nodes[at.index()].retune.take() else { return };
        self.channels[at.index()] = channel;
        for slot in self.frames.slots() {
            let Some(from) = self.frames.get(slot).map(|frame| frame.from) else { continue };
            let touched = self.links.touches(from, at);
            if !touched || self.channels[from.index()] != channel {
                continue;
            }
            let power_w = self.links.power_w(from, at, now);
            if power_w >= self.reception.floor_w() {
                self.frames.tell(slot, at, power_w);
                let noticed = power_w >= self.reception.sense_w();
                self.nodes[at.index()].sensed += u32::from(noticed);
                self.nodes[at.index()].noticed |= noticed;
            }
        }
        self.resume_if_idle(at, now);
        self.note_tuned(at);
    }
}
