//! Block-ack agreements that stations ask for (802.11-2020, 10.25.2), as Linux does (6.12, net/mac80211/agg-tx.c).
//!
//! The originator sends an ADDBA Request and holds back what is for the receiver until the response has come or
//! [`PATIENCE`] is over. Linux does the same: it stops the queue of the receiver and TID. What has not been agreed by then, or has
//! been refused, goes in single MPDUs with plain acknowledgements, as far as its lifetime is not over, and a later packet asks again.
//!
//! Each end waits for the other no longer than the timeout that both have agreed on (802.11-2020, 9.4.1.14): a recipient for
//! frames, an originator for answers. Then it sends a DELBA frame (10.25.4, 11.5.4). The agreement ends for both when the first of
//! these has come, or the originator's has been sent in vain.

use crate::frames::Timing;
use crate::mlme::{ADDBA_BYTES, DELBA_BYTES, Status};
use base::{Span, StationId, Time};

/// How long a response is waited for (`ADDBA_RESP_INTERVAL`; dot11ADDBAResponseTimeout has the same default).
pub const PATIENCE: Span = Span::secs(1);
/// Requests in vain after which each further one waits for [`PAUSE`] (one more than `HT_AGG_BURST_RETRIES`).
const BURST: u32 = 4;
/// `HT_AGG_RETRIES_PERIOD`.
const PAUSE: Span = Span::secs(15);
/// Requests in vain after which there are no more (one more than `HT_AGG_MAX_RETRIES`).
const MOST: u32 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    None,
    /// A response is waited for.
    Asked,
    Made,
    /// Its timeout is over, and the other end does not know that yet.
    Ending,
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
    /// When its originator last had an answer, and its recipient a frame.
    answered: Time,
    heard: Time,
    /// The recipient has waited for its timeout.
    is_over_there: bool,
    /// When its alarm is due; [`Time::ZERO`]: the response that makes it is not acknowledged yet.
    alarm: Time,
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
        let new = Agreement::default();
        *self = Agreement { state: State::Asked, asked: now, in_vain, token, ..new };
        token
    }

    /// A response to the request of this number has come. A refused request was in vain, as one without a response.
    pub fn answer(&mut self, token: u32, status: Status) {
        if self.is_asked() && self.token == token {
            match status {
                Status::Success => (self.state, self.in_vain) = (State::Made, 0),
                Status::Declined => self.state = State::None,
            }
        }
    }

    /// It has been made with a response that came to its originator and was acknowledged at these times, if it had not before: returns
    /// its first alarm.
    pub fn begin_timeout(&mut self, (came, heard): (Time, Time), timeout: Span) -> Option<Time> {
        if !self.is_made() || self.alarm > Time::ZERO {
            return None;
        }
        (self.answered, self.heard) = (came, heard);
        Some(self.arm(timeout))
    }

    /// The recipient has heard data or a request, and the originator an answer, if it had one.
    pub fn note(&mut self, heard: Time, answered: Option<Time>) {
        self.heard = heard;
        self.answered = answered.unwrap_or(self.answered);
    }

    /// Sets its alarm: the first instant at which one of its ends has waited for the timeout that has not yet.
    pub fn arm(&mut self, timeout: Span) -> Time {
        let end = |is_over, since: Time| if is_over { Time::NEVER } else { since + timeout };
        let recipient = end(self.is_over_there, self.heard);
        self.alarm = recipient.min(end(self.is_ending(), self.answered));
        self.alarm
    }

    /// True where its alarm is due at `now`.
    pub fn rings(&self, now: Time) -> bool {
        let is_set = self.alarm > Time::ZERO && (self.is_made() || self.is_ending());
        is_set && self.alarm <= now
    }

    /// The ends that have waited for the timeout, and had not before `now`.
    pub fn time_out(&mut self, now: Time, timeout: Span) -> impl Iterator<Item = End> + use<> {
        let recipient = !self.is_over_there && now >= self.heard + timeout;
        let originator = self.is_made() && now >= self.answered + timeout;
        self.is_over_there |= recipient;
        if originator {
            self.state = State::Ending;
        }
        let ends = [(End::Recipient, recipient), (End::Originator, originator)];
        ends.into_iter().filter_map(|(end, is_over)| is_over.then_some(end))
    }

    /// True where it is the agreement that was asked for by the request of this number, and has not ended.
    pub fn is_of(&self, token: u32) -> bool {
        self.token == token && (self.is_made() || self.is_ending())
    }

    /// Number of the last request.
    pub fn token(&self) -> u32 {
        self.token
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

    /// It is over for its originator, and its recipient does not know that yet.
    pub fn is_ending(&self) -> bool {
        self.state == State::Ending
    }
}

