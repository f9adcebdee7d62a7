//! A station that looks for its access point, joins it, and notices when it has lost it.

use super::frames::{Body, Management};
use super::record::{HandoffRecord, Trigger};
use super::signal::{KnownAccessPoint, Signals};
use super::state::{ScanPhase, State};
use super::{Action, AssociationConfig, Channel};
use base::{StationId, Time};

/// A search under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub trigger: Trigger,
    last_contact: Time,
    detected: Time,
    scanned: Time,
    authenticated: Time,
}

/// A station's management entity.
#[derive(Clone, Debug)]
pub struct Client {
    pub(super) config: AssociationConfig,
    pub(super) state: State,
    /// Time at which it acts if no frame comes.
    pub(super) deadline: Time,
    /// Channel that it listens on, or changes to.
    pub(super) channel: Channel,
    pub(super) signals: Signals,
    /// The access point that it belongs to.
    pub(super) own: Option<StationId>,
    pub(super) search: Search,
    id: StationId,
    /// The access point that it belonged to last.
    last: Option<StationId>,
    last_contact: Time,
    /// Packets given up in a row.
    failed: u32,
    /// Time before which a weak signal does not cause a scan.
    pub(super) no_scan_before: Time,
}

impl Client {
    /// A station on `channel` that has no access point and will look for one at time zero.
    pub fn new(id: StationId, config: AssociationConfig, channel: Channel) -> Client {
        let zero = Time::ZERO;
        Client {
            config,
            state: State::Unassociated,
            deadline: zero,
            channel,
            signals: Signals::default(),
            own: None,
            search: Search {
                trigger: Trigger::Start,
                last_contact: zero,
                detected: zero,
                scanned: zero,
                authenticated: zero,
            },
            id,
            last: None,
            last_contact: zero,
            failed: 0,
            no_scan_before: zero,
        }
    }

    /// Time at which [`Client::on_timeout`] is due, if nothing comes in between.
    pub fn next_timeout(&self) -> Time {
        self.deadline
    }

    /// The access point that it belongs to.
    pub fn access_point(&self) -> Option<StationId> {
        self.own
    }

    /// True where data may be sent: associated, and on the channel of its access point.
    pub fn passes_data(&self) -> bool {
        self.state == State::Associated
    }

    /// Its deadline has come; `noticed` is true where the medium was busy since its last question.
    pub fn on_timeout(&mut self, now: Time, noticed: bool, out: &mut Vec<Action>) {
        self.deadline = Time::NEVER;
        match self.state {
            State::Unassociated => self.begin_scan(now, out),
            State::Scanning(at, step) => self.on_scan_timeout((at, step), noticed, now, out),
            State::Authenticating(access_point, tries) => {
                out.push(Action::Withdraw);
                self.authenticate(access_point, tries + 1, now, out);
            }
            State::Associating(access_point, tries) => {
                out.push(Action::Withdraw);
                self.associate(access_point, tries + 1, now, out);
            }
            State::Associated => self.lose(Trigger::MissedBeacons, now, out),
            State::Joining(_) | State::Returning => {}
        }
    }

    /// Continues on the channel that it requested.
    pub fn on_tuned(&mut self, now: Time, out: &mut Vec<Action>) {
        match self.state {
            State::Scanning(at, _) => self.listen(at, now),
            State::Joining(access_point) => self.joined(access_point, now, out),
            State::Returning => self.resume(now),
            _ => {}
        }
    }

    /// A management frame has come, so strong.
    pub fn on_frame(
        &mut self,
        from: StationId,
        (frame, power_dbm): (Management, f64),
        now: Time,
        out: &mut Vec<Action>,
    ) {
        match (frame.body, self.state) {
            (Body::Beacon(interval) | Body::ProbeResponse(interval), _) => {
                let (channel, mean_dbm, fresh) = (self.channel, power_dbm, true);
                let heard =
                    KnownAccessPoint { access_point: from, channel, interval, mean_dbm, fresh };
                self.signals.note(heard, self.config.signal_weight);
                if self.own == Some(from) {
                    self.on_contact(&heard, now, out);
                }
            }
            (Body::AuthenticationResponse, State::Authenticating(asked, _)) if asked == from => {
                self.search.authenticated = now;
                self.associate(from, 1, now, out);
            }
            (
                Body::AssociationResponse | Body::ReassociationResponse,
                State::Associating(asked, _),
            ) if asked == from => self.be_associated(from, now, out),
            (Body::Deauthentication(_), State::Associated) if self.own == Some(from) => {
                self.lose(Trigger::Deauthenticated, now, out);
            }
            _ => {}
        }
    }

    /// A management frame of its own has left, `acknowledged` where somebody should.
    pub fn on_sent(
        &mut self,
        frame: Management,
        acknowledged: bool,
        now: Time,
        out: &mut Vec<Action>,
    ) {
        match (frame.body, self.state) {
            (Body::ProbeRequest, State::Scanning(at, ScanPhase::Asking)) => {
                self.await_answers(at, now)
            }
            (Body::AuthenticationRequest, State::Authenticating(access_point, tries)) => {
                match acknowledged {
                    true => self.deadline = now + self.config.authentication_timeout,
                    false => self.authenticate(access_point, tries + 1, now, out),
                }
            }
            (
                Body::AssociationRequest | Body::ReassociationRequest(_),
                State::Associating(access_point, tries),
            ) => match acknowledged {
                true => self.deadline = now + self.config.association_timeout,
                false => self.associate(access_point, tries + 1, now, out),
            },
            _ => {}
        }
    }

