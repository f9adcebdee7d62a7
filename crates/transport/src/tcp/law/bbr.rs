//! BBR version 1: a model of the path instead of losses (Cardwell et al., ACM Queue 14(5), 2016; draft-cardwell-iccrg-
//! bbr-congestion-control-00).
//!
//! | section of the draft | file |
//! |---|---|
//! | 4.1.1 rounds, BtlBw | `bbr/model.rs` |
//! | 4.3.2 Startup | `bbr/startup.rs` |
//! | 4.3.4 ProbeBW | `bbr/probe_bw.rs` |
//! | 4.1.2, 4.3.5 RTprop, ProbeRTT | `bbr/probe_rtt.rs` |
//! | 4.2.3.4 the window in recovery | `bbr/repair.rs` |
//! | Linux's additions | `bbr/linux.rs` |
//! | 4.3.3 Drain, the way from phase to phase | here |
//! | 4.2.1 pacing: `gain BtlBw`; 4.2.3 `cwnd = gain BtlBw RTprop + 3 quanta` | here |
//!
//! *Deviations.* A quantum is one segment. A connection without records of segments (no SACK) gives one
//! rate sample a round. Long-term sampling against policers is left out (it is Linux's, not the draft's). The
//! random first phase comes from a salt.

mod linux;
pub(super) mod model;
mod probe_bw;
mod probe_rtt;
mod repair;
mod startup;

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Span, Time, parameters};
use linux::Bunches;
use model::{Delivery, MIN_CWND, MaxOf};
use probe_bw::Cycle;
use probe_rtt::ProbeRtt;
use repair::Conservation;
use startup::FullPipe;

parameters! {
    salt = 0.0, "the random phase in which ProbeBW begins (any number; drawn for each connection where it is left out)";
    high_gain = 2.885, "pacing and window in Startup: 2/ln 2 (section 4.3.2.1)";
    cwnd_gain = 2.0, "window in BDPs in ProbeBW (section 4.3.4.1)";
    rtprop_window = 10.0, "s for which a least round-trip time holds (section 4.1.2.2)";
    probe_rtt = 0.2, "s that ProbeRTT lasts at least (section 4.3.5)";
    linux = 0.0, of SWITCH,
        "Linux's window and pace: bunches of segments and of acknowledgements, a hundredth slower (6.x)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2016, paper: "Cardwell et al., ACM Queue 14(5), 2016", parameters: Params::ALL };

/// The states of the machine.
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
    delivery: Delivery,
    /// Bottleneck bandwidth by the round, segments/s.
    btl_bw: MaxOf<10>,
    pacing_gain: f64,
    cwnd_gain: f64,
    startup: FullPipe,
    cycle: Cycle,
    probe_rtt: ProbeRtt,
    repair: Conservation,
    /// The window before ProbeRTT or a repair, segments.
    prior_cwnd: f64,
    pacing_rate: f64,
    bunches: Bunches,
}

impl Bbr {
    /// A fresh law.
    pub fn new(options: &Options) -> Bbr {
        let p = Params::new(options);
        Bbr {
            p,
            state: State::Startup,
            delivery: Delivery::default(),
            btl_bw: MaxOf::default(),
            pacing_gain: p.high_gain,
            cwnd_gain: p.high_gain,
            startup: FullPipe::default(),
            cycle: Cycle::new(p.salt),
            probe_rtt: ProbeRtt::default(),
            repair: Conservation::None,
            prior_cwnd: 0.0,
            pacing_rate: 0.0,
            bunches: Bunches::new(p.linux == 1.0),
        }
    }

    /// `gain` BDPs, segments; without an estimate infinite.
    fn inflight(&self, gain: f64) -> f64 {
        let Some(rtprop) = self.probe_rtt.rtprop() else { return f64::INFINITY };
        let bw = self.btl_bw.max();
        if bw > 0.0 { gain * bw * rtprop } else { f64::INFINITY }
    }

    /// The same as what is to be in flight, with what leaves together.
    fn quantized(&self, gain: f64) -> f64 {
        let size = self.bunches.size(self.pacing_rate);
        self.bunches.quantized(self.inflight(gain), size, self.probes_up())
    }

    /// ProbeBW's phase with a quarter more.
    fn probes_up(&self) -> bool {
        self.state == State::ProbeBw && self.cycle.is_up()
    }

    fn enter(&mut self, state: State, pacing_gain: f64, cwnd_gain: f64) {
        (self.state, self.pacing_gain, self.cwnd_gain) = (state, pacing_gain, cwnd_gain);
    }

    fn enter_probe_bw(&mut self, now: Time) {
        let gain = self.cycle.begin(now);
        self.enter(State::ProbeBw, gain, self.p.cwnd_gain);
    }

