//! RTprop and ProbeRTT: when no shorter round trip came for ten seconds, four segments for 200 ms show the path without
//! a queue (sections 4.1.2 and 4.3.5).

use super::model::{Delivery, MIN_CWND, since};
use crate::tcp::law::interface::Ack;
use base::Time;

/// The round trip without queues, and the search for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeRtt {
    /// Seconds, and when it was measured.
    least: Option<(f64, Time)>,
    /// The time at which few enough segments were in flight first.
    since: Option<Time>,
    round_done: bool,
    /// Sending begins after a pause: the pause was the probe.
    idle_restart: bool,
}

impl ProbeRtt {
    /// The least round trip, s.
    pub fn rtprop(&self) -> Option<f64> {
        self.least.map(|(rtt, _)| rtt)
    }

    /// Sending begins after a pause.
    pub fn on_idle(&mut self) {
        self.idle_restart = true;
    }

    /// True where the least round trip is older than `window` s and no pause has shown it; `linux`: its habits.
    pub fn update(&mut self, a: &Ack, window: f64, linux: bool) -> bool {
        if linux && self.least.is_none() {
            // The handshake's round trip is the first.
            self.least = a.min_rtt.get().map(|rtt| (rtt.as_secs().max(1e-6), a.now));
        }
        let expired = self.least.is_some_and(|(_, at)| since(a.now, at) > window);
        if let Some(rtt) = a.rtt.get().map(|rtt| rtt.as_secs().max(1e-6)) {
            let renews = |(least, _)| if linux { rtt < least } else { rtt <= least };
            if expired || self.least.is_none_or(renews) {
                self.least = Some((rtt, a.now));
            }
        }
        let paused = std::mem::take(&mut self.idle_restart);
        expired && !paused
    }

    /// The search begins.
    pub fn begin(&mut self) {
        self.since = None;
    }

    /// Waits for few segments in flight, and then for a round and `lasts` s; true where they are over.
    pub fn is_over(&mut self, a: &Ack, delivery: &mut Delivery, lasts: f64) -> bool {
        let Some(began) = self.since else {
            if a.inflight <= MIN_CWND {
                (self.since, self.round_done) = (Some(a.now), false);
                delivery.begin_round(a.now);
            }
            return false;
        };
        self.round_done |= delivery.round_start;
        let over = self.round_done && since(a.now, began) >= lasts;
        if let Some(least) = self.least.as_mut().filter(|_| over) {
            least.1 = a.now;
        }
        over
    }
}
