//! Counts of an access function.

use super::attempt::{Attempt, Sends};
use crate::outcome::Failure;
use base::{Span, Time};

/// Counts of one access function since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccessStats {
    /// Exchanges begun, requests included.
    pub attempts: u64,
    /// Block ack requests among them.
    pub requests: u64,
    /// Exchanges that collided.
    pub collisions: u64,
    /// Exchanges that failed by bit errors.
    pub channel_errors: u64,
    /// Exchanges that failed because of a station that the sender could not notice.
    pub hidden: u64,
    /// Exchanges with a receiver that is too far away.
    pub out_of_range: u64,
    /// Exchanges with a receiver on another channel.
    pub away: u64,
    /// Times at which a higher function of the same station won too.
    pub internal_collisions: u64,
    /// Exchanges that were answered.
    pub successes: u64,
    /// MPDUs sent, again or not.
    pub mpdus: u64,
    /// Those of them sent again.
    pub retries: u64,
    /// PPDUs with data.
    pub ppdus: u64,
    /// Those of them in which something had been sent before.
    pub ppdus_again: u64,
    /// Packets acknowledged.
    pub acknowledged: u64,
    /// MPDUs given up at a retry limit.
    pub retry_drops: u64,
    /// Packets and MPDUs given up because their lifetime was over.
    pub expired: u64,
    /// MPDUs that receivers had already.
    pub duplicates: u64,
    /// Packets that receivers could hand up only later than they came, and how much later in all.
    pub reordered: u64,
    /// See there.
    pub reordering: Span,
    /// Exchanges begun with an RTS.
    pub rts: u64,
    /// The data rates of all exchanges begun, added up, bit/s.
    pub rates_bps: u64,
    /// Time for which its exchanges have taken the medium.
    pub airtime: Span,
}

impl AccessStats {
    /// An exchange begins.
    pub fn count_begun(&mut self, attempt: &Attempt) {
        self.attempts += 1;
        self.requests += u64::from(attempt.sends == Sends::Request);
    }

    /// The data of an exchange went on the air.
    pub fn count_sent(&mut self, attempt: &Attempt) {
        self.ppdus += 1;
        self.ppdus_again += u64::from(attempt.psdu.retries > 0);
        self.mpdus += u64::from(attempt.psdu.mpdus);
        self.retries += u64::from(attempt.psdu.retries);
    }

    /// An exchange has failed.
    pub fn count_failure(&mut self, failure: Failure) {
        match failure {
            Failure::Collision => self.collisions += 1,
            Failure::Channel => self.channel_errors += 1,
            Failure::Hidden => self.hidden += 1,
            Failure::OutOfRange => self.out_of_range += 1,
            Failure::Away => self.away += 1,
        }
    }

    /// A packet is handed up at `now` that had come at `came`.
    pub fn count_handed(&mut self, came: Time, now: Time) {
        let late = now.since(came);
        self.reordered += u64::from(late > Span::ZERO);
        self.reordering += late;
    }
}
