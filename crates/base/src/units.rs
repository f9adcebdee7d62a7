//! Integer time, sizes and rates. Only the arithmetic that has a meaning exists.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

/// Nanoseconds in a second.
const NANOS: u64 = 1_000_000_000;

/// An instant: nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Time(pub u64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Span(pub u64);

/// A count of octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u32);

/// A bit rate in bit/s; never zero in a built world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(pub u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Time = Time(0);
    /// Later than any event: "not armed".
    pub const NEVER: Time = Time(u64::MAX);

    /// Seconds since the start of the run.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / NANOS as f64
    }

    /// The time since `earlier`, or zero where `earlier` is later.
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of whole microseconds.
    pub const fn micros(us: u64) -> Span {
        Span(us * 1_000)
    }

    /// A span of whole milliseconds.
    pub const fn millis(ms: u64) -> Span {
        Span(ms * 1_000_000)
    }

    /// A span of whole seconds.
    pub const fn secs(s: u64) -> Span {
        Span(s * NANOS)
    }

    /// The nearest span to `s` seconds; negative and non-finite values give zero.
    pub fn from_secs(s: f64) -> Span {
        // A float-to-int cast saturates, and NaN becomes 0.
        Span((s * NANOS as f64 + 0.5) as u64)
    }

    /// In seconds.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / NANOS as f64
    }
}

impl Rate {
    /// The time that `bits` take, rounded up to a nanosecond.
    ///
    /// Exact for up to 1.8e10 bits, far above any frame.
    pub fn time_for_bits(self, bits: u64) -> Span {
        Span((bits * NANOS).div_ceil(self.0))
    }

    /// The time that `bytes` take, rounded up to a nanosecond.
    pub fn time_for(self, bytes: Bytes) -> Span {
        self.time_for_bits(u64::from(bytes.0) * 8)
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub for Time {
    type Output = Span;
    /// # Panics
    /// In debug builds, when `earlier` is later: use [`Time::since`] where that may be.
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    fn mul(self, times: u64) -> Span {
        Span(self.0 * times)
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.9} s", self.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn airtime_rounds_up_to_a_nanosecond() {
        assert_eq!(Rate(8_000_000).time_for(Bytes(1040)), Span::micros(1040));
        assert_eq!(Rate(3).time_for_bits(1), Span(333_333_334));
    }

    #[test]
    fn seconds_round_to_the_nearest_nanosecond() {
        assert_eq!(Span::from_secs(0.033_3), Span(33_300_000));
        assert_eq!(Span::from_secs(-1.0), Span::ZERO);
        assert_eq!(Span::from_secs(f64::NAN), Span::ZERO);
    }

    #[test]
    fn since_never_underflows() {
        assert_eq!(Time(5).since(Time(9)), Span::ZERO);
        assert_eq!(Time(9) - Time(5), Span(4));
    }
}
