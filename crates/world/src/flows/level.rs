//! A quantity that changes now and then: its mean over time, and its largest value.

use base::Time;

/// A level, such as bytes, measured since the measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Level {
    now: u64,
    /// Since when it is so.
    at: Time,
    /// Times nanoseconds, up to then.
    sum: u128,
    since: Time,
    most: u64,
}

impl Level {
    /// Sets the level from now on.
    pub fn set(&mut self, now: Time, level: u64) {
        self.sum += u128::from(self.now) * u128::from(now.since(self.at).0);
        (self.now, self.at) = (level, now);
        self.most = self.most.max(level);
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, now: Time) {
        *self = Level { now: self.now, at: now, since: now, most: self.now, sum: 0 };
    }

    /// The largest.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The mean up to now.
    pub fn mean(&self, now: Time) -> f64 {
        let length = now.since(self.since).0;
        let last = u128::from(self.now) * u128::from(now.since(self.at).0);
        if length == 0 { 0.0 } else { (self.sum + last) as f64 / length as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_time() {
        let mut level = Level::default();
        level.set(Time(10), 100);
        level.begin_measurement(Time(20));
        level.set(Time(30), 300);
        level.set(Time(40), 0);
        assert_eq!((level.mean(Time(60)), level.most()), (100.0, 300));
    }
}
