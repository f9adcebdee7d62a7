//! Rounds, delivered data and windowed maxima: the base of both versions of BBR.

use crate::tcp::law::interface::Ack;
use base::Time;

/// The least window, segments (section 4.2.3.1; draft-ietf-ccwg-bbr section 2.7).
pub const MIN_CWND: f64 = 4.0;

/// Seconds since `then`.
pub fn since(now: Time, then: Time) -> f64 {
    now.since(then).as_secs()
}

/// The greatest value of each of the last N periods.
#[derive(Clone, Copy, Debug)]
pub struct MaxOf<const N: usize> {
    values: [f64; N],
    newest: usize,
}

impl<const N: usize> Default for MaxOf<N> {
    fn default() -> MaxOf<N> {
        MaxOf { values: [0.0; N], newest: 0 }
    }
}

impl<const N: usize> MaxOf<N> {
    /// A period begins; the oldest is forgotten.
    pub fn advance(&mut self) {
        self.newest = (self.newest + 1) % N;
        self.values[self.newest] = 0.0;
    }

    /// A value of the present period.
    pub fn raise(&mut self, value: f64) {
        self.values[self.newest] = self.values[self.newest].max(value);
    }

    /// The greatest of all; 0 of none.
    pub fn max(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }
}

/// Deliveries by acknowledgements, in rounds (draft section 4.1.1.3).
#[derive(Clone, Copy, Debug, Default)]
pub struct Delivery {
    /// Delivered so far, segments.
    pub delivered: f64,
    /// By this acknowledgement.
    pub newly_delivered: f64,
    /// A round begins with this acknowledgement.
    pub round_start: bool,
    /// Delivery rate of this acknowledgement, segments/s.
    pub rate: Option<f64>,
    /// The end of the round: `delivered` at its begin.
    round_end: f64,
    /// The beginning of the round, for connections without rate samples.
    round_began: Option<(Time, f64)>,
    sampled: bool,
}

impl Delivery {
    /// Takes in an acknowledgement.
    pub fn on_ack(&mut self, a: &Ack) {
        self.newly_delivered = (a.delivered - self.delivered).max(0.0);
        self.delivered = a.delivered;
        self.sampled |= a.delivery_rate.get().is_some();
        self.round_start =
            if self.sampled { a.delivered_at_send >= self.round_end } else { a.round_ended };
        self.rate = if self.sampled { a.delivery_rate.get() } else { self.rate_of_round(a) };
        if self.round_start {
            self.begin_round(a.now);
        }
    }

    /// A round begins now.
    pub fn begin_round(&mut self, now: Time) {
        self.round_end = self.delivered;
        self.round_began = Some((now, self.delivered));
    }

    fn rate_of_round(&self, a: &Ack) -> Option<f64> {
        let (then, delivered) = self.round_began.filter(|_| a.round_ended)?;
        let dt = since(a.now, then);
        (dt > 0.0).then(|| (a.delivered - delivered) / dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximum_lives_as_many_periods_as_it_has_places() {
        let mut max = MaxOf::<2>::default();
        max.raise(5.0);
        max.advance();
        max.raise(3.0);
        assert_eq!(max.max(), 5.0);
        max.advance();
        assert_eq!(max.max(), 3.0);
    }

    #[test]
    fn a_round_ends_with_the_first_segment_sent_in_it() {
        let mut delivery = Delivery::default();
        let mut starts = vec![];
        // 4 segments a round: number i was sent when i - 4 were delivered.
        for i in 1..=9_u32 {
            let delivered_at_send = f64::from(i.saturating_sub(4));
            let delivery_rate = Some(1.0).into();
            delivery.on_ack(&Ack {
                delivered: f64::from(i),
                delivered_at_send,
                delivery_rate,
                ..Ack::default()
            });
            starts.push(delivery.round_start);
        }
        let rounds: Vec<_> = (1..=9).filter(|i| starts[i - 1]).collect();
        assert_eq!(rounds, [1, 5, 9]);
    }
}
