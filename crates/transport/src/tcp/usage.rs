//! Tracks whether the window was used up lately: Linux's `tcp_cwnd_validate`.

/// The most that was in flight, and whether the window held the sender back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    /// The most that was in flight, bytes, until `end` is acknowledged.
    peak: u64,
    end: u64,
    /// The window held the sender back.
    bound: bool,
}

impl Usage {
    /// Of a window of `window` bytes neither all was used, nor half of it in slow start.
    pub fn is_short(&self, window: u64, slow_start: bool) -> bool {
        let half = slow_start && window < self.peak.saturating_mul(2);
        !self.bound && !half
    }

    /// Segments were sent from `una` up to `nxt`, or could not be; `bound`: the window let no more go.
    pub fn note(&mut self, una: u64, nxt: u64, bound: bool) {
        let flight = nxt - una;
        let more = !self.bound && flight > self.peak;
        if una >= self.end || bound || more {
            *self = Usage { peak: flight, end: nxt, bound };
        }
    }
}
