//! Delivery rate, sampled on every acknowledgement (draft-cheng-iccrg-delivery-rate-estimation section 3).

use super::law::Flown;
use base::{Span, Time};
use std::collections::VecDeque;

/// The state of the rate sampler that a segment carries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PacketState {
    /// P.delivered, bytes.
    pub delivered: u64,
    /// P.delivered_time.
    delivered_at: Time,
    /// P.first_sent_time.
    first_sent: Time,
    /// P.is_app_limited.
    pub app_limited: bool,
    /// P.tx_in_flight: what was in flight with the segment, bytes (draft-ietf-ccwg-bbr section 4.1.2.2).
    in_flight: u64,
    /// P.lost: what had been lost so far, bytes.
    lost: u64,
}

impl PacketState {
    /// The segment's flight, once `lost` bytes of the connection are lost.
    pub fn flown(&self, lost: u64, mss: f64) -> Flown {
        let since = lost.saturating_sub(self.lost);
        Flown { flight: self.in_flight as f64 / mss, lost: since as f64 / mss }
    }
}

/// Data sent, and the flight before, bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    /// The segment's.
    pub len: u64,
    /// In the network before it.
    pub in_flight: u64,
    /// Lost since the connection began.
    pub lost: u64,
}

/// The connection's part of the sampler.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sampler {
    /// C.delivered, bytes.
    delivered: u64,
    /// C.delivered_time.
    delivered_at: Time,
    /// C.first_sent_time.
    first_sent: Time,
    /// C.app_limited: while not 0, samples are limited until this much is delivered.
    app_limited_until: u64,
}

impl Sampler {
    /// Bytes delivered since the connection began.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// A segment is sent (section 3.2).
    pub fn on_send(&mut self, now: Time, sending: Sending) -> PacketState {
        if sending.in_flight == 0 {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        PacketState {
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent: self.first_sent,
            app_limited: self.app_limited_until > 0,
            in_flight: sending.in_flight + sending.len,
            lost: sending.lost,
        }
    }

    /// The application has nothing to send though the window would let it (section 3.4).
    pub fn on_app_limited(&mut self, pipe: u64) {
        self.app_limited_until = (self.delivered + pipe).max(1);
    }

    /// `bytes` are newly delivered, of which segment is not known.
    pub fn on_arrival(&mut self, now: Time, bytes: u64) {
        self.delivered += bytes;
        self.delivered_at = now;
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
    }

    /// `bytes` are newly delivered, of which the last was sent in this state (section 3.3): the rate in bytes/s. An interval
    /// shorter than the round trip is no sample.
    pub fn on_delivered(
        &mut self,
        now: Time,
        bytes: u64,
        (sent, packet): (Time, &PacketState),
        min_rtt: Option<Span>,
    ) -> Option<f64> {
        self.on_arrival(now, bytes);
        let sending = sent.since(packet.first_sent);
        let acknowledging = now.since(packet.delivered_at);
        self.first_sent = sent;
        let interval = sending.max(acknowledging);
        if interval == Span::ZERO || min_rtt.is_some_and(|min| interval < min) {
            return None;
        }
        Some((self.delivered - packet.delivered) as f64 / interval.as_secs())
    }
}

/// The same for a sender without a scoreboard, from what can be seen outside of it: delivered is what is acknowledged,
/// and the newest segment of that is the one sent last. What arrives behind a hole is acknowledged too late, so nothing
/// that is under way while a loss is repaired gives a sample. For probes.
#[derive(Clone, Debug, Default)]
pub struct RateMeter {
    sampler: Sampler,
    una: u64,
    /// One past the highest number sent.
    max: u64,
    /// `max` at the last retransmission: up to there a loss is repaired.
    repaired_at: u64,
    /// Not acknowledged, in sequence.
    sent: VecDeque<Sent>,
    rate: Option<f64>,
}

/// A segment under way.
#[derive(Clone, Copy, Debug)]
struct Sent {
    end: u64,
    at: Time,
    packet: PacketState,
    /// Sent while no loss was repaired.
    clean: bool,
}

impl RateMeter {
    /// The sender sends what ends before `end`, anew or again.
    pub fn on_send(&mut self, now: Time, end: u64) {
        let in_flight = self.max.saturating_sub(self.una);
        let packet = self.sampler.on_send(now, Sending { len: 0, in_flight, lost: 0 });
        if end <= self.max {
            self.repaired_at = self.max;
        }
        let sent = Sent { end, at: now, packet, clean: self.una >= self.repaired_at };
        let place = self.sent.partition_point(|sent| sent.end < end);
        match self.sent.get_mut(place).filter(|sent| sent.end == end) {
            Some(before) => *before = sent,
            None => self.sent.insert(place, sent),
        }
        self.max = self.max.max(end);
    }

