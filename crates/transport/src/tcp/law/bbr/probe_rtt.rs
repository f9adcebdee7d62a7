//! RTprop and ProbeRTT: when no shorter round trip came for ten seconds, four segments for 200 ms show the path without
//! a queue (sections 4.1.2 and 4.3.5).

use crate::tcp::law::interface::Ack;
use crate::tcp::window::Window;
use super::{Bbr, MIN_CWND, State, since};
use base::Time;

/// The round trip without queues, and the search for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeRtt {
    /// Sending begins after a pause: the pause was the probe.
    pub idle_restart: bool,
    /// Seconds, and when it was measured.
    least: Option<(f64, Time)>,
    /// When few enough segments were in flight first.
    since: Option<Time>,
    round_done: bool,
}

impl ProbeRtt {
    /// The least round trip, s.
    pub fn rtprop(&self) -> Option<f64> {
        self.least.map(|(rtt, _)| rtt)
    }
}

impl Bbr {
    pub(super) fn check_probe_rtt(&mut self, w: &mut Window, a: &Ack) {
        let expired = self.update_rtprop(a);
        if self.state != State::ProbeRtt && expired && !self.probe_rtt.idle_restart {
            self.save_cwnd(w);
            self.state = State::ProbeRtt;
            (self.pacing_gain, self.cwnd_gain) = (1.0, 1.0);
            self.probe_rtt.since = None;
        }
        if self.state == State::ProbeRtt {
            self.wait(w, a);
        }
        self.probe_rtt.idle_restart = false;
    }

    /// True where the least round trip is too old.
    fn update_rtprop(&mut self, a: &Ack) -> bool {
        let linux = self.p.linux == 1.0;
        let probe = &mut self.probe_rtt;
        if linux && probe.least.is_none() {
            // The handshake's round trip is the first.
            probe.least = a.min_rtt.map(|rtt| (rtt.as_secs().max(1e-6), a.now));
        }
        let expired =
            probe.least.is_some_and(|(_, at)| since(a.now, at) > self.p.rtprop_window);
        if let Some(rtt) = a.rtt.map(|rtt| rtt.as_secs().max(1e-6)) {
            let renews = |(least, _)| if linux { rtt < least } else { rtt <= least };
            if expired || probe.least.is_none_or(renews) {
                probe.least = Some((rtt, a.now));
            }
        }
        expired
    }

    fn wait(&mut self, w: &mut Window, a: &Ack) {
        let Some(began) = self.probe_rtt.since else {
            if a.inflight <= MIN_CWND {
                self.probe_rtt.since = Some(a.now);
                self.probe_rtt.round_done = false;
                self.path.begin_round(a.now);
            }
            return;
        };
        self.probe_rtt.round_done |= self.path.round_start;
        if self.probe_rtt.round_done && since(a.now, began) >= self.p.probe_rtt {
            if let Some(least) = &mut self.probe_rtt.least {
                least.1 = a.now;
            }
            w.cwnd = w.cwnd.max(self.prior_cwnd);
            if self.startup.filled { self.enter_probe_bw(a.now) } else { self.enter_startup() }
        }
    }
}
