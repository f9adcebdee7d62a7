//! CUBIC (RFC 9438; Ha, Rhee and Xu, SIGOPS OSR 42(5), 2008).
//!
//! | section | here |
//! |---|---|
//! | 4.2 | `W(t) = C (t - K)^3 + Wmax`, `K = cbrt((Wmax - cwnd_epoch)/C)` |
//! | 4.2, 4.4, 4.5 | target = W(t + RTT) within [cwnd, 1.5 cwnd]; `cwnd += (target - cwnd)/cwnd` a segment |
//! | 4.3 | `West += alpha acked/cwnd`, alpha = 3 (1 - beta)/(1 + beta), 1 from cwnd_prior on; cwnd at least that |
//! | 4.6, 4.7 | loss: `beta` of what was in flight; fast convergence `Wmax = W (1 + beta)/2` |
//! | 4.8 | timeout: one segment, and after slow start a new epoch |
//!
//! *Deviations.* Growth counts segments, not acknowledgements (as Linux: equal without delayed ones). After idling
//! a new epoch begins, where section 5.8 moves the old one on.

mod linux;

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Time, parameters};

parameters! {
    c = 0.4, "the cubic's scale, segments/s^3 (section 5.1)";
    beta = 0.7, "what a loss leaves (section 4.6)";
    beta_ecn = 0.85, "what a congestion mark leaves (RFC 8511 section 3.1; RFC 3168: as a loss)";
    fast_convergence = 1.0, of SWITCH, "a loss below the last Wmax gives way (section 4.7)";
    reno_friendly = 1.0, of &["off", "per-ack", "by-time"],
        "section 4.3's West; by-time: RFC 8312's Wmax beta + alpha t/RTT";
    full_alpha = 1.0, of SWITCH,
        "West grows as Reno, alpha 1, from the window before the loss on (section 4.3; RFC 8312, Linux: off)";
    ahead = 0.0, of &["srtt", "least"],
        "which round trip the target looks ahead (section 4.1.2: the smoothed; Linux: the least)";
    whole = 0.0, of SWITCH,
        "Wmax, the target and the way to it in whole segments, which are reached (Linux's and ns-3's integers)";
    saved = 0.0, of SWITCH,
        "acknowledged segments are counted to a whole step, and what a plateau saves is spent after it (ns-3)";
    linux = 0.0, of SWITCH,
        "all of it in Linux's whole numbers (6.x): of the other parameters beta, fast_convergence and reno_friendly count";
    ack_ratio = 1.0, "multiplies growth, for Linux's ratio of delayed ACKs (2.6: 1.9375 without any)";
    first_growth = 0.0, "least growth a round, in windows, before the first loss (Linux, ns-3: 0.05)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2008,
    paper: "Ha, Rhee and Xu, SIGOPS OSR 42(5), 2008; RFC 9438",
    parameters: Params::ALL,
};

/// CUBIC at work.
#[derive(Clone, Copy, Debug)]
pub struct Cubic {
    p: Params,
    /// The plateau, segments; 0 before the first loss.
    pub w_max: f64,
    /// From the epoch's begin to the plateau, s.
    pub k: f64,
    /// The window that Reno would have, segments.
    pub w_est: f64,
    epoch: Option<Time>,
    /// The plateau of this epoch: Wmax, or where the epoch began above it.
    origin: f64,
    /// The window before the last loss.
    prior: f64,
    /// Acknowledged segments that no step has used (ns-3's `m_cWndCnt`).
    saved: f64,
    linux: linux::Cubic,
}

impl Cubic {
    /// A fresh law.
    pub fn new(options: &Options) -> Cubic {
        let p = Params::new(options);
        // Before a loss there is no window to come back to: West keeps its alpha.
        let prior = f64::INFINITY;
        let switches = (p.fast_convergence != 0.0, p.reno_friendly != 0.0);
        let linux = linux::Cubic::new(p.beta, switches.0, switches.1);
        let epoch = None;
        Cubic { p, w_max: 0.0, k: 0.0, w_est: 0.0, epoch, origin: 0.0, prior, saved: 0.0, linux }
    }