    /// A packet was acknowledged (`arrived`), or given up.
    pub fn on_data(&mut self, arrived: bool, now: Time, out: &mut Vec<Action>) {
        self.failed = if arrived { 0 } else { self.failed + 1 };
        if self.state == State::Associated && self.config.failed_packets == Some(self.failed) {
            self.lose(Trigger::FailedPackets, now, out);
        }
    }

    // From searching to belonging.

    /// The scan is over: chooses, or goes back, or waits.
    pub(super) fn choose(&mut self, now: Time, out: &mut Vec<Action>) {
        let own_dbm = self.own.and_then(|own| self.signals.of(own)).map(|own| own.mean_dbm);
        let bar_dbm = own_dbm.map_or(f64::NEG_INFINITY, |dbm| dbm + self.config.hysteresis_db);
        let best = self.signals.best_but(self.own).filter(|best| best.mean_dbm > bar_dbm);
        if let Some(&KnownAccessPoint { access_point, channel, .. }) = best {
            self.state = State::Joining(access_point);
            if !self.go_to(channel, out) {
                self.joined(access_point, now, out);
            }
            return;
        }
        self.no_scan_before = now + self.config.rescan_interval;
        match self.own.and_then(|own| self.signals.of(own)).map(|own| own.channel) {
            Some(channel) => {
                self.state = State::Returning;
                if !self.go_to(channel, out) {
                    self.resume(now);
                }
            }
            None => {
                self.state = State::Unassociated;
                self.deadline = self.no_scan_before;
            }
        }
    }

    /// Asks to be taken to another channel; false where it is there already.
    pub(super) fn go_to(&mut self, channel: Channel, out: &mut Vec<Action>) -> bool {
        if self.channel == channel {
            return false;
        }
        self.channel = channel;
        out.push(Action::Tune(channel, self.config.switch_time));
        true
    }

    fn joined(&mut self, access_point: StationId, now: Time, out: &mut Vec<Action>) {
        self.search.scanned = now;
        self.authenticate(access_point, 1, now, out);
    }

    fn authenticate(
        &mut self,
        access_point: StationId,
        tries: u32,
        now: Time,
        out: &mut Vec<Action>,
    ) {
        if tries > self.config.attempts {
            return self.give_up(access_point, now, out);
        }
        self.state = State::Authenticating(access_point, tries);
        self.deadline = now + self.config.authentication_timeout;
        let frame = self.config.elements.frame(Body::AuthenticationRequest);
        out.push(Action::Send(access_point, frame));
    }

    fn associate(&mut self, access_point: StationId, tries: u32, now: Time, out: &mut Vec<Action>) {
        if tries > self.config.attempts {
            return self.give_up(access_point, now, out);
        }
        self.state = State::Associating(access_point, tries);
        self.deadline = now + self.config.association_timeout;
        let body = self.last.map_or(Body::AssociationRequest, Body::ReassociationRequest);
        out.push(Action::Send(access_point, self.config.elements.frame(body)));
    }

    /// An access point does not answer: the next best, or a new scan later.
    fn give_up(&mut self, access_point: StationId, now: Time, out: &mut Vec<Action>) {
        self.deadline = Time::NEVER;
        self.signals.forget(access_point);
        self.choose(now, out);
    }

    fn be_associated(&mut self, access_point: StationId, now: Time, out: &mut Vec<Action>) {
        let Search { trigger, last_contact, detected, scanned, authenticated } = self.search;
        out.push(Action::Joined(HandoffRecord {
            station: self.id,
            from: self.last,
            to: access_point,
            trigger,
            last_contact,
            detected,
            scanned,
            authenticated,
            associated: now,
        }));
        (self.own, self.last) = (Some(access_point), Some(access_point));
        (self.last_contact, self.failed) = (now, 0);
        self.resume(now);
    }

    /// Data pass (again): beacons are missed from here on.
    fn resume(&mut self, now: Time) {
        self.state = State::Associated;
        let interval = self.own.and_then(|own| self.signals.of(own)).map(|own| own.interval);
        let missed = u64::from(self.config.missed_beacons);
        self.deadline = interval.map_or(Time::NEVER, |interval| now + interval * missed);
    }

    // From belonging to searching.

    /// Its access point was heard.
    fn on_contact(&mut self, heard: &KnownAccessPoint, now: Time, out: &mut Vec<Action>) {
        self.last_contact = now;
        if self.state != State::Associated {
            return;
        }
        self.deadline = now + heard.interval * u64::from(self.config.missed_beacons);
        let mean_dbm = self.signals.of(heard.access_point).map_or(0.0, |own| own.mean_dbm);
        let is_weak = self.config.roam_below_dbm.is_some_and(|bar| mean_dbm < bar);
        if is_weak && now >= self.no_scan_before {
            self.detect(Trigger::WeakSignal, now);
            self.begin_scan(now, out);
        }
    }

    fn detect(&mut self, trigger: Trigger, now: Time) {
        let last_contact = self.last_contact;
        self.search = Search { trigger, last_contact, detected: now, ..self.search };
    }

    fn lose(&mut self, trigger: Trigger, now: Time, out: &mut Vec<Action>) {
        self.detect(trigger, now);
        out.extend(self.own.take().map(Action::Left));
        self.begin_scan(now, out);
    }
}