    /// Sections 4.3.2 to 4.3.4: from phase to phase.
    fn move_on(&mut self, a: &Ack) {
        if let (State::ProbeBw, Some(rtprop)) = (self.state, self.probe_rtt.rtprop()) {
            if self.cycle.is_over(a, &self.delivery, rtprop, |gain| self.quantized(gain)) {
                self.pacing_gain = self.cycle.next(a.now);
            }
        }
        self.startup.check(self.btl_bw.max(), &self.delivery, a);
        if self.state == State::Startup && self.startup.filled() {
            // Startup's queue leaves at the inverse of its gain, until one BDP is in flight (section 4.3.3).
            self.enter(State::Drain, 1.0 / self.p.high_gain, self.p.high_gain);
        }
        if self.state == State::Drain && a.inflight <= self.quantized(1.0) {
            self.enter_probe_bw(a.now);
        }
    }

    /// Section 4.3.5: into ProbeRTT and out of it.
    fn check_probe_rtt(&mut self, w: &mut Window, a: &Ack) {
        let due = self.probe_rtt.update(a, self.p.rtprop_window, self.p.linux == 1.0);
        if self.state != State::ProbeRtt && due {
            self.save_cwnd(w);
            self.enter(State::ProbeRtt, 1.0, 1.0);
            self.probe_rtt.begin();
        }
        if self.state == State::ProbeRtt
            && self.probe_rtt.is_over(a, &mut self.delivery, self.p.probe_rtt)
        {
            w.cwnd = w.cwnd.max(self.prior_cwnd);
            if self.startup.filled() {
                self.enter_probe_bw(a.now);
            } else {
                self.enter(State::Startup, self.p.high_gain, self.p.high_gain);
            }
        }
    }

    /// BBRSaveCwnd: the last window that neither a repair nor ProbeRTT held down.
    fn save_cwnd(&mut self, w: &Window) {
        let held_down = self.repair.is_on() || self.state == State::ProbeRtt;
        self.prior_cwnd = if held_down { self.prior_cwnd.max(w.cwnd) } else { w.cwnd };
    }

    /// Section 4.2.3.6.
    fn set_cwnd(&mut self, w: &mut Window, a: &Ack) {
        if !self.repair.modulate(w, a, &mut self.delivery) {
            let delivered = self.delivery.newly_delivered;
            let bw = self.startup.filled().then(|| self.btl_bw.max());
            let size = self.bunches.size(self.pacing_rate);
            let bdps = self.inflight(self.cwnd_gain);
            let target = self.bunches.budget(bdps, bw, size, self.probes_up());
            if bw.is_some() {
                w.cwnd = (w.cwnd + delivered).min(target);
            } else if w.cwnd < target || self.delivery.delivered < 10.0 {
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
        let pace = self.bunches.pace();
        let rate = if bw > 0.0 {
            pace * self.pacing_gain * bw
        } else {
            let rtt = a.srtt.get().map_or(0.001, Span::as_secs).max(1e-6);
            pace * self.p.high_gain * w.cwnd / rtt
        };
        if self.startup.filled() || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }
}

impl Law for Bbr {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.delivery.on_ack(a);
        if self.delivery.round_start {
            self.btl_bw.advance();
        }
        if let Some(rate) = self.delivery.rate {
            if !a.rate_app_limited || rate >= self.btl_bw.max() {
                self.btl_bw.raise(rate);
            }
        }
        self.bunches.follow(a, &self.delivery, self.btl_bw.max(), w.cwnd);
        self.move_on(a);
        self.check_probe_rtt(w, a);
        self.set_pacing(w, a);
        self.set_cwnd(w, a);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, _base: f64) {
        // A mark is nothing that the model knows.
        if why != Loss::EcnMark {
            self.save_cwnd(w);
            self.repair = Conservation::begin(why);
        }
        match why {
            Loss::Timeout => w.collapse(self.prior_cwnd),
            // The model answers, not the window: the threshold is where recovery brings it back to.
            Loss::DupAcks | Loss::EcnMark => w.ssthresh = w.cwnd.max(2.0),
        }
    }

    fn on_recovered(&mut self, w: &mut Window) {
        // All is repaired, or nothing was lost: the window that was (BBRRestoreCwnd).
        self.repair = Conservation::None;
        w.cwnd = w.cwnd.max(self.prior_cwnd);
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.probe_rtt.on_idle();
        let target = self.inflight(self.cwnd_gain);
        if target.is_finite() {
            w.cwnd = w.cwnd.max(target.max(MIN_CWND));
        }
    }

    fn pacing_rate(&self) -> Option<f64> {
        (self.pacing_rate > 0.0).then_some(self.pacing_rate)
    }

    fn bunch(&self) -> u32 {
        self.bunches.size(self.pacing_rate) as u32
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
            State::ProbeBw => "PROBE_BW",
            State::ProbeRtt => "PROBE_RTT",
        }
    }
}
