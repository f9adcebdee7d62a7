//! The least round trip, and ProbeRTT, which shows it: half a BDP for 200 ms, every five seconds (section 5.3.4).

use crate::tcp::law::bbr::model::{Delivery, since};
use crate::tcp::law::interface::Ack;
use base::Time;

/// The least round trips and the search for them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinRtt {
    /// Seconds and when, over the longer window.
    least: Option<(f64, Time)>,
    /// The same over the interval between probes.
    recent: Option<(f64, Time)>,
    /// The time at which little enough was in flight first.
    since: Option<Time>,
    round_done: bool,
    /// Sending begins after a pause: the pause was the probe.
    idle_restart: bool,
}

impl MinRtt {
    /// Seconds.
    pub fn least(&self) -> Option<f64> {
        self.least.map(|(rtt, _)| rtt)
    }

    /// Sending begins after a pause.
    pub fn on_idle(&mut self) {
        self.idle_restart = true;
    }

    /// True where a probe is due: no pause, and no shorter round trip for `interval` s. The least holds for `window` s.
    pub fn update(&mut self, a: &Ack, interval: f64, window: f64) -> bool {
        let old =
            |of: Option<(f64, Time)>, window| of.is_some_and(|(_, at)| since(a.now, at) > window);
        let (due, expired) = (old(self.recent, interval), old(self.least, window));
        if let Some(rtt) = a.rtt.get().map(|rtt| rtt.as_secs().max(1e-6)) {
            if due || self.recent.is_none_or(|(least, _)| rtt < least) {
                self.recent = Some((rtt, a.now));
            }
        }
        if let Some(recent) = self.recent {
            if expired || self.least.is_none_or(|(least, _)| recent.0 < least) {
                self.least = Some(recent);
            }
        }
        let paused = std::mem::take(&mut self.idle_restart);
        due && !paused
    }

    /// The search begins.
    pub fn begin(&mut self) {
        self.since = None;
    }

    /// Waits for `enough` segments in flight or fewer, and then for a round and `lasts` s; true where they are over.
    pub fn is_over(&mut self, a: &Ack, delivery: &mut Delivery, enough: f64, lasts: f64) -> bool {
        let Some(began) = self.since else {
            if a.inflight <= enough {
                (self.since, self.round_done) = (Some(a.now), false);
                delivery.begin_round(a.now);
            }
            return false;
        };
        self.round_done |= delivery.round_start;
        let over = self.round_done && since(a.now, began) > lasts;
        if let Some(recent) = self.recent.as_mut().filter(|_| over) {
            recent.1 = a.now;
        }
        over
    }
}
