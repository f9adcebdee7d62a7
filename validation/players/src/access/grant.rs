//! The output of a case, and its times in words.

use base::Time;

/// The output: the queue that began, or had to give up its frame since the station left the channel.
pub type Grant = (Time, usize);

/// Microseconds of a case, to the nanosecond.
pub fn micros(us: f64) -> Time {
    Time(libm::round(us * 1e3) as u64)
}

/// A time for a message.
pub fn us(at: Time) -> String {
    format!("{} us", at.0 as f64 / 1e3)
}
