//! Access functions of stations that look for their access point, and of access points.

use super::manager::Notice;
use super::{Happened, Medium};
use crate::exchange::Frame;
use crate::outcome::Outcome;
use crate::qos::Contender;
use base::{StationId, Time};

impl Medium {
    /// A station's functions begin nothing from now on.
    pub(super) fn hold_functions(&mut self, at: StationId) {
        let Some(edca) = &mut self.edca else { return };
        edca.stations.all[at.index()].is_held = true;
        self.disarm_functions(at);
    }

    /// Functions that have nothing to send, or may not, do not contend.
    fn disarm_functions(&mut self, at: StationId) {
        let (Some(edca), node) = (&mut self.edca, &mut self.nodes[at.index()]) else { return };
        let station = &mut edca.stations.all[at.index()];
        let Some(counters) = &mut node.functions else { return };
        let functions = station.functions.iter_mut().zip(&mut counters.functions);
        for (function, counters) in functions {
            if function.attempt.is_none() && (station.is_held || !function.has_work()) {
                function.contends = false;
                counters.counter.disarm();
            }
        }
        self.note_start(at);
    }

    /// A station's functions contend again, where they have something to send.
    pub(super) fn release_functions(&mut self, at: StationId, now: Time) {
        let Some(edca) = &mut self.edca else { return };
        let station = &mut edca.stations.all[at.index()];
        if !std::mem::take(&mut station.is_held) {
            return;
        }
        for place in 0..station.functions.len() {
            self.release_function(Contender::of(at, place), now);
        }
    }

    fn release_function(&mut self, of: Contender, now: Time) {
        let Some(edca) = &mut self.edca else { return };
        edca.stations.feed(now, of);
        edca.stations.ask_for_all(now, of);
        let function = edca.stations.function(of);
        if function.attempt.is_none() && !function.contends && function.has_work() {
            function.contends = true;
            self.request_function(now, of);
        }
        self.schedule_alarms();
    }

    /// A client has joined an access point.
    pub(super) fn join_functions(
        &mut self,
        now: Time,
        (at, to): (StationId, StationId),
        happened: &mut Happened,
    ) {
        let Some(edca) = &mut self.edca else { return };
        edca.stations.join(now, (at, to), &mut happened.landed);
        let (station, node) = (&edca.stations.all[at.index()], &mut self.nodes[at.index()]);
        if let Some(counters) = &mut node.functions {
            counters.wait(station.waits(node.waits.sifs, node.slot));
        }
        self.disarm_functions(at);
    }

    /// An access point has a station, or another has it (`to` is none).
    pub(super) fn meet_functions(
        &mut self,
        now: Time,
        (at, from, to): (StationId, StationId, Option<StationId>),
        happened: &mut Happened,
    ) {
        let Some(edca) = &mut self.edca else { return };
        edca.stations.meet(now, (at, from), to, &mut happened.landed);
        self.disarm_functions(at);
        self.schedule_alarms();
        self.request_roused(now);
    }

    /// MPDUs have come to a station: what goes up, or is lost since their sender belongs to another access point.
    pub(super) fn land(&mut self, frame: &Frame, now: Time, from: usize, happened: &mut Happened) {
        if self.managers.is_empty() {
            return;
        }
        let (at, sender) = (frame.to, frame.from);
        self.note_unknown(at, sender);
        if self.takes_from(at, sender) {
            if happened.landed.len() > from {
                self.note_delivery((sender, at), now, happened);
            }
            return;
        }
        let lost = happened.landed.drain(from..);
        let reason = net::DropReason::Handoff;
        happened.lost.extend(lost.map(|(id, to)| (to, id, reason)));
    }

    /// The exchange of a function is over, with this many packets given up: the management entity hears of both.
    pub(super) fn note_exchange(&mut self, at: StationId, outcome: Outcome, given_up: usize) {
        if self.managers.is_empty() {
            return;
        }
        let news = (outcome == Outcome::Success).then_some(true);
        let lost = std::iter::repeat_n(false, given_up);
        self.inbox.extend(lost.chain(news).map(|has_come| Notice::Data(at, has_come)));
    }
}
