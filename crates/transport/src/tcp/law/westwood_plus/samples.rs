//! The end of a bandwidth sample, and the segments that count in it.

use crate::tcp::law::interface::Ack;
use base::Time;

/// The sample under way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples {
    /// The law's parameters of these names.
    interval: u32,
    min_interval: f64,
    count: f64,
    /// The beginning, and the count by then, segments.
    since: Option<(Time, f64)>,
    /// Segments so far, and before the last acknowledgement.
    counted: f64,
    before: f64,
    /// The length by the timer, s.
    lasts: f64,
    /// The next acknowledgement ends a recovery.
    recovered: bool,
    /// What is acknowledged, segments, and how far the repair after a timeout goes.
    una: f64,
    repair: Repair,
}

/// The repair after a timeout, up to what was sent before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Repair {
    #[default]
    None,
    /// The timer has expired; the next acknowledgement tells what was sent.
    Begins,
    /// Up to here, segments.
    Upto(f64),
}

impl Samples {
    /// By the law's parameters of these names.
    pub fn new(interval: f64, min_interval: f64, count: f64) -> Samples {
        Samples { interval: interval as u32, min_interval, count, ..Samples::default() }
    }

    /// Takes in an acknowledgement; the sample that is over with it, segments a second.
    pub fn on_ack(&mut self, a: &Ack) -> Option<f64> {
        self.count(a);
        let Some((then, counted)) = self.since else {
            self.begin(a, self.counted);
            return None;
        };
        let dt = a.now.since(then).as_secs();
        let srtt = a.srtt.get().map_or(0.0, |srtt| srtt.as_secs());
        let (over, upto, time) = match self.interval {
            0 => (a.round_ended && dt > 0.0 && dt >= self.min_interval, self.counted, dt),
            1 => (dt > srtt.max(self.min_interval), self.before, dt),
            _ => (dt > self.lasts, self.before, self.lasts),
        };
        if !over {
            return None;
        }
        self.begin(a, upto);
        Some((upto - counted).max(0.0) / time)
    }

    /// A recovery has ended: the next acknowledgement is the one that ended it.
    pub fn on_recovered(&mut self) {
        self.recovered = true;
    }

    /// The timer has expired.
    pub fn on_timeout(&mut self) {
        self.repair = Repair::Begins;
    }

    fn count(&mut self, a: &Ack) {
        let ended = std::mem::take(&mut self.recovered);
        self.before = self.counted;
        let beyond = self.beyond_repair(a);
        self.counted = if self.count == 0.0 {
            a.delivered
        } else if a.covered == 0.0 || (a.in_recovery && !ended) {
            self.counted + 1.0
        } else {
            self.counted + beyond
        };
    }

    /// What an acknowledgement covers; of one that ends the repair after a timeout, what was sent after that.
    fn beyond_repair(&mut self, a: &Ack) -> f64 {
        let before = self.una;
        self.una += a.covered;
        if self.repair == Repair::Begins {
            self.repair = Repair::Upto(before + a.flight);
        }
        match self.repair {
            Repair::Upto(end) if self.una >= end => {
                self.repair = Repair::None;
                self.una - end
            }
            _ => a.covered,
        }
    }

    fn begin(&mut self, a: &Ack, counted: f64) {
        self.since = Some((a.now, counted));
        self.lasts = a.srtt.get().map_or(f64::INFINITY, |rtt| rtt.as_secs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of ten segments the first was lost, the timer expired, and nine were SACKed since: what covers all ten and one that
    /// was sent later counts that one.
    #[test]
    fn what_ends_the_repair_after_a_timeout_counts_beyond_it() {
        let told = |covered, flight| Ack { covered, flight, ..Ack::default() };
        let mut samples = Samples::new(2.0, 0.0, 1.0);
        samples.count(&told(5.0, 15.0));
        samples.on_timeout();
        samples.count(&told(0.0, 10.0));
        samples.count(&told(0.0, 10.0));
        assert_eq!(samples.counted, 7.0);
        samples.count(&told(11.0, 11.0));
        assert_eq!(samples.counted, 8.0);
        samples.count(&told(3.0, 3.0));
        assert_eq!(samples.counted, 11.0);
    }
}
