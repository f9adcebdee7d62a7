//! BBR version 3: BBR that also heeds losses (draft-ietf-ccwg-bbr, main at 4ce5e87d).
//!
//! | section of the draft | file |
//! |---|---|
//! | 5.3.1 Startup: when the bandwidth is found | `bbr3/startup.rs` |
//! | 5.3.3 ProbeBW: when a probe comes, and its slope | `bbr3/cycle.rs` |
//! | 5.3.4 min_rtt and ProbeRTT | `bbr3/probe_rtt.rs` |
//! | 5.5.10 the bounds that losses set | `bbr3/bounds.rs` |
//! | 5.3 from state to state | `bbr3/steps.rs` |
//! | 5.6 pacing rate, window | here |
//!
//! *Deviations.* A quantum is one segment. Of the segments that one acknowledgement shows to be lost the last
//! gives its flight (HandleLostPacket), and the delivered count tells whether the application limited it.
//! Without SACK a loss is known when it is sent again, and counts as with it. A reduction that proves
//! spurious brings back the earlier law.
//! A timeout leaves one segment, not one more than is in flight. Random waits come from a salt.

mod bounds;
mod cycle;
mod probe_rtt;
mod startup;
mod steps;

use super::bbr::model::{Delivery, MIN_CWND, MaxOf, since};
use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, Span, Time, parameters};
use bounds::Bounds;
use cycle::Cycle;
use probe_rtt::MinRtt;
use startup::FullBw;

parameters! {
    salt = 0.0, "the random waits between probes (any number; drawn for each connection where it is left out)";
    startup_gain = 2.77, "pacing in Startup: 4 ln 2 (section 2.4)";
    drain_gain = 0.5, "pacing in Drain (the draft now; 0.35 in older ones)";
    cwnd_gain = 2.0, "window in BDPs (section 2.5)";
    loss_threshold = 0.02, "part of a flight whose loss is too much (section 2.4)";
    beta = 0.7, "what a bound keeps after losses (section 2.4)";
    headroom = 0.15, "part of the long-term bound left to others (section 2.4)";
    margin = 0.01, "part of the bandwidth that pacing leaves (section 2.4)";
    min_rtt_window = 10.0, "s for which a least round-trip time holds (section 2.14.1)";
    probe_rtt_interval = 5.0, "s without a shorter round trip until ProbeRTT (section 2.14.2)";
    probe_rtt = 0.2, "s that ProbeRTT lasts at least (section 2.14.2)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2023, paper: "draft-ietf-ccwg-bbr", parameters: Params::ALL };

/// The states of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

/// BBRv3 at work.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    p: Params,
    state: State,
    delivery: Delivery,
    /// Bandwidth of this cycle and the last, segments/s.
    max_bw: MaxOf<2>,
    /// Aggregation by the round, segments.
    extra_acked: MaxOf<10>,
    epoch: (Time, f64),
    pacing_gain: f64,
    cwnd_gain: f64,
    full: FullBw,
    rounds_in_drain: u32,
    cycle: Cycle,
    rtt: MinRtt,
    bounds: Bounds,
    /// Losses are being repaired.
    repairing: bool,
    /// The window before ProbeRTT or a repair, segments.
    prior_cwnd: f64,
    pacing_rate: f64,
}

impl Bbr3 {
    /// A fresh law.
    pub fn new(options: &Options) -> Bbr3 {
        let p = Params::new(options);
        Bbr3 {
            p,
            state: State::Startup,
            delivery: Delivery::default(),
            max_bw: MaxOf::default(),
            extra_acked: MaxOf::default(),
            epoch: (Time::ZERO, 0.0),
            pacing_gain: p.startup_gain,
            cwnd_gain: p.cwnd_gain,
            full: FullBw::default(),
            rounds_in_drain: 0,
            cycle: Cycle::new(p.salt),
            rtt: MinRtt::default(),
            bounds: Bounds::default(),
            repairing: false,
            prior_cwnd: 0.0,
            pacing_rate: 0.0,
        }
    }

    /// Segments that the path was found to hold without too much loss; infinite before a loss.
    pub fn inflight_longterm(&self) -> f64 {
        self.bounds.inflight_longterm
    }

    /// Segments/s: the least of the long-term and the short-term estimate.
    fn bw(&self) -> f64 {
        self.max_bw.max().min(self.bounds.bw_shortterm())
    }

    /// `gain` BDPs at `bw`, segments; without an estimate infinite.
    fn inflight(&self, bw: f64, gain: f64) -> f64 {
        match self.rtt.least() {
            Some(min_rtt) if bw > 0.0 => gain * bw * min_rtt,
            _ => f64::INFINITY,
        }
    }

