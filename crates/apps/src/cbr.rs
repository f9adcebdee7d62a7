//! Datagrams of one size at a constant rate.

use base::{Rate, Span, Time};

/// Nanoseconds in a second.
const NANOS: u128 = 1_000_000_000;

/// Schedule of constant-rate datagrams: the n-th is sent n * 8 * payload / rate after the first, to a nanosecond, with no
/// drift.
#[derive(Clone, Debug)]
pub struct Cbr {
    payload: u32,
    interval: Span,
    rate: u64,
    /// Nanoseconds times rate that do not fill a nanosecond in each interval, and so far.
    part: u64,
    left_over: u64,
}

impl Cbr {
    /// `payload` bytes a datagram at `rate` of payload.
    pub fn new(payload: u32, rate: Rate) -> Cbr {
        let rate = rate.0.max(1);
        let bit_nanos = u128::from(payload) * 8 * NANOS;
        Cbr {
            payload,
            interval: Span((bit_nanos / u128::from(rate)) as u64),
            rate,
            part: (bit_nanos % u128::from(rate)) as u64,
            left_over: 0,
        }
    }

    /// Payload of a datagram, bytes.
    pub fn payload(&self) -> u32 {
        self.payload
    }

    /// Time of the datagram after the one sent at `now`.
    pub fn next(&mut self, now: Time) -> Time {
        now + self.step()
    }

    /// The time from one datagram to the next.
    pub fn step(&mut self) -> Span {
        let left_over = u128::from(self.left_over) + u128::from(self.part);
        let rate = u128::from(self.rate);
        self.left_over = (left_over % rate) as u64;
        self.interval + Span((left_over / rate) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_payload_over_the_rate() {
        let mut cbr = Cbr::new(210, Rate(448_000));
        assert_eq!(cbr.next(Time(5)), Time(3_750_005));
    }

    #[test]
    fn a_rate_that_does_not_divide_does_not_drift() {
        // 8 bits at 3 bit/s: 2.67 s.
        let mut cbr = Cbr::new(1, Rate(3));
        let mut now = Time::ZERO;
        for _ in 0..3000 {
            now = cbr.next(now);
        }
        assert_eq!(now, Time::ZERO + Span::secs(8000));
    }
}
