//! BBR version 1: a model of the path instead of losses (Cardwell et al., ACM Queue 14(5), 2016; draft-cardwell-iccrg-
//! bbr-congestion-control-00).
//!
//! | section of the draft | file |
//! |---|---|
//! | 4.1.1 rounds, BtlBw | `bbr/model.rs` |
//! | 4.3.2 Startup | `bbr/startup.rs` |
//! | 4.3.3 Drain | `bbr/drain.rs` |
//! | 4.3.4 ProbeBW | `bbr/probe_bw.rs` |
//! | 4.1.2, 4.3.5 RTprop, ProbeRTT | `bbr/probe_rtt.rs` |
//! | 4.2.3.4 the window in recovery | `bbr/repair.rs` |
//! | Linux's additions | `bbr/linux.rs` |
//! | 4.2.1 pacing: `gain BtlBw`; 4.2.3 `cwnd = gain BtlBw RTprop + 3 quanta` | here |
//!
//! *Deviations.* A quantum is one segment. A connection without records of segments (no SACK) gives one
//! rate sample a round. Long-term sampling against policers is left out (it is Linux's, not the draft's). The
//! random first phase is a salt.

mod drain;
mod linux;
mod model;
mod probe_bw;
mod probe_rtt;
mod repair;
mod startup;

use super::interface::{Ack, Law};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Span, Time, parameters};
pub(super) use model::{MaxOf, Path};

parameters! {
    salt = 0.0, "the random phase in which ProbeBW begins (any number; the world sets one a flow)";
    high_gain = 2.885, "pacing and window in Startup: 2/ln 2 (section 4.3.2.1)";
    cwnd_gain = 2.0, "window in BDPs in ProbeBW (section 4.3.4.1)";
    rtprop_window = 10.0, "s for which a least round-trip time holds (section 4.1.2.2)";
    probe_rtt = 0.2, "s that ProbeRTT lasts at least (section 4.3.5)";
    linux = 0.0, of SWITCH,
        "Linux's window and pace: bunches of segments and of acknowledgements, a hundredth slower (6.x)";
}

/// The least window, segments (section 4.2.3.1).
const MIN_CWND: f64 = 4.0;

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Startup,
    Drain,
    ProbeBw,
    ProbeRtt,
}

/// BBR at work.
#[derive(Clone, Debug)]
pub struct Bbr {
    p: Params,
    state: State,
    path: Path,
    /// Bottleneck bandwidth by the round, segments/s.
    btl_bw: MaxOf<10>,
    pacing_gain: f64,
    cwnd_gain: f64,
    startup: startup::FullPipe,
    cycle: probe_bw::Cycle,
    probe_rtt: probe_rtt::ProbeRtt,
    repair: repair::Repair,
    /// The window before ProbeRTT or a repair, segments.
    prior_cwnd: f64,
    pacing_rate: f64,
    bunches: linux::Bunches,
    /// Of a full segment, bytes.
    mss: f64,
}

impl Bbr {
    /// A fresh law.
    pub fn new(options: &Options) -> Bbr {
        let p = Params::new(options);
        Bbr {
            p,
            state: State::Startup,
            path: Path::default(),
            btl_bw: MaxOf::default(),
            pacing_gain: p.high_gain,
            cwnd_gain: p.high_gain,
            startup: startup::FullPipe::default(),
            cycle: probe_bw::Cycle::new(p.salt),
            probe_rtt: probe_rtt::ProbeRtt::default(),
            repair: repair::Repair::None,
            prior_cwnd: 0.0,
            pacing_rate: 0.0,
            bunches: linux::Bunches::default(),
            mss: 0.0,
        }
    }

    /// `gain` BDPs, segments; without an estimate infinite.
    fn inflight(&self, gain: f64) -> f64 {
        let Some(rtprop) = self.probe_rtt.rtprop() else { return f64::INFINITY };
        let bw = self.btl_bw.max();
        if bw > 0.0 { gain * bw * rtprop } else { f64::INFINITY }
    }

    /// Section 4.2.3.6.
    fn set_cwnd(&mut self, w: &mut Window, a: &Ack) {
        if !self.modulate_for_repair(w, a) {
            let delivered = self.path.newly_delivered;
            let target = self.budget(self.inflight(self.cwnd_gain));
            if self.startup.filled {
                w.cwnd = (w.cwnd + delivered).min(target);
            } else if w.cwnd < target || self.path.delivered < 10.0 {
                w.cwnd += delivered;
            }
            w.cwnd = w.cwnd.max(MIN_CWND);
        }
        if self.state == State::ProbeRtt {
            w.cwnd = w.cwnd.min(MIN_CWND);
        }
    }

    /// Section 4.2.1: never slower in Startup.
    fn set_pacing(&mut self, w: &Window, a: &Ack) {
        let bw = self.btl_bw.max();
        let pace = if self.p.linux == 1.0 { linux::PACE } else { 1.0 };
        let rate = if bw > 0.0 {
            pace * self.pacing_gain * bw
        } else {
            let rtt = a.srtt.map_or(0.001, Span::as_secs).max(1e-6);
            pace * self.p.high_gain * w.cwnd / rtt
        };
        if self.startup.filled || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }
}

impl Law for Bbr {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.path.on_ack(a);
        if self.path.round_start {
            self.btl_bw.advance();
        }
        if let Some(rate) = self.path.rate {
            if !a.rate_app_limited || rate >= self.btl_bw.max() {
                self.btl_bw.raise(rate);
            }
        }
        self.follow_bunches(w.cwnd, a);
        self.check_cycle(a);
        self.check_full_pipe(a);
        self.check_drain(a);
        self.check_probe_rtt(w, a);
        self.set_pacing(w, a);
        self.set_cwnd(w, a);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, _base: f64) {
        match why {
            Loss::DupAcks | Loss::Timeout => self.begin_repair(w, why),
            // A mark is nothing that the model knows.
            Loss::EcnMark => w.ssthresh = w.cwnd.max(2.0),
        }
    }

    fn on_recovered(&mut self, w: &mut Window) {
        self.end_repair(w);
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.probe_rtt.idle_restart = true;
        let target = self.inflight(self.cwnd_gain);
        if target.is_finite() {
            w.cwnd = w.cwnd.max(target.max(MIN_CWND));
        }
    }

    fn pacing_rate(&self) -> Option<f64> {
        (self.pacing_rate > 0.0).then_some(self.pacing_rate)
    }

    fn bunch(&self) -> u32 {
        Bbr::bunch(self) as u32
    }

    fn model_based(&self) -> bool {
        true
    }

    fn state(&self) -> &'static str {
        match self.state {
            State::Startup => "STARTUP",
            State::Drain => "DRAIN",
            State::ProbeBw => "PROBE_BW",
            State::ProbeRtt => "PROBE_RTT",
        }
    }
}

/// Seconds since `then`.
pub(super) fn since(now: Time, then: Time) -> f64 {
    now.since(then).as_secs()
}
