//! Westwood: a loss sets the window to what the path is seen to carry (Mascolo, Casetti, Gerla, Sanadidi and Wang,
//! MobiCom 2001).
//!
//! | section | here |
//! |---|---|
//! | 2.2 filter | `b'k = (2 tau/dt - 1)/(2 tau/dt + 1) b'k-1 + (bk + bk-1)/(2 tau/dt + 1)`, `bk = acked/dt` |
//! | 2.2 virtual samples | `bk = 0` whenever `tau/m` passes without an acknowledgement |
//! | 3.1 three duplicates | `ssthresh = BWE RTTmin`, `cwnd = min(cwnd, ssthresh)` |
//! | 3.2 timeout | `ssthresh = BWE RTTmin`, `cwnd = 1` |
//!
//! *Deviations.* Data count when they are delivered, as SACK or the duplicates say, where the paper keeps a count for
//! delayed acknowledgements; acknowledgements of one instant are one sample. Before the first estimate a loss halves.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Time, parameters};

parameters! {
    tau = 0.5, "the filter's time constant, s (the paper: 1/tau is the cutoff; ns-2's module has 1.0)";
    sets = 0.0, of SWITCH, "a loss sets cwnd to BWE RTTmin where that is more, too (wimax2012's text)";
    m = 2.0, "virtual samples a tau while nothing comes (the paper: at least 2)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 2001, paper: "Mascolo et al., MobiCom 2001", parameters: Params::ALL };

/// The most virtual samples at once: after them nothing is left of the estimate.
const MOST_VIRTUAL: u32 = 64;

/// The paper's estimate of the bandwidth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bandwidth {
    /// Segments a second.
    pub estimate: f64,
    last_sample: f64,
    /// The end of the last sample, and the delivered count by then, segments.
    last: Option<(Time, f64)>,
    /// The shortest round trip, s.
    min_rtt: f64,
}

impl Bandwidth {
    /// Takes in an acknowledgement.
    pub fn on_ack(&mut self, a: &Ack, p: &Params) {
        if let Some(rtt) = a.min_rtt.get() {
            self.min_rtt = rtt.as_secs();
        }
        let Some((then, delivered)) = self.last else {
            self.last = Some((a.now, a.delivered));
            return;
        };
        let mut dt = a.now.since(then).as_secs();
        if dt <= 0.0 {
            return;
        }
        let step = p.tau / p.m;
        let mut virtual_samples = 0;
        while dt > step && virtual_samples < MOST_VIRTUAL {
            self.sample(0.0, step, p.tau);
            dt -= step;
            virtual_samples += 1;
        }
        self.sample((a.delivered - delivered).max(0.0) / dt, dt, p.tau);
        self.last = Some((a.now, a.delivered));
    }

    /// Segments that fill the path: BWE RTTmin; of no estimate: `otherwise`.
    pub fn content(&self, otherwise: f64) -> f64 {
        let content = self.estimate * self.min_rtt;
        if content > 0.0 { content } else { otherwise }
    }

    fn sample(&mut self, b: f64, dt: f64, tau: f64) {
        let r = 2.0 * tau / dt;
        // A sample over more than 2 tau would turn the first sign: then it counts alone.
        let kept = ((r - 1.0) / (r + 1.0)).max(0.0);
        self.estimate = kept * self.estimate + (1.0 - kept) * (b + self.last_sample) / 2.0;
        self.last_sample = b;
    }
}

/// Westwood at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Westwood {
    p: Params,
    bandwidth: Bandwidth,
}

impl Westwood {
    /// A fresh law.
    pub fn new(options: &Options) -> Westwood {
        Westwood { p: Params::new(options), ..Westwood::default() }
    }
}

impl Law for Westwood {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.bandwidth.on_ack(a, &self.p);
        if a.may_grow() {
            w.grow(a.acked, 1.0);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let content = self.bandwidth.content(base / 2.0);
        if self.p.sets > 0.0 {
            w.shrink(why, content);
        } else {
            w.shrink_to_content(why, content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    #[test]
    fn the_filter_is_the_papers() {
        // tau 0.5 s, samples of 0.1 s: r = 10, so 9/11 of the old and 1/11 of each of the two samples.
        let mut b = Bandwidth { estimate: 100.0, last_sample: 100.0, ..Bandwidth::default() };
        b.sample(210.0, 0.1, 0.5);
        assert!((b.estimate - (900.0 + 210.0 + 100.0) / 11.0).abs() < 1e-9, "{}", b.estimate);
        b.sample(210.0, 0.1, 0.5);
        assert!((b.estimate - (9.0 * 110.0 + 420.0) / 11.0).abs() < 1e-9, "{}", b.estimate);
    }

    #[test]
    fn silence_counts_as_virtual_samples_of_nothing() {
        let p = Params::default();
        let mut b = Bandwidth { estimate: 100.0, last_sample: 100.0, ..Bandwidth::default() };
        let at = |s| Time::ZERO + base::Span::from_secs(s);
        b.last = Some((at(0.0), 0.0));
        b.on_ack(&Ack { now: at(0.5), ..Ack::default() }, &p);
        // One virtual sample of 0.25 s (r = 4), then one segment in 0.25 s.
        let first = 0.6 * 100.0 + 0.4 * 50.0;
        assert!((b.estimate - (0.6 * first + 0.4 * 2.0)).abs() < 1e-9, "{}", b.estimate);
    }

    #[test]
    fn the_window_round_by_round() {
        // 100 segments/s for a long time, RTTmin 100 ms: a random loss leaves the path's 10 segments.
        let mut c = Rounds::new(Westwood::default(), 10.0, 5.0);
        c.play(&[100.0; 2]);
        for _ in 0..40 {
            c.w.cwnd = 10.0;
            c.round(100.0);
        }
        c.w.cwnd = 30.0;
        let left = c.lose();
        assert!((9.0..11.5).contains(&left), "{left}");
        // A window below the estimate is left as it is.
        c.w.cwnd = 4.0;
        assert_eq!(c.lose(), 4.0);
        // By wimax2012's text it is not.
        c.law.p.sets = 1.0;
        c.w.cwnd = 4.0;
        let left = c.lose();
        assert!((9.0..11.5).contains(&left), "{left}");
    }
}
