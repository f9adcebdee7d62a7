//! The least round trip, and ProbeRTT, which shows it: half a BDP for 200 ms, every five seconds (section 5.3.4).

use crate::tcp::law::interface::Ack;
use crate::tcp::window::Window;
use super::{Bbr3, MIN_CWND, State, since};
use base::Time;

/// Window in BDPs (section 2.5).
const CWND_GAIN: f64 = 0.5;

/// The least round trips and the search for them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinRtt {
    /// Sending begins after a pause: the pause was the probe.
    pub idle_restart: bool,
    /// Seconds and when, over `min_rtt_window`.
    pub least: Option<(f64, Time)>,
    /// The same over `probe_rtt_interval`.
    recent: Option<(f64, Time)>,
    /// When little enough was in flight first.
    since: Option<Time>,
    round_done: bool,
}

impl Bbr3 {
    pub(super) fn check_probe_rtt(&mut self, w: &mut Window, a: &Ack) {
        let expired = self.update_min_rtt(a);
        if self.state != State::ProbeRtt && expired && !self.rtt.idle_restart {
            self.save_cwnd(w);
            self.state = State::ProbeRtt;
            (self.pacing_gain, self.cwnd_gain) = (1.0, CWND_GAIN);
            self.stop_probing();
            self.rtt.since = None;
            self.path.begin_round(a.now);
        }
        if self.state == State::ProbeRtt {
            self.wait(w, a);
        }
        self.rtt.idle_restart = false;
    }

    /// Half a BDP, segments.
    pub(super) fn probe_rtt_cwnd(&self) -> f64 {
        self.inflight(self.bw(), CWND_GAIN).max(MIN_CWND)
    }

    /// True where a probe is due.
    fn update_min_rtt(&mut self, a: &Ack) -> bool {
        let old = |of: Option<(f64, Time)>, window| of.is_some_and(|(_, at)| since(a.now, at) > window);
        let due = old(self.rtt.recent, self.p.probe_rtt_interval);
        let expired = old(self.rtt.least, self.p.min_rtt_window);
        if let Some(rtt) = a.rtt.map(|rtt| rtt.as_secs().max(1e-6)) {
            if due || self.rtt.recent.is_none_or(|(least, _)| rtt < least) {
                self.rtt.recent = Some((rtt, a.now));
            }
        }
        if let Some(recent) = self.rtt.recent {
            if expired || self.rtt.least.is_none_or(|(least, _)| recent.0 < least) {
                self.rtt.least = Some(recent);
            }
        }
        due
    }

    fn wait(&mut self, w: &mut Window, a: &Ack) {
        let Some(began) = self.rtt.since else {
            if a.inflight <= self.probe_rtt_cwnd() {
                self.rtt.since = Some(a.now);
                self.rtt.round_done = false;
                self.path.begin_round(a.now);
            }
            return;
        };
        self.rtt.round_done |= self.path.round_start;
        if self.rtt.round_done && since(a.now, began) > self.p.probe_rtt {
            self.leave(w, a.now);
        }
    }

    fn leave(&mut self, w: &mut Window, now: Time) {
        if let Some(recent) = &mut self.rtt.recent {
            recent.1 = now;
        }
        self.bounds.forget_shortterm();
        if self.full.reached {
            self.enter_down(now);
            self.enter_cruise();
        } else {
            self.enter_startup();
        }
        w.cwnd = w.cwnd.max(self.prior_cwnd);
    }
}
