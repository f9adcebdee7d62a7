//! Action frames of stations that ask for agreements: exchanges like others, at the lowest basic rate as all management frames
//! (802.11-2020, 10.6.5).
//!
//! A request goes in the category that it is about, as Linux sends it (6.12, net/mac80211/agg-tx.c), the response in that of
//! management frames, voice (802.11-2020, 10.2.3.2).

use super::agreement::{ADDBA_BITS, Action, Agreement, PATIENCE, Says, takes};
use super::begun::{Begun, Opening, Room};
use super::category::Category;
use super::contender::Contender;
use super::stations::Stations;
use super::window::Window;
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::{ADDBA_BYTES, Addba, Body, Elements, Management};
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
        self.alarms.push_back((now + PATIENCE, of));
        Some(before)
    }

    /// The packet that made a function ask has been refused: nothing has been asked.
    pub(super) fn take_back(&mut self, of: Contender, to: StationId, before: Agreement) {
        self.function(of).take_back(to, before);
        self.alarms.pop_back();
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
        let known = std::mem::replace(&mut self.known_alarms, self.alarms.len());
        self.alarms.iter().skip(known).map(|alarm| alarm.0)
    }

    /// Responses may have failed to come by `now`: what was held for them goes.
    pub(crate) fn ring(&mut self, now: Time) {
        while let Some(&(_, of)) = self.alarms.front().filter(|alarm| alarm.0 <= now) {
            self.alarms.pop_front();
            self.known_alarms = self.known_alarms.saturating_sub(1);
            self.function(of).expire_requests(now);
            self.rouse(now, of);
        }
    }

    /// An action frame has come to its addressee, which answers a request, and goes on to send what it has asked about.
    pub(crate) fn take_action(&mut self, now: Time, of: Contender) {
        let from = of.station();
        let Some(action) = self.function(of).take_action() else { return };
        let Action { to, says, place, token, .. } = action;
        match says {
            Says::Request => {
                let answers = Contender::of(to, self.all[to.index()].of(Category::Voice));
                let response = Action::new(from, Says::Response, (place, token));
                self.function(answers).send(response);
                self.rouse(now, answers);
            }
            Says::Response => {
                let asks = Contender::of(to, place);
                self.function(asks).learn_of_response(from, token);
                self.rouse(now, asks);
            }
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
        let attempt = self.function(of).begin_action(room.start)?;
        let mac = self.all[from.index()].mac;
        let guard = self.all[from.index()].qos.settings.guard;
        let rate = rates.first((from, attempt.to));
        let (airtime, rest) = takes(rates.timing(rate));
        let is_guarded = room.opens && ADDBA_BYTES > mac.rts_threshold;
        let opening = if is_guarded { Opening::of(guard) } else { Opening::None };
        let stats = &mut self.function(of).stats;
        stats.rts += u64::from(opening == Opening::Rts);
        stats.rates_bps += rates.bit_rates(rate).2.0;
        Some(Begun {
            contender: of,
            attempt,
            rates: rate,
            bytes: u64::from(ADDBA_BYTES),
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
            bits: ADDBA_BITS,
            sent_bits: ADDBA_BITS,
            nav: begun.nav(start),
        }
    }

    /// What the action frame of an exchange says, and whether it has been sent before.
    pub(super) fn says(&self, begun: &Begun) -> Option<(Management, bool)> {
        let station = &self.all[begun.from().index()];
        let action = station.functions[begun.contender.place()].action()?;
        let (asks, answers) = match action.says {
            Says::Request => (begun.from(), action.to),
            Says::Response => (action.to, begun.from()),
        };
        let function = &self.all[asks.index()].functions[action.place];
        let first = function.window_to(answers).map_or(0, Window::oldest_number);
        let addba = Addba {
            category: function.category,
            token: action.token as u8,
            window: station.qos.window() as u16,
            first: (first % 4096) as u16,
        };
        let body = match action.says {
            Says::Request => Body::AddbaRequest(addba),
            Says::Response => Body::AddbaResponse(addba),
        };
        // An action frame has no elements that would depend on the network.
        let elements = Elements::of(Standard::Ofdm(Width::Mhz20));
        Some((elements.frame(body), action.tries > 1))
    }
}