    /// Equation 1, `t` seconds into the epoch.
    fn w_cubic(&self, t: f64) -> f64 {
        let x = t - self.k;
        let way = self.p.c * x * x * x;
        self.origin + if self.p.whole == 0.0 { way } else { libm::trunc(way) }
    }

    fn counted(&self, segments: f64) -> f64 {
        if self.p.whole == 0.0 { segments } else { libm::floor(segments) }
    }

    fn begin_epoch(&mut self, now: Time, cwnd: f64) -> Time {
        self.k = libm::cbrt((self.w_max - cwnd).max(0.0) / self.p.c);
        self.origin = self.w_max.max(cwnd);
        self.w_est = cwnd;
        self.epoch = Some(now);
        now
    }

    /// ns-3's step for `n` more acknowledged segments: as many as the window has for each that is `missing` pay for one
    /// segment, a hundred windows on a plateau. What was saved there is spent when the price falls.
    fn step(&mut self, n: f64, cwnd: f64, missing: f64, first: f64) -> f64 {
        self.saved += n;
        let price = if missing > 0.0 { libm::floor(cwnd / missing) } else { 100.0 * cwnd };
        let price = if first > 0.0 { price.min(1.0 / first) } else { price }.max(2.0);
        if self.saved < price {
            return 0.0;
        }
        self.saved -= price;
        1.0
    }

    /// Section 4.3: `n` more segments are acknowledged, `t` seconds into the epoch.
    fn estimate_reno(&mut self, cwnd: f64, n: f64, t: f64, rtt: f64) {
        let beta = self.p.beta;
        let alpha = 3.0 * (1.0 - beta) / (1.0 + beta);
        self.w_est = match self.p.reno_friendly as u32 {
            0 => 0.0,
            1 if self.w_est < self.prior || self.p.full_alpha == 0.0 => {
                self.w_est + n / cwnd * alpha
            }
            1 => self.w_est + n / cwnd,
            _ => self.w_max * beta + alpha * t / rtt.max(1e-6),
        };
    }
}

impl Law for Cubic {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if !a.may_grow() {
            return;
        }
        if self.p.linux == 1.0 {
            return self.linux.on_ack(w, a);
        }
        if w.in_slow_start() {
            w.grow(a.acked, 0.0);
            return;
        }
        let epoch = self.epoch.unwrap_or_else(|| self.begin_epoch(a.now, w.cwnd));
        let t = a.now.since(epoch).as_secs();
        let rtt = a.srtt.get().or(a.rtt.get()).map_or(0.0, |rtt| rtt.as_secs());
        let least = a.min_rtt.get().filter(|_| self.p.ahead != 0.0);
        let ahead = least.map_or(rtt, |least| least.as_secs());
        let n = w.counted(a.acked);
        self.estimate_reno(w.cwnd, n, t, rtt);
        if self.w_cubic(t) < self.w_est {
            // No faster than slow start's half, as above.
            w.cwnd = w.cwnd.max(self.w_est.min(w.cwnd + 0.5 * n));
        } else {
            let from = self.counted(w.cwnd);
            let target = self.w_cubic(t + ahead).clamp(from, 1.5 * w.cwnd);
            let first = if self.w_max == 0.0 { self.p.first_growth } else { 0.0 };
            let n = self.p.ack_ratio * n;
            w.cwnd += if self.p.saved == 0.0 {
                n * ((target - from) / from).max(first)
            } else {
                self.step(n, from, target - from, first)
            };
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        if self.p.linux == 1.0 {
            return self.linux.on_loss(w, why, base);
        }
        self.prior = w.cwnd;
        let cwnd = self.counted(w.cwnd);
        let gives_way = cwnd < self.w_max && self.p.fast_convergence != 0.0;
        let after = if gives_way { cwnd * (1.0 + self.p.beta) / 2.0 } else { cwnd };
        self.w_max = self.counted(after);
        self.epoch = None;
        let kept = if why == Loss::EcnMark { self.p.beta_ecn } else { self.p.beta };
        w.shrink(why, base * kept);
        if why == Loss::Timeout {
            // Section 4.8: the epoch after slow start begins at its plateau.
            (self.w_max, self.k) = (0.0, 0.0);
        }
    }

    fn on_idle(&mut self, _w: &mut Window) {
        self.linux.on_idle();
        self.epoch = None;
    }
}

#[cfg(test)]
mod tests;