/// The ends of an agreement (802.11-2020, 9.4.1.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sender of data.
    Originator,
    /// Their receiver.
    Recipient,
}

/// What an action frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Request,
    Response(Status),
    /// The agreement is over: which of its ends says so.
    Over(End),
}

impl Says {
    /// Bytes of its frame, MAC header and FCS included.
    pub fn bytes(self) -> u32 {
        match self {
            Says::Request | Says::Response(_) => ADDBA_BYTES,
            Says::Over(_) => DELBA_BYTES,
        }
    }

    /// How long its frame takes, and what follows: SIFS and an acknowledgement.
    pub fn takes(self, timing: &Timing) -> (Span, Span) {
        let bits = u64::from(self.bytes()) * 8;
        (timing.basic(bits), timing.sifs + timing.basic_ack.airtime)
    }
}

/// An action frame that waits, or is on the air.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub to: StationId,
    pub says: Says,
    /// The originator's function, among those of its station.
    pub place: usize,
    /// Number of the request.
    pub token: u32,
    /// Since when there is a reason for it.
    pub since: Time,
    /// Attempts so far.
    pub tries: u32,
    /// Its addressee has it.
    pub has_come: bool,
}

impl Action {
    pub fn new(since: Time, to: StationId, says: Says, (place, token): (usize, u32)) -> Action {
        Action { to, says, place, token, since, tries: 0, has_come: false }
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

    /// Refused requests are in vain like those without a response; the limits are the same.
    #[test]
    fn refused_requests_become_rare_and_end() {
        let (mut own, mut asked) = (Agreement::default(), Vec::new());
        for ms in 0..400_000 {
            let now = Time::ZERO + Span::millis(ms);
            if own.is_due(now) {
                let token = own.ask(now);
                own.answer(token, Status::Declined);
                assert!(!own.is_asked());
                asked.push(ms);
            }
        }
        let later = (1..13).map(|k| 3 + 15_000 * k);
        assert_eq!(asked, (0..4).chain(later).collect::<Vec<_>>());
    }

    /// The originator waits for answers, the recipient for frames.
    #[test]
    fn each_end_has_its_own_timeout() {
        let (timeout, at) = (Span::millis(10), |ms| Time::ZERO + Span::millis(ms));
        let mut own = Agreement::default();
        let token = own.ask(at(0));
        own.answer(token, Status::Success);
        assert_eq!(own.begin_timeout((at(1), at(2)), timeout), Some(at(11)));
        assert_eq!(own.begin_timeout((at(3), at(3)), timeout), None);
        own.note(at(4), Some(at(5)));
        own.note(at(8), None);
        assert!(own.rings(at(11)) && own.time_out(at(11), timeout).next().is_none());
        assert_eq!(own.arm(timeout), at(15));
        assert!(!own.rings(at(14)) && own.rings(at(15)));
        let (mut early, mut late) = (own, own);
        assert!(own.time_out(at(15), timeout).eq([End::Originator]));
        assert!(own.is_ending() && own.is_of(token) && !own.is_due(at(15)));
        assert_eq!(own.arm(timeout), at(18));
        assert!(own.time_out(at(18), timeout).eq([End::Recipient]));
        assert_eq!(own.arm(timeout), Time::NEVER);
        assert!(late.time_out(at(18), timeout).eq([End::Recipient, End::Originator]));
        // An answer comes later than what it answers.
        early.note(at(14), Some(at(15)));
        assert!(early.time_out(at(24), timeout).eq([End::Recipient]));
        assert!(early.is_made() && early.arm(timeout) == at(25));
        own.end();
        assert!(own.is_due(at(18)) && !own.is_of(token));
    }

    #[test]
    fn a_late_response_is_none() {
        let mut own = Agreement::default();
        let token = own.ask(Time::ZERO);
        let now = Time::ZERO + PATIENCE;
        own.expire(now);
        own.answer(token, Status::Success);
        assert!(!own.is_made());
        let next = own.ask(now);
        own.answer(token, Status::Success);
        assert!(own.is_asked());
        own.answer(next, Status::Success);
        assert!(own.is_made());
        own.end();
        assert!(own.is_due(Time::ZERO + PATIENCE));
    }
}