    /// Section 5.5.9: what came beyond the rate that the model expects.
    fn update_aggregation(&mut self, w: &Window, a: &Ack) {
        if self.delivery.round_start && self.full.reached {
            self.extra_acked.advance();
        } else if self.delivery.round_start {
            // In Startup one round is remembered.
            self.extra_acked = MaxOf::default();
        }
        let (began, delivered) = self.epoch;
        let expected = self.bw() * since(a.now, began);
        let mut acked = delivered + self.delivery.newly_delivered;
        if delivered <= expected {
            acked = self.delivery.newly_delivered;
            self.epoch.0 = a.now;
        }
        self.epoch.1 = acked;
        let expected = self.bw() * since(a.now, self.epoch.0);
        self.extra_acked.raise((acked - expected).clamp(0.0, w.cwnd));
    }

    /// QuantizationBudget: three quanta of a segment at least; two more in flight while probing.
    fn quantized(&self, inflight: f64) -> f64 {
        inflight.max(MIN_CWND) + if self.state == State::Up { 2.0 } else { 0.0 }
    }

    /// SaveCwnd: the last window that neither a repair nor ProbeRTT held down.
    fn save_cwnd(&mut self, w: &Window) {
        let held_down = self.repairing || self.state == State::ProbeRtt;
        self.prior_cwnd = if held_down { self.prior_cwnd.max(w.cwnd) } else { w.cwnd };
    }

    fn set_pacing(&mut self, w: &Window, a: &Ack) {
        let bw = self.bw();
        let rate = if bw > 0.0 {
            self.pacing_gain * bw * (1.0 - self.p.margin)
        } else {
            let rtt = a.srtt.get().map_or(0.001, Span::as_secs).max(1e-6);
            self.p.startup_gain * w.cwnd / rtt
        };
        if self.full.reached || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }

    /// Section 5.6.4.
    fn set_cwnd(&mut self, w: &mut Window) {
        let delivered = self.delivery.newly_delivered;
        let bdps = self.inflight(self.bw(), self.cwnd_gain);
        let most = self.quantized(bdps + self.extra_acked.max());
        if self.full.reached {
            w.cwnd = (w.cwnd + delivered).min(most);
        } else if w.cwnd < most || self.delivery.delivered < 10.0 {
            w.cwnd += delivered;
        }
        if self.state == State::ProbeRtt {
            w.cwnd = w.cwnd.min(self.probe_rtt_cwnd());
        }
        w.cwnd = w.cwnd.max(MIN_CWND).min(self.cwnd_bound().max(MIN_CWND));
    }
}

impl Law for Bbr3 {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delivery.on_ack(a);
        self.note_losses(w, a);
        if let Some(rate) = self.delivery.rate {
            if !a.rate_app_limited || rate >= self.max_bw.max() {
                self.max_bw.raise(rate);
            }
        }
        self.adapt_shortterm(w, a);
        self.update_aggregation(w, a);
        self.check_startup(a);
        self.check_drain(a);
        self.update_cycle(w, a);
        self.check_probe_rtt(w, a);
        self.bounds.advance(self.delivery.rate, a);
        self.set_pacing(w, a);
        self.set_cwnd(w);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, _base: f64) {
        if why != Loss::EcnMark {
            self.save_cwnd(w);
            self.repairing = true;
        }
        match why {
            Loss::Timeout => w.collapse(self.prior_cwnd),
            // The bounds answer, not the window: the threshold is where recovery brings it back to.
            Loss::DupAcks | Loss::EcnMark => w.ssthresh = w.cwnd.max(2.0),
        }
    }

    fn on_recovered(&mut self, w: &mut Window) {
        self.repairing = false;
        // The bounds come after it, with this acknowledgement.
        w.cwnd = w.cwnd.max(self.prior_cwnd);
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.rtt.on_idle();
        let target = self.inflight(self.bw(), self.cwnd_gain);
        if target.is_finite() {
            w.cwnd = w.cwnd.max(target.min(self.cwnd_bound()).max(MIN_CWND));
        }
    }

    fn pacing_rate(&self) -> Option<f64> {
        (self.pacing_rate > 0.0).then_some(self.pacing_rate)
    }

    fn salt(&mut self, salt: f64) {
        self.cycle = Cycle::new(salt);
    }

    fn model_based(&self) -> bool {
        true
    }

    fn state(&self) -> &'static str {
        match self.state {
            State::Startup => "STARTUP",
            State::Drain => "DRAIN",
            State::Down => "PROBE_DOWN",
            State::Cruise => "PROBE_CRUISE",
            State::Refill => "PROBE_REFILL",
            State::Up => "PROBE_UP",
            State::ProbeRtt => "PROBE_RTT",
        }
    }
}
