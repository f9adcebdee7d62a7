//! Block-ack agreements that stations ask for (802.11-2020, 10.25.2), as Linux does (6.12, net/mac80211/agg-tx.c).
//!
//! The originator sends an ADDBA Request and holds back what is for the receiver until the response has come or
//! [`PATIENCE`] is over. Linux does the same: it stops the queue of the receiver and TID. What has not been agreed by then goes
//! in single MPDUs with plain acknowledgements, as far as its lifetime is not over, and a later packet asks again.

use crate::frames::Timing;
use crate::mlme::ADDBA_BYTES;
use base::{Span, StationId, Time};

/// How long a response is waited for (`ADDBA_RESP_INTERVAL`; dot11ADDBAResponseTimeout has the same default).
pub const PATIENCE: Span = Span::secs(1);
/// Requests in vain after which each further one waits for [`PAUSE`] (one more than `HT_AGG_BURST_RETRIES`).
const BURST: u32 = 4;
/// `HT_AGG_RETRIES_PERIOD`.
const PAUSE: Span = Span::secs(15);
/// Requests in vain after which there are no more (one more than `HT_AGG_MAX_RETRIES`).
const MOST: u32 = 16;

/// Bits of either frame.
pub const ADDBA_BITS: u64 = ADDBA_BYTES as u64 * 8;

/// How long an action frame takes, and what follows: SIFS and an acknowledgement.
pub fn takes(timing: &Timing) -> (Span, Span) {
    (timing.basic(ADDBA_BITS), timing.sifs + timing.basic_ack.airtime)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    None,
    /// A response is waited for.
    Asked,
    Made,
}

/// An agreement with a receiver, as far as it has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    state: State,
    /// When it was last asked for.
    asked: Time,
    /// Requests since there was one.
    in_vain: u32,
    /// Number of the last request: a response to another is not one.
    token: u32,
}

impl Agreement {
    /// True where a packet at `now` asks for it.
    pub fn is_due(&self, now: Time) -> bool {
        let is_early = self.in_vain >= BURST && now < self.asked + PAUSE;
        self.state == State::None && self.in_vain < MOST && !is_early
    }

    /// A request goes out, with this number.
    pub fn ask(&mut self, now: Time) -> u32 {
        let (in_vain, token) = (self.in_vain + 1, self.token + 1);
        *self = Agreement { state: State::Asked, asked: now, in_vain, token };
        token
    }

    /// A response to the request of this number has come.
    pub fn answer(&mut self, token: u32) {
        if self.is_asked() && self.token == token {
            (self.state, self.in_vain) = (State::Made, 0);
        }
    }

    /// Ends the wait for a response where that is over.
    pub fn expire(&mut self, now: Time) {
        if self.is_asked() && now >= self.asked + PATIENCE {
            self.state = State::None;
        }
    }

    /// It ends with an association: the next begins anew.
    pub fn end(&mut self) {
        *self = Agreement { token: self.token, ..Agreement::default() };
    }

    /// A response is waited for.
    pub fn is_asked(&self) -> bool {
        self.state == State::Asked
    }

    pub fn is_made(&self) -> bool {
        self.state == State::Made
    }
}

/// What an action frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Request,
    Response,
}

/// An action frame that waits, or is on the air.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub to: StationId,
    pub says: Says,
    /// The function that asks, among those of its station.
    pub place: usize,
    /// Number of the request.
    pub token: u32,
    /// Attempts so far.
    pub tries: u32,
    /// Its addressee has it.
    pub has_come: bool,
}

impl Action {
    pub fn new(to: StationId, says: Says, (place, token): (usize, u32)) -> Action {
        Action { to, says, place, token, tries: 0, has_come: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Linux's limits come to: four requests as fast as packets and timeouts let them, then one each 15 s, 16 in all.
    #[test]
    fn requests_in_vain_become_rare_and_end() {
        let mut own = Agreement::default();
        let mut asked = Vec::new();
        for second in 0..400 {
            let now = Time::ZERO + Span::secs(second);
            own.expire(now);
            if own.is_due(now) {
                own.ask(now);
                asked.push(second);
            }
        }
        let later = (1..13).map(|k| 3 + 15 * k);
        assert_eq!(asked, (0..4).chain(later).collect::<Vec<_>>());
    }

    #[test]
    fn a_late_response_is_none() {
        let mut own = Agreement::default();
        let token = own.ask(Time::ZERO);
        own.expire(Time::ZERO + PATIENCE);
        own.answer(token);
        assert!(!own.is_made());
        let next = own.ask(Time::ZERO + PATIENCE);
        own.answer(token);
        assert!(own.is_asked());
        own.answer(next);
        assert!(own.is_made());
        own.end();
        assert!(own.is_due(Time::ZERO + PATIENCE));
    }
}
