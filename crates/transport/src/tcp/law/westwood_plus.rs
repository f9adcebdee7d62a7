//! Westwood+: Westwood with one sample of the bandwidth a round trip, which ACK compression does not inflate (Grieco
//! and Mascolo, CCR 34(2), 2004).
//!
//! | what | here |
//! |---|---|
//! | section 2: sample | delivered / elapsed, once a round and at least `min_interval` |
//! | section 2: filter | `paper`: `b' = 0.9 b' + 0.1 b`; `tustin` (ns-3): the mean of two samples; `linux`: twice 7/8 |
//! | three duplicates | `ssthresh = cwnd = BWE RTTmin` |
//! | timeout | `ssthresh = BWE RTTmin`, `cwnd = 1` |
//!
//! *Deviations.* Linux's and ns-3's filters are of floating point: their integers lose up to a unit a step.
//! What other simulators do otherwise is in `interval`, `count`, `least` and `threshold`: while losses are frequent the
//! window is little but the estimate of the rate that it itself had, so that each of them moves it far.

mod linux;
mod samples;

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, parameters};
use samples::Samples;

parameters! {
    filter = 2.0, of &["paper", "tustin", "linux"],
        "how samples are smoothed: Linux's by default, since it is what people run";
    gain = 0.9, "what the filters `paper` and `tustin` keep of the last estimate";
    min_interval = 0.05, "the shortest sample, s (Linux: 50 ms)";
    interval = 0.0, of &["round", "srtt", "timer"],
        "a sample ends with a round; with more than SRTT (Linux 2.6); or SRTT after an acknowledgement began it (ns-3)";
    count = 0.0, of &["delivered", "twice"],
        "data count once; or SACKed ones as duplicates, and again when acknowledged, except by what ends the repair after a \
         timeout (ns-3)";
    least = 0.0, of &["rtt", "srtt"], "what RTTmin is the least of: samples, or smoothed ones (Linux 2.6)";
    threshold = 0.0, of &["content", "half"],
        "what a loss leaves as ssthresh: BWE RTTmin, or half the window, with cwnd no lower (Linux 2.6 in ns-2)";
    exit = 0.0, of &["capped", "threshold"],
        "recovery ends with the loss' BWE RTTmin where that is less than the window was (paper), or whatever it was (ns-3)";
    linux = 0.0, of SWITCH,
        "in Linux's whole bytes and milliseconds; a loss halves, and the end of recovery brings BWE RTTmin (6.x)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2004, paper: "Grieco and Mascolo, CCR 34(2), 2004", parameters: Params::ALL };

/// Westwood+ at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct WestwoodPlus {
    p: Params,
    /// Segments a second.
    pub estimate: f64,
    /// The first of Linux's two filters, or the last sample.
    inner: f64,
    seeded: bool,
    samples: Samples,
    min_rtt: f64,
    linux: linux::Estimate,
}

impl WestwoodPlus {
    /// A fresh law.
    pub fn new(options: &Options) -> WestwoodPlus {
        let p = Params::new(options);
        let samples = Samples::new(p.interval, p.min_interval, p.count);
        WestwoodPlus { p, samples, ..WestwoodPlus::default() }
    }

    fn sample(&mut self, b: f64) {
        let gain = self.p.gain;
        match self.p.filter as u32 {
            0 => self.estimate = gain * self.estimate + (1.0 - gain) * b,
            1 => {
                self.estimate = gain * self.estimate + (1.0 - gain) * (b + self.inner) / 2.0;
                self.inner = b;
            }
            _ if !self.seeded => (self.inner, self.estimate) = (b, b),
            _ => {
                self.inner += (b - self.inner) / 8.0;
                self.estimate += (self.inner - self.estimate) / 8.0;
            }
        }
        self.seeded = true;
    }
}

impl Law for WestwoodPlus {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if self.p.linux == 1.0 {
            self.linux.on_ack(a);
            if a.may_grow() {
                w.grow(a.acked, 1.0);
            }
            return;
        }
        if self.p.least == 0.0 {
            self.min_rtt = a.min_rtt.get().map_or(self.min_rtt, |rtt| rtt.as_secs());
        } else if let Some(srtt) = a.srtt.get() {
            let least = if self.min_rtt > 0.0 { self.min_rtt } else { f64::INFINITY };
            self.min_rtt = least.min(srtt.as_secs());
        }
        if let Some(b) = self.samples.on_ack(a) {
            self.sample(b);
        }
        if a.may_grow() {
            w.grow(a.acked, 1.0);
        }
    }

    fn on_recovered(&mut self, w: &mut Window) {
        if self.p.linux == 1.0 {
            return w.cut(self.linux.content());
        }
        self.samples.on_recovered();
        if self.p.threshold == 1.0 {
            w.cwnd = w.cwnd.max(w.ssthresh);
        } else if self.p.exit == 1.0 {
            w.cwnd = w.ssthresh;
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        if self.p.linux == 1.0 {
            if why == Loss::Timeout {
                w.collapse(self.linux.content());
                return self.linux.on_timeout();
            }
            return w.cut(base / 2.0);
        }
        if why == Loss::Timeout {
            self.samples.on_timeout();
        }
        let content = self.estimate * self.min_rtt;
        if self.p.threshold == 1.0 {
            w.shrink(why, base / 2.0);
            if why != Loss::Timeout {
                w.cwnd = libm::floor(content).max(2.0);
            }
        } else {
            w.shrink_to_content(why, if content > 0.0 { content } else { base / 2.0 });
        }
    }
}

#[cfg(test)]
mod tests;
