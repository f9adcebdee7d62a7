//! What the recoveries without SACK know beyond RFC 5681: timeouts that prove spurious (F-RTO's basic algorithm, RFC
//! 5682 section 2.1), and what was delivered when, for laws that want a delivery rate.

use super::config::{LossRules, TcpConfig};
use super::law::{Ack, AnyLaw, Law};
use super::rate::{Mark, Sending};
use super::sender::Sender;
use super::undo::{FRTO_SEGMENTS, Frto};
use base::Time;
use net::Segment;
use std::collections::VecDeque;

/// Segments that an F-RTO which found a real loss leaves of the window (RFC 5682 section 2.1, step 3a).
const AFTER_REAL_TIMEOUT: f64 = 3.0;

/// A segment under way.
#[derive(Clone, Copy, Debug)]
struct Sent {
    end: u64,
    at: Time,
    mark: Mark,
    again: bool,
}

/// What was sent and is not acknowledged, where the law wants to know the rate of delivery.
#[derive(Clone, Debug, Default)]
pub(super) struct Deliveries {
    /// The law wants it: records cost a little for each segment.
    wanted: bool,
    /// Every segment is timed for it: Vegas reads the clock at each (Brakmo and Peterson 1995, section 4.1), where a timer of
    /// one segment a round meets the first of two that are acknowledged together, and takes its wait for a queue.
    times: bool,
    ring: VecDeque<Sent>,
    /// Bytes that duplicates told of: each says that a segment arrived, not which (RFC 9937 section 5, without SACK).
    credited: u64,
    /// Bytes sent again that the law was told of as lost.
    lost_told: u64,
}

impl Deliveries {
    /// For a recovery that keeps no scoreboard.
    pub fn new(law: &AnyLaw, config: &TcpConfig) -> Deliveries {
        let models = law.model_based() || matches!(law, AnyLaw::Custom(_));
        let no_board = !config.recovery.uses_sack();
        let plain = no_board && config.loss_rules == LossRules::Rfc;
        let times = matches!(law, AnyLaw::Vegas(_)) && no_board;
        Deliveries { wanted: (models && plain) || times, times, ..Deliveries::default() }
    }
}

impl Sender {
    /// The bytes before `end` are sent; what was sent before keeps its place with new marks.
    #[inline]
    pub(super) fn note_sent(&mut self, now: Time, end: u64) {
        if !self.deliveries.wanted {
            return;
        }
        let in_flight = (self.max - self.una).saturating_sub(self.deliveries.credited);
        let (len, lost) = (end.saturating_sub(self.max), self.stats.bytes_retransmitted);
        let mark = self.sack.rate.on_send(now, Sending { len, in_flight, lost });
        let again = end <= self.max;
        let sent = Sent { end, at: now, mark, again };
        let place = self.deliveries.ring.partition_point(|sent| sent.end < end);
        match self.deliveries.ring.get_mut(place) {
            Some(known) if known.end == end => *known = sent,
            _ => self.deliveries.ring.insert(place, sent),
        }
    }

    /// A duplicate says that some segment arrived.
    pub(super) fn note_duplicate(&mut self, now: Time) {
        if !self.deliveries.wanted {
            return;
        }
        let bytes = self.mss.min((self.max - self.una).saturating_sub(self.deliveries.credited));
        self.deliveries.credited += bytes;
        self.sack.rate.on_arrival(now, bytes);
    }

    /// Fills in what is known of delivery: `told` is of an acknowledgement of `bytes` up to `ack`.
    pub(super) fn measure_plain(&mut self, now: Time, (ack, bytes): (u64, u64), told: &mut Ack) {
        if !self.deliveries.wanted {
            return;
        }
        let news = bytes.saturating_sub(self.deliveries.credited);
        self.deliveries.credited = self.deliveries.credited.saturating_sub(bytes);
        let mut newest: Option<Sent> = None;
        while let Some(sent) = self.deliveries.ring.front().copied().filter(|sent| sent.end <= ack)
        {
            self.deliveries.ring.pop_front();
            if newest.is_none_or(|newest| newest.at <= sent.at) {
                newest = Some(sent);
            }
        }
        let mss = self.mss as f64;
        match newest {
            None => self.sack.rate.on_arrival(now, news),
            Some(sent) => {
                let min_rtt = self.rtt.min_rtt();
                let rate = self.sack.rate.on_delivered(now, news, (sent.at, &sent.mark), min_rtt);
                if self.deliveries.times {
                    told.rtt = (!sent.again).then(|| now.since(sent.at));
                }
                told.delivery_rate = rate.map(|rate| rate / mss);
                told.delivered_at_send = sent.mark.delivered as f64 / mss;
                told.rate_app_limited = sent.mark.app_limited;
                told.flown = sent.mark.flown(self.stats.bytes_retransmitted, mss);
            }
        }
        told.delivered = self.sack.rate.delivered() as f64 / mss;
        told.inflight = (told.inflight - self.segments(self.deliveries.credited)).max(0.0);
        let again = self.stats.bytes_retransmitted;
        told.lost = (again - self.deliveries.lost_told) as f64 / mss;
        // What is sent again shows what was lost; the flight is that of what has arrived with it.
        told.lost_flown = (told.lost > 0.0).then_some(told.flown);
        self.deliveries.lost_told = again;
        if !self.in_recovery && self.una < self.recover && ack >= self.recover {
            self.tell_model_of_repair();
        }
        self.delivery_rate = told.delivery_rate.or(self.delivery_rate);
    }

    /// Nothing waits to be sent though the window would let it: the rate is the application's.
    #[inline]
    pub(super) fn note_app_limit(&mut self) {
        if self.deliveries.wanted && !self.has_more() {
            self.sack.rate.on_app_limited(self.nxt - self.una);
        }
    }

    /// The timer expired: whether F-RTO is to find out why. `again`: for a loss that is being repaired already.
    pub(super) fn begin_frto(&mut self, now: Time, again: bool) {
        let may = self.config.detects_spurious_timeouts() && !again;
        self.sack.frto = if may { Frto::Waiting(now) } else { Frto::Off };
    }

    /// Steps 2b and 3b, at an acknowledgement that advances; true where it sent what is to be sent.
    pub(super) fn follow_plain_frto(&mut self, now: Time, out: &mut Vec<Segment>) -> bool {
        match std::mem::replace(&mut self.sack.frto, Frto::Off) {
            Frto::Off => false,
            Frto::Waiting(_) if self.una >= self.recover => false,
            Frto::Waiting(_) => {
                let (before, back) = (out.len(), self.nxt);
                self.nxt = self.max;
                for _ in 0..FRTO_SEGMENTS {
                    if let Some(len) = self.fits_before(self.edge) {
                        self.send_next(now, len, out);
                    }
                }
                if out.len() == before {
                    self.nxt = back;
                    return false;
                }
                self.sack.frto = Frto::Probing;
                true
            }
            Frto::Probing => {
                // What was sent before the timeout, and only then, has arrived.
                self.nxt = self.max;
                self.undo();
                false
            }
        }
    }

    /// Step 3a: a duplicate while F-RTO asks; true where that proves that the loss was real, and go-back-N begins.
    pub(super) fn refute_frto(&mut self) -> bool {
        let refuted = std::mem::replace(&mut self.sack.frto, Frto::Off) == Frto::Probing;
        if refuted {
            self.window.cwnd = self.window.cwnd.min(AFTER_REAL_TIMEOUT);
            self.nxt = self.una;
        }
        refuted
    }
}
