//! The round trip between a base station and a mobile.

use base::{Span, Time};

/// Before anything was measured (RFC 6298, 2.1).
const FIRST_TIMEOUT: Span = Span::secs(1);

/// Smoothed round trip and its deviation (Jacobson 1988), in integers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RadioRtt {
    /// Both in nanoseconds.
    smoothed: Option<(u64, u64)>,
}

impl RadioRtt {
    /// An acknowledgement comes of what went to the mobile once, at `sent`.
    pub fn sample(&mut self, sent: Time, now: Time) {
        let rtt = now.since(sent).0;
        self.smoothed = Some(match self.smoothed {
            None => (rtt, rtt / 2),
            Some((mean, deviation)) => {
                let off = mean.abs_diff(rtt);
                (mean - mean / 8 + rtt / 8, deviation - deviation / 4 + off / 4)
            }
        });
    }

    /// Returns the time to wait for an acknowledgement.
    pub fn timeout(&self, least: Span) -> Span {
        match self.smoothed {
            None => FIRST_TIMEOUT.max(least),
            Some((mean, deviation)) => Span(mean + 4 * deviation).max(least),
        }
    }
}
