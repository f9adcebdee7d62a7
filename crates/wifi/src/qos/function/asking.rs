//! A function asks for agreements, and sends the frames of that.

use super::Function;
use super::backoff::USUAL_LIMIT;
use crate::mlme::Status;
use crate::outcome::Outcome;
use crate::qos::agreement::{Action, Agreement, End, Says};
use crate::qos::attempt::{Attempt, Sends};
use crate::qos::peer::Peer;
use crate::qos::window::Psdu;
use base::{PacketId, Span, StationId, Time};

impl Function {
    /// True where it does not aggregate before it has agreed on that with frames.
    fn asks(&self) -> bool {
        self.rules.asks && self.parameters.ampdu > 0
    }

    /// True where a packet for a receiver at `now` asks for an agreement.
    pub fn is_to_ask(&self, now: Time, to: StationId) -> bool {
        self.asks() && self.peers.get(to).is_none_or(|peer| peer.agreement.is_due(now))
    }

    /// The receiver of what it would send next, where that is to ask for an agreement before.
    pub fn receiver_to_ask(&self, now: Time) -> Option<StationId> {
        self.next_in_order().filter(|&to| self.is_to_ask(now, to))
    }

    /// Asks a receiver for an agreement; `own` is its place among the functions of its station. Returns how far that had come.
    pub fn ask(&mut self, now: Time, to: StationId, own: usize) -> Agreement {
        let (before, token) = self.peers.change(to, |peer| {
            let before = peer.agreement;
            (before, peer.agreement.ask(now))
        });
        self.send(Action::new(now, to, Says::Request, (own, token)));
        before
    }

    /// Takes the last request back, which has not begun.
    pub fn take_back(&mut self, to: StationId, before: Agreement) {
        self.actions.pop_back();
        self.peers.change(to, |peer| peer.agreement = before);
    }

    /// Sends an action frame before all else that waits, in the order of their reasons: a cell hears of frames when their exchanges
    /// have ended.
    pub fn send(&mut self, action: Action) {
        let is_before = |other: &Action| other.tries > 0 || other.since <= action.since;
        self.actions.insert(self.actions.partition_point(is_before), action);
    }

    /// The action frame that it sends, or will send next.
    pub fn action(&self) -> Option<&Action> {
        self.actions.front()
    }

    /// An action frame has come to its addressee: returns it where that did not have it.
    pub fn take_action(&mut self) -> Option<Action> {
        let action = self.actions.front_mut()?;
        let is_news = !std::mem::replace(&mut action.has_come, true);
        is_news.then_some(*action)
    }

    /// A response has come.
    pub fn learn_of_response(&mut self, from: StationId, (token, status): (u32, Status)) {
        self.peers.change(from, |peer| peer.agreement.answer(token, status));
    }

    /// The exchange of a response that makes an agreement has ended. Returns when its timeout may be over, where it has one that
    /// begins now.
    pub fn begin_timeout(&mut self, times: (Time, Time), with: StationId) -> Option<Time> {
        let timeout = self.rules.timeout;
        let begin = |peer: &mut Peer| peer.agreement.begin_timeout(times, timeout);
        self.peers.change(with, begin).filter(|_| timeout > Span::ZERO)
    }

    /// Does not wait for responses any more that should have come by `now`.
    pub fn expire_requests(&mut self, now: Time) {
        self.peers.expire_requests(now);
        let waits: Vec<StationId> =
            self.peers.iter().filter(|peer| peer.is_asked()).map(|peer| peer.to).collect();
        self.withdraw(|action| action.says == Says::Request && !waits.contains(&action.to));
    }

    /// True where what is for a receiver waits for its response.
    pub fn is_asked(&self, to: StationId) -> bool {
        self.rules.asks && self.peers.get(to).is_some_and(Peer::is_asked)
    }

    /// A receiver has heard data or a request, and may have been heard to answer.
    pub fn note_heard(&mut self, to: StationId, heard: Time, answered: Option<Time>) {
        self.peers.change(to, |peer| peer.agreement.note(heard, answered));
    }

    /// The ends of agreements that have waited for the timeout: the receiver of each, which end it is, and its number. `again` gets the times
    /// of later alarms.
    pub fn time_out(
        &mut self,
        now: Time,
        mut again: impl FnMut(Time),
    ) -> Vec<(StationId, End, u32)> {
        let timeout = self.rules.timeout;
        if timeout == Span::ZERO {
            return Vec::new();
        }
        let due = self.peers.iter().filter(|peer| peer.agreement.rings(now));
        let due: Vec<StationId> = due.map(|peer| peer.to).collect();
        let over = due.into_iter().flat_map(|to| {
            self.peers.change(to, |peer| {
                let over = peer.agreement.time_out(now, timeout);
                if peer.agreement.is_ending() {
                    peer.forget_requests();
                }
                let alarm = peer.agreement.arm(timeout);
                if alarm < Time::NEVER {
                    again(alarm);
                }
                let token = peer.agreement.token();
                over.map(move |end| (to, end, token))
            })
        });
        over.collect()
    }

    /// The agreement of this number is over at both ends, if it has not ended before: `hand` gets what the receiver holds back.
    pub fn end_agreement(
        &mut self,
        (with, token): (StationId, u32),
        hand: impl FnMut(PacketId, Time),
    ) {
        self.peers.change(with, |peer| {
            if peer.agreement.is_of(token) {
                peer.end_agreement(hand);
            }
        });
    }

    /// True where an aggregate may go to a receiver, if that has QoS.
    pub fn may_aggregate(&self, to: StationId) -> bool {
        let is_made = || self.peers.get(to).is_some_and(|peer| peer.agreement.is_made());
        self.parameters.ampdu > 0 && (!self.rules.asks || is_made())
    }

    /// Begins the exchange of an action frame.
    pub fn begin_action(&mut self, now: Time) -> Option<Attempt> {
        let action = self.actions.front_mut()?;
        action.tries += 1;
        let attempt = Attempt { to: action.to, sends: Sends::Action, psdu: Psdu::default() };
        (self.attempt, self.is_counted, self.began) = (Some(attempt), true, now);
        self.stats.count_begun(&attempt);
        self.attempt
    }

    /// The exchange of an action frame has ended. A request that has failed is not sent again where the wait for its response has
    /// ended meanwhile.
    pub(super) fn conclude_action(&mut self, outcome: Outcome) {
        let tries = self.actions.front().map_or(0, |action| action.tries);
        let is_over = match outcome {
            Outcome::Success => {
                self.stats.successes += 1;
                true
            }
            Outcome::NoCts(failure) | Outcome::NoAck(failure) | Outcome::NoAckAfterCts(failure) => {
                self.stats.count_failure(failure);
                self.widen();
                tries >= self.rules.retry_limit.unwrap_or(USUAL_LIMIT)
            }
        };
        let is_idle = |action: &Action| action.says == Says::Request && !self.is_asked(action.to);
        if outcome != Outcome::Success && self.actions.front().is_some_and(is_idle) {
            self.actions.pop_front();
        } else if is_over {
            self.actions.pop_front();
            self.narrow();
        }
    }

    /// Action frames that `are_over` are not sent any more, but for the one on the air.
    pub fn withdraw(&mut self, are_over: impl Fn(&Action) -> bool) {
        let on_air = self.attempt.is_some_and(|attempt| attempt.sends == Sends::Action);
        let mut first = true;
        self.actions.retain(|action| {
            let stays = std::mem::take(&mut first) && on_air;
            stays || !are_over(action)
        });
    }
}
