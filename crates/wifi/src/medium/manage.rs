//! Management entities at work: their inputs and actions.

use super::frame::Slot;
use super::manager::{Entity, Manager, Notice};
use super::{Due, Happened, Medium, Member, Move};
use crate::mlme::{AccessPoint, Action, Body, Client, Management, Role};
use crate::station::Service;
use base::{StationId, Time};
use net::{DropReason, Ended};
use radio::noise::dbm_from_w;

impl Medium {
    /// Gives the members their management entities.
    pub(super) fn appoint(&mut self, members: &[Member]) {
        if members.iter().all(|member| member.role == Role::None) {
            return;
        }
        let entity = |(i, member): (usize, &Member)| match &member.role {
            Role::None => Entity::None,
            Role::Client(config) => Entity::Client(Box::new(Client::new(
                StationId(i as u32),
                config.clone(),
                member.channel,
            ))),
            Role::AccessPoint(config) => Entity::AccessPoint(AccessPoint::new(*config)),
        };
        let manager = |entity| Manager {
            entity,
            registered: Time::NEVER,
            last_data: Time::ZERO,
            is_new: false,
        };
        self.managers = members.iter().enumerate().map(entity).map(manager).collect();
        for station in (0..members.len() as u32).map(StationId) {
            let is_client = self.client(station).is_some();
            if is_client {
                self.stations[station.index()].hold(true);
                self.hold_functions(station);
            }
            self.register(station);
        }
    }

    /// The access point to which a station belongs that looks for it itself.
    pub fn access_point_of(&self, station: StationId) -> Option<StationId> {
        self.client(station)?.access_point()
    }

    /// Finds the next station for a packet from `from`.
    pub(super) fn next_station(
        &self,
        from: StationId,
        to: StationId,
    ) -> Result<StationId, DropReason> {
        match self.managers.get(from.index()).map(|manager| &manager.entity) {
            Some(Entity::Client(client)) => Ok(client.access_point().unwrap_or(to)),
            Some(Entity::AccessPoint(ap)) if self.client(to).is_some() && !ap.sends_to(to) => {
                Err(DropReason::Handoff)
            }
            _ => Ok(to),
        }
    }

    /// Returns true if a station accepts data from another.
    pub(super) fn takes_from(&self, at: StationId, from: StationId) -> bool {
        match self.managers.get(at.index()).map(|manager| &manager.entity) {
            Some(Entity::AccessPoint(ap)) => self.client(from).is_none() || ap.takes_from(from),
            _ => true,
        }
    }

    fn client(&self, station: StationId) -> Option<&Client> {
        match &self.managers.get(station.index())?.entity {
            Entity::Client(client) => Some(client),
            _ => None,
        }
    }

    // What is noted during an event.

    pub(super) fn note_management(
        &mut self,
        at: StationId,
        (from, frame): (StationId, Management),
        slot: Slot,
    ) {
        if !self.managers.is_empty() {
            let power_w = self.frames.power_w(slot, at);
            self.inbox.push(Notice::Received(at, from, frame, power_w));
        }
    }

    /// An access point has received data from a station that is not known to be associated.
    pub(super) fn note_unknown(&mut self, at: StationId, from: StationId) {
        if self.client(from).is_some()
            && let Entity::AccessPoint(ap) = &self.managers[at.index()].entity
            && !ap.sends_to(from)
        {
            self.inbox.push(Notice::Unknown(at, from));
        }
    }

    /// Data have been delivered from one station to another: a handoff has an end where the first pass after it.
    pub(super) fn note_delivery(
        &mut self,
        between: (StationId, StationId),
        now: Time,
        happened: &mut Happened,
    ) {
        for station in [between.0, between.1] {
            let Some(manager) = self.managers.get_mut(station.index()) else { return };
            if std::mem::take(&mut manager.is_new) {
                let gap = now - manager.last_data;
                happened.moves.push(Move::Resumed { station, gap });
            }
            manager.last_data = now;
        }
    }

    pub(super) fn note_sent(&mut self, at: StationId, service: &Service, acknowledged: bool) {
        self.inbox.push(match service.management {
            Some(frame) => Notice::Sent(at, service.to, frame, acknowledged),
            None => Notice::Data(at, acknowledged),
        });
    }

    pub(super) fn note_tuned(&mut self, at: StationId) {
        if !self.managers.is_empty() {
            self.inbox.push(Notice::Tuned(at));
        }
    }

    #[inline]
    pub(super) fn note_free(&mut self, at: StationId) {
        if self.nodes[at.index()].retune.is_some() {
            self.inbox.push(Notice::Free(at));
        }
    }

    // What is done about it when the event is over.

    /// Tells the management entities what they must know, and does what they want.
    pub(super) fn attend(&mut self, now: Time, happened: &mut Happened) {
        let mut told = 0;
        while let Some(&notice) = self.inbox.get(told) {
            told += 1;
            let at = notice.station();
            if let Notice::Free(_) = notice {
                if !self.nodes[at.index()].is_engaged() {
                    self.depart(at, now);
                }
                continue;
            }
            let mut actions = Vec::new();
            self.tell(notice, now, &mut actions);
            self.carry_out(at, &actions, now, happened);
        }
        self.inbox.clear();
    }

