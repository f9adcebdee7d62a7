//! The receiving end of a stream that is played: what comes too late is as good as lost.

use crate::pictures::{PictureCounts, PicturesUnderWay};
use crate::speech::Codec;
use base::{DelayHistogram, Span, Time};

/// Measures of a stream beyond those of every flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayoutConfig {
    /// Datagrams older than this when they arrive are late. `None`: none is.
    pub deadline: Option<Span>,
    /// Age of the data when their datagram is sent: the time to fill it, if that counts.
    pub head_start: Span,
    /// True if it consists of pictures, which count only as a whole.
    pub pictures: bool,
    /// Speech parameters, if it is speech and gets an opinion score.
    pub speech: Option<Speech>,
}

/// Parameters of an opinion score besides delay and loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speech {
    /// The codec.
    pub codec: Codec,
    /// From the first sample of a datagram to its sending.
    pub fill: Span,
}

impl PlayoutConfig {
    /// From mouth to ear: where there is a deadline everything is played at it, else after the mean delay.
    pub fn mouth_to_ear(&self, speech: &Speech, mean_delay: Span) -> Span {
        match self.deadline {
            // The part of the filling that the deadline does not count comes before it.
            Some(deadline) => Span(speech.fill.0.saturating_sub(self.head_start.0)) + deadline,
            None => speech.fill + mean_delay,
        }
    }
}

/// The receiving end of a stream.
#[derive(Clone, Debug, Default)]
pub struct Playout {
    config: PlayoutConfig,
    last: Option<Time>,
    heard: u64,
    late: u64,
    gaps: DelayHistogram,
    /// Their mean, s, and the sum of the squares about it, s^2 (Welford 1962): no cancellation where all are alike.
    gap_mean: f64,
    gap_squares: f64,
    pictures: Option<PicturesUnderWay>,
}

impl Playout {
    /// From its plan.
    pub fn new(config: PlayoutConfig) -> Playout {
        let pictures = config.pictures.then(PicturesUnderWay::default);
        Playout { config, pictures, ..Playout::default() }
    }

    /// The plan.
    pub fn config(&self) -> &PlayoutConfig {
        &self.config
    }

    /// Notes that a unit is sent in `datagrams` datagrams, of which the first has the number `first`.
    pub fn on_sent(&mut self, first: u64, datagrams: u32) {
        if let Some(pictures) = &mut self.pictures {
            pictures.on_sent(first, datagrams);
        }
    }

    /// A datagram is lost.
    pub fn on_lost(&mut self, number: u64) {
        if let Some(pictures) = &mut self.pictures {
            pictures.on_lost(number);
        }
    }

    /// A datagram that was handed to the network at `born` arrives, for the first time.
    pub fn on_datagram(&mut self, now: Time, born: Time, number: u64) {
        self.heard += 1;
        if let Some(last) = self.last.replace(now) {
            let gap = now.since(last);
            self.gaps.record(gap);
            let off = gap.as_secs() - self.gap_mean;
            self.gap_mean += off / self.gaps.count() as f64;
            self.gap_squares += off * (gap.as_secs() - self.gap_mean);
        }
        let late = self.is_late(now, born);
        self.late += u64::from(late);
        if let Some(pictures) = &mut self.pictures {
            pictures.on_datagram(number, late);
        }
    }

    fn is_late(&self, now: Time, born: Time) -> bool {
        self.config
            .deadline
            .is_some_and(|deadline| now.since(born) + self.config.head_start > deadline)
    }

    /// Counts begin anew; the last arrival and the pictures on their way are kept.
    pub fn begin_measurement(&mut self) {
        let mut pictures = self.pictures.take();
        if let Some(pictures) = &mut pictures {
            pictures.counts = PictureCounts::default();
        }
        *self = Playout { config: self.config, last: self.last, pictures, ..Playout::default() };
    }

    /// Counts of pictures; `None` if the stream has none.
    pub fn pictures(&self) -> Option<PictureCounts> {
        self.pictures.as_ref().map(|pictures| pictures.counts)
    }

    /// Datagrams that arrived, each counted once.
    pub fn heard(&self) -> u64 {
        self.heard
    }

    /// Those later than the deadline.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// Times between arrivals.
    pub fn gaps(&self) -> &DelayHistogram {
        &self.gaps
    }

    /// Standard deviation of the times between arrivals, s; `None` for less than two.
    pub fn gap_deviation_s(&self) -> Option<f64> {
        let n = self.gaps.count();
        (n > 1).then(|| (self.gap_squares / (n - 1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::ZERO + Span::millis(ms)
    }

    #[test]
    fn older_than_the_deadline_is_late_and_exactly_that_old_is_not() {
        let config =
            PlayoutConfig { deadline: Some(Span::millis(100)), ..PlayoutConfig::default() };
        let mut playout = Playout::new(config);
        for (born, arrives) in [(0, 99), (20, 120), (40, 141), (60, 300)] {
            playout.on_datagram(ms(arrives), ms(born), 0);
        }
        assert_eq!((playout.heard(), playout.late()), (4, 2));
        let filled = PlayoutConfig { head_start: Span::millis(20), ..config };
        let mut playout = Playout::new(filled);
        for (born, arrives) in [(0, 80), (20, 101), (40, 121)] {
            playout.on_datagram(ms(arrives), ms(born), 0);
        }
        assert_eq!(playout.late(), 2);
    }

    /// Gaps of 10, 20 and 60 ms: mean 30, variance (400 + 100 + 900) / 2 = 700.
    #[test]
    fn gaps_run_through_the_start_of_the_measurement() {
        let mut playout = Playout::new(PlayoutConfig::default());
        playout.on_datagram(ms(5), ms(0), 0);
        playout.begin_measurement();
        assert_eq!(playout.gap_deviation_s(), None);
        for at in [15, 35, 95] {
            playout.on_datagram(ms(at), ms(0), 0);
        }
        assert_eq!((playout.heard(), playout.late(), playout.gaps().count()), (3, 0, 3));
        assert!((playout.gaps().mean_s().unwrap() - 0.03).abs() < 1e-12);
        let deviation = playout.gap_deviation_s().unwrap();
        assert!((deviation - 0.0007_f64.sqrt()).abs() < 1e-12, "{deviation}");
    }
}
