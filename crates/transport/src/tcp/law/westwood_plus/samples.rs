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

    fn count(&mut self, a: &Ack) {
        let ended = std::mem::take(&mut self.recovered);
        self.before = self.counted;
        self.counted = if self.count == 0.0 {
            a.delivered
        } else if a.covered == 0.0 || (a.in_recovery && !ended) {
            self.counted + 1.0
        } else {
            self.counted + a.covered
        };
    }

    fn begin(&mut self, a: &Ack, counted: f64) {
        self.since = Some((a.now, counted));
        self.lasts = a.rtt.get().or(a.srtt.get()).map_or(f64::INFINITY, |rtt| rtt.as_secs());
    }
}