    /// Everything below `una` is acknowledged: returns the last valid sample, bytes/s.
    pub fn on_ack(&mut self, now: Time, una: u64, min_rtt: Option<Span>) -> Option<f64> {
        let acknowledged = self.sent.partition_point(|sent| sent.end <= una);
        let newest = self.sent.drain(..acknowledged).max_by_key(|sent| (sent.at, sent.end));
        if let Some(newest) = newest {
            let bytes = una - self.una.min(una);
            let rate = self.sampler.on_delivered(now, bytes, (newest.at, &newest.packet), min_rtt);
            let clean = newest.clean && newest.end > self.repaired_at;
            self.rate = rate.filter(|_| clean).or(self.rate);
        }
        self.una = self.una.max(una);
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::millis(ms)
    }

    #[test]
    fn acknowledgements_at_the_bottleneck_s_pace_give_its_rate() {
        let mut meter = RateMeter::default();
        (0..10).for_each(|i| meter.on_send(at(0), 1000 * (i + 1)));
        // 1000 bytes each 10 ms after 100 ms: the n-th is n * 1000 bytes in 90 + 10 n ms.
        let rates: Vec<_> =
            (1..=10).map(|n| meter.on_ack(at(90 + 10 * n), 1000 * n, None)).collect();
        assert_eq!(rates[0], Some(10_000.0));
        assert_eq!(rates[9], Some(10_000.0 / 0.19));
        // Each acknowledgement lets one more go: 10 in 100 ms, once none of the first burst is in the sample.
        let mut meter = RateMeter::default();
        (0..10).for_each(|i| meter.on_send(at(0), 1000 * (i + 1)));
        for n in 1..=30 {
            let rate = meter.on_ack(at(90 + 10 * n), 1000 * n, None);
            assert!(
                n <= 20 || rate.is_some_and(|rate| (rate - 100_000.0).abs() < 1e-6),
                "{n} {rate:?}"
            );
            meter.on_send(at(90 + 10 * n), 1000 * (n + 10));
        }
    }

    #[test]
    fn the_repair_of_a_loss_gives_no_sample() {
        let mut meter = RateMeter::default();
        (0..10).for_each(|i| meter.on_send(at(10 * i), 1000 * (i + 1)));
        assert_eq!(meter.on_ack(at(100), 1000, None), Some(10_000.0));
        meter.on_send(at(300), 2000);
        meter.on_send(at(301), 11_000);
        // Nine at once: eight of them arrived long before.
        assert_eq!(meter.on_ack(at(400), 10_000, None), Some(10_000.0));
        assert_eq!(
            meter.on_ack(at(401), 11_000, None),
            Some(10_000.0),
            "sent before the repair's end"
        );
        meter.on_send(at(500), 16_000);
        assert_eq!(meter.on_ack(at(600), 16_000, None), Some(50_000.0));
    }

    #[test]
    fn less_than_a_round_trip_is_no_sample() {
        let mut meter = RateMeter::default();
        meter.on_send(at(0), 1000);
        assert_eq!(meter.on_ack(at(50), 1000, Some(Span::millis(60))), None);
    }
}
