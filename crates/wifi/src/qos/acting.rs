//! Action frames of stations that ask for agreements and end them: exchanges like others, at the lowest basic rate as all management
//! frames (802.11-2020, 10.6.5).
//!
//! A request goes in the category that it is about, as Linux sends it (6.12, net/mac80211/agg-tx.c), all else in that of
//! management frames, voice (802.11-2020, 10.2.3.2).

use super::agreement::{Action, Agreement, End, PATIENCE, Says};
use super::begun::{Begun, Opening, Room};
use super::category::Category;
use super::contender::Contender;
use super::stations::Stations;
use super::turn::Turn;
use super::window::Window;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::{Addba, Body, Delba, Elements, Management, Reason, Status};
use crate::phy::{Standard, Width};
use crate::rates::Rates;
use base::{StationId, Time};

impl Stations {
    /// A packet comes to a function, or has waited for an association: it asks its receiver for an agreement where it has to.
    /// Returns how far that had come before it asked.
    pub(super) fn ask(&mut self, now: Time, of: Contender, to: StationId) -> Option<Agreement> {
        let both = self.agree(of.station(), to);
        let function = self.function(of);
        if !both || !function.is_to_ask(now, to) {
            return None;
        }
        let before = function.ask(now, to, of.place());
        self.arm(now + PATIENCE, of);
        Some(before)
    }

    /// [`Stations::ring`] is due for a function at this time.
    fn arm(&mut self, at: Time, of: Contender) {
        let place = self.alarms.partition_point(|alarm| alarm.0 <= at);
        self.alarms.insert(place, (at, of));
        self.new_alarms.push(at);
    }

    /// The packet that made a function ask has been refused: nothing has been asked.
    pub(super) fn take_back(&mut self, of: Contender, to: StationId, before: Agreement) {
        self.function(of).take_back(to, before);
        if let Some(at) = self.new_alarms.pop()
            && let Some(place) = self.alarms.iter().rposition(|alarm| *alarm == (at, of))
        {
            self.alarms.remove(place);
        }
    }

    /// The function asks for what waits at it.
    pub(crate) fn ask_for_all(&mut self, now: Time, of: Contender) {
        while let Some(to) = self.function(of).receiver_to_ask(now) {
            if !self.agree(of.station(), to) {
                return;
            }
            self.ask(now, of, to);
        }
    }