    fn tell(&mut self, notice: Notice, now: Time, out: &mut Vec<Action>) {
        let at = notice.station();
        let Some(manager) = self.managers.get_mut(at.index()) else { return };
        if matches!(notice, Notice::Timeout(_)) && manager.registered == now {
            manager.registered = Time::NEVER;
        }
        match &mut manager.entity {
            Entity::None => {}
            Entity::AccessPoint(ap) => match notice {
                Notice::Timeout(_) if ap.next_timeout() == now => ap.on_timeout(out),
                Notice::Received(_, from, frame, _) => ap.on_frame(from, frame, out),
                Notice::Unknown(_, from) => ap.on_data(from, out),
                Notice::Sent(_, to, frame, true) => ap.on_acknowledged(to, frame, out),
                _ => {}
            },
            Entity::Client(client) => match notice {
                Notice::Timeout(_) if client.next_timeout() == now => {
                    client.on_timeout(now, self.nodes[at.index()].noticed, out);
                }
                Notice::Received(_, from, frame, power_w) => {
                    client.on_frame(from, (frame, dbm_from_w(power_w)), now, out);
                }
                Notice::Sent(_, _, frame, acknowledged) => {
                    if frame.body == Body::ProbeRequest {
                        let node = &mut self.nodes[at.index()];
                        node.noticed = node.sensed > 0;
                    }
                    client.on_sent(frame, acknowledged, now, out);
                }
                Notice::Data(_, arrived) => client.on_data(arrived, now, out),
                Notice::Tuned(_) => client.on_tuned(now, out),
                _ => {}
            },
        }
    }

    fn carry_out(&mut self, at: StationId, actions: &[Action], now: Time, happened: &mut Happened) {
        let passes = self.client(at).is_none_or(Client::passes_data);
        if !passes {
            self.hold(at);
            self.hold_functions(at);
        }
        for &action in actions {
            match action {
                Action::Send(to, frame) => self.send(at, (to, frame), now),
                Action::Withdraw => self.withdraw(at),
                Action::Tune(channel, switch) => self.retune(now, at, (channel, switch)),
                Action::Joined(record) => {
                    self.stations[at.index()].readdress(record.to);
                    self.join_functions(now, (at, record.to), happened);
                    self.managers[at.index()].is_new = true;
                    happened.moves.push(Move::Joined(record));
                }
                Action::Left(access_point) => {
                    happened.moves.push(Move::Left { station: at, access_point });
                }
                Action::Admitted(station) => self.admit(station, at, now, happened),
            }
        }
        if passes {
            self.release(at, now);
            self.release_functions(at, now);
        }
        self.register(at);
    }

    /// Brings the event of a station's management entity in line with its next timeout: an event that comes too early is
    /// put back, one that is too late is left to die.
    fn register(&mut self, station: StationId) {
        let Some(manager) = self.managers.get_mut(station.index()) else { return };
        let deadline = match &manager.entity {
            Entity::None => Time::NEVER,
            Entity::Client(client) => client.next_timeout(),
            Entity::AccessPoint(ap) => ap.next_timeout(),
        };
        if deadline < manager.registered {
            manager.registered = deadline;
            self.schedule(deadline, Due::Manage(station));
        }
    }

    fn send(&mut self, from: StationId, (to, frame): (StationId, Management), now: Time) {
        let engaged = self.nodes[from.index()].is_engaged();
        let station = &mut self.stations[from.index()];
        station.offer_management(to, frame);
        if matches!(frame.body, Body::Beacon(_)) && !engaged {
            station.set_aside();
        }
        if self.load(now, from) {
            self.contend(now, from);
        }
    }

    fn withdraw(&mut self, at: StationId) {
        if !self.nodes[at.index()].is_engaged() {
            self.stations[at.index()].withdraw_management();
            self.disarm_without_service(at);
        }
    }

    fn hold(&mut self, at: StationId) {
        self.stations[at.index()].hold(true);
        if !self.nodes[at.index()].is_engaged() {
            self.stations[at.index()].set_aside();
            self.disarm_without_service(at);
        }
    }

    /// Clears what was to be sent on the old channel: management frames are discarded, data wait if they are held back.
    pub(super) fn clear_management(&mut self, at: StationId) {
        let station = &mut self.stations[at.index()];
        station.withdraw_management();
        if station.is_held() {
            station.set_aside();
        }
        self.disarm_without_service(at);
    }

    fn release(&mut self, at: StationId, now: Time) {
        if self.stations[at.index()].is_held() {
            self.stations[at.index()].hold(false);
            if self.load(now, at) {
                self.contend(now, at);
            }
        }
    }

    fn disarm_without_service(&mut self, at: StationId) {
        if self.stations[at.index()].service.is_none() {
            self.nodes[at.index()].counter.disarm();
            self.note_start(at);
        }
    }

    /// The wired network learns where a station is: every other access point forgets it and drops what it has for it.
    fn admit(&mut self, station: StationId, at: StationId, now: Time, happened: &mut Happened) {
        for other in (0..self.managers.len() as u32).map(StationId).filter(|&other| other != at) {
            if let Entity::AccessPoint(ap) = &mut self.managers[other.index()].entity {
                ap.forget(station);
                let lost = |packet| {
                    let dropped = Some((packet, DropReason::Handoff));
                    happened.ended.push(Ended { station: other, dropped });
                };
                self.stations[other.index()].flush(station, now, lost);
                self.meet_functions(now, (other, station, None), happened);
            }
        }
        self.meet_functions(now, (at, station, Some(station)), happened);
        happened.moves.push(Move::Admitted { station, access_point: at });
    }
}