    /// Times at which [`Stations::ring`] is due, since the last call.
    pub(crate) fn new_alarms(&mut self) -> impl Iterator<Item = Time> + '_ {
        self.new_alarms.drain(..)
    }

    /// Responses may have failed to come by `now`: what was held for them goes. And nothing may have come for too long.
    pub(crate) fn ring(&mut self, now: Time) {
        while let Some(&(_, of)) = self.alarms.front().filter(|alarm| alarm.0 <= now) {
            self.alarms.pop_front();
            self.function(of).expire_requests(now);
            self.time_out(now, of);
            self.rouse(now, of);
        }
    }

    /// Each end of an agreement that has waited for its timeout says that it is over.
    fn time_out(&mut self, now: Time, of: Contender) {
        let mut again = Vec::new();
        let over = self.function(of).time_out(now, |at| again.push(at));
        again.into_iter().for_each(|at| self.arm(at, of));
        for (with, end, token) in over {
            let (from, to) = match end {
                End::Originator => (of.station(), with),
                End::Recipient => (with, of.station()),
            };
            let says = self.manages(from);
            self.function(says).send(Action::new(now, to, Says::Over(end), (of.place(), token)));
            self.rouse(now, says);
        }
    }

    /// The function of a station that sends management frames.
    fn manages(&self, station: StationId) -> Contender {
        Contender::of(station, self.all[station.index()].of(Category::Voice))
    }

    /// The exchange of an action frame has ended: the timeout of an agreement begins, or the agreement is over at both ends.
    #[cold]
    pub(super) fn conclude_action(&mut self, turn: &Turn) {
        let (of, now) = (turn.contender, turn.took.end);
        let from = of.station();
        if turn.come > 0 {
            self.take_action(now, turn.heard(), of);
        }
        let action = self.function(of).action().copied();
        self.conclude_function(turn);
        let Some(Action { to, says, place, token, has_come, .. }) = action else { return };
        match says {
            Says::Response(Status::Success) if has_come => {
                let asks = Contender::of(to, place);
                let alarm = self.function(asks).begin_timeout((turn.heard(), now), from);
                alarm.into_iter().for_each(|at| self.arm(at, asks));
            }
            Says::Over(End::Recipient) if has_come => {
                self.end_agreement(now, Contender::of(to, place), (from, token));
            }
            Says::Over(End::Originator) => {
                // It is sent in vain as often as others.
                let is_tried = |next: &Action| next.tries > 0;
                if has_come || !self.function(of).action().is_some_and(is_tried) {
                    self.end_agreement(now, Contender::of(from, place), (to, token));
                }
            }
            _ => {}
        }
    }

    /// A function's agreement is over at both ends.
    fn end_agreement(&mut self, now: Time, of: Contender, (with, token): (StationId, u32)) {
        let Stations { all, landed, .. } = self;
        let function = &mut all[of.station().index()].functions[of.place()];
        let mut stats = function.stats;
        function.end_agreement((with, token), |id, came| {
            landed.push((id, with));
            stats.count_handed(came, now);
        });
        function.stats = stats;
        self.rouse(now, of);
    }

    /// An action frame has come to its addressee, which answers a request, and goes on to send what it has asked about.
    /// It may have come a while ago.
    pub(crate) fn take_action(&mut self, now: Time, came: Time, of: Contender) {
        let from = of.station();
        let Some(action) = self.function(of).take_action() else { return };
        let Action { to, says, place, token, .. } = action;
        match says {
            Says::Request => {
                let answers = self.manages(to);
                let is_taken = self.all[to.index()].accepts_agreements;
                let status = if is_taken { Status::Success } else { Status::Declined };
                let response = Action::new(came, from, Says::Response(status), (place, token));
                self.function(answers).send(response);
                self.rouse(now, answers);
            }
            Says::Response(status) => {
                let asks = Contender::of(to, place);
                self.function(asks).learn_of_response(from, (token, status));
                self.rouse(now, asks);
            }
            Says::Over(_) => {}
        }
    }

    /// A function may have something to send that it had not.
    pub(super) fn rouse(&mut self, now: Time, of: Contender) {
        self.feed(now, of);
        let is_held = self.all[of.station().index()].is_held;
        let function = self.function(of);
        if !function.contends && function.attempt.is_none() && function.has_work() && !is_held {
            function.contends = true;
            self.roused.push(of);
        }
    }

    /// An exchange begins with an action frame.
    pub(super) fn begin_action(
        &mut self,
        of: Contender,
        room: Room,
        rates: &Rates,
    ) -> Option<Begun> {
        let from = of.station();
        let says = self.function(of).action()?.says;
        let attempt = self.function(of).begin_action(room.start)?;
        let mac = self.all[from.index()].mac;
        let guard = self.all[from.index()].qos.settings.guard;
        let rate = rates.first((from, attempt.to));
        let (airtime, rest) = says.takes(rates.timing(rate));
        let is_guarded = room.opens && says.bytes() > mac.rts_threshold;
        let opening = if is_guarded { Opening::of(guard) } else { Opening::None };
        let stats = &mut self.function(of).stats;
        stats.rts += u64::from(opening == Opening::Rts);
        stats.rates_bps += rates.bit_rates(rate).2.0;
        Some(Begun {
            contender: of,
            start: room.start,
            attempt,
            rates: rate,
            bytes: u64::from(says.bytes()),
            agreed: true,
            airtime,
            rest,
            opening,
            until: room.until,
            come: 0,
            expired: 0,
        })
    }

    /// An action frame.
    pub(super) fn action(&self, begun: &Begun, start: Time, rates: &Rates) -> Frame {
        Frame {
            kind: Kind::Data,
            from: begun.from(),
            to: begun.attempt.to,
            rates: begun.rates,
            basic: true,
            start,
            airtime: begun.airtime,
            plcp: rates.timing(begun.rates).basic_plcp(),
            bits: begun.bytes * 8,
            sent_bits: begun.bytes * 8,
            nav: begun.nav(start),
        }
    }

    /// What the action frame of an exchange says, and whether it has been sent before.
    pub(super) fn says(&self, begun: &Begun) -> Option<(Management, bool)> {
        let station = &self.all[begun.from().index()];
        let action = station.functions[begun.contender.place()].action()?;
        let (asks, answers) = match action.says {
            Says::Request | Says::Over(End::Originator) => (begun.from(), action.to),
            Says::Response(_) | Says::Over(End::Recipient) => (action.to, begun.from()),
        };
        let function = &self.all[asks.index()].functions[action.place];
        let first = function.window_to(answers).map_or(0, Window::oldest_number);
        let category = function.category;
        let addba = Addba {
            category,
            token: action.token as u8,
            window: station.qos.window() as u16,
            timeout: function.rules.timeout,
            first: (first % 4096) as u16,
        };
        let body = match action.says {
            Says::Request => Body::AddbaRequest(addba),
            Says::Response(status) => Body::AddbaResponse(addba, status),
            Says::Over(end) => Body::Delba(Delba {
                category,
                by_originator: end == End::Originator,
                reason: Reason::Timeout,
            }),
        };
        // An action frame has no elements that would depend on the network.
        let elements = Elements::of(Standard::Ofdm(Width::Mhz20));
        Some((elements.frame(body), action.tries > 1))
    }
}
