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

use super::{Ack, Law, LawOptions, Loss, parameters};
use crate::tcp::window::Window;
use base::Time;

parameters! {
    filter = 2.0, of &["paper", "tustin", "linux"],
        "how samples are smoothed: Linux's by default, since it is what people run";
    gain = 0.9, "what the filters `paper` and `tustin` keep of the last estimate";
    min_interval = 0.05, "the shortest sample, s (Linux: 50 ms)";
    exit = 0.0, of &["capped", "content"],
        "recovery ends with BWE RTTmin where that is less than the window was (paper), or whatever it was (Linux)";
}

/// Westwood+ at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct WestwoodPlus {
    p: Params,
    /// Segments a second.
    pub estimate: f64,
    /// The first of Linux's two filters, or the last sample.
    inner: f64,
    seeded: bool,
    since: Option<(Time, f64)>,
    min_rtt: f64,
}

impl WestwoodPlus {
    /// A fresh law.
    pub fn new(options: &LawOptions) -> WestwoodPlus {
        WestwoodPlus { p: Params::new(options), ..WestwoodPlus::default() }
    }

    fn measure(&mut self, a: &Ack) {
        let Some((then, delivered)) = self.since else {
            self.since = Some((a.now, a.delivered));
            return;
        };
        let dt = a.now.since(then).as_secs();
        if a.round_ended && dt > 0.0 && dt >= self.p.min_interval {
            self.sample((a.delivered - delivered).max(0.0) / dt);
            self.since = Some((a.now, a.delivered));
        }
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
        if let Some(rtt) = a.min_rtt {
            self.min_rtt = rtt.as_secs();
        }
        self.measure(a);
        if a.may_grow() {
            w.grow(a.acked, 1.0);
        }
    }

    fn on_recovered(&mut self, w: &mut Window) {
        let content = self.estimate * self.min_rtt;
        if self.p.exit == 1.0 && content > 0.0 {
            w.cut(content);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let content = self.estimate * self.min_rtt;
        w.shrink_to_content(why, if content > 0.0 { content } else { base / 2.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, window};

    fn filtered(filter: f64, samples: &[f64]) -> Vec<f64> {
        let mut law = WestwoodPlus::new(&LawOptions::of(&[("filter", filter)]));
        samples.iter().map(|&b| (law.sample(b), law.estimate).1).collect()
    }

    #[test]
    fn the_tustin_filter_starts_from_nothing() {
        // ns-3's tcp-westwood-plus.cc with gain 0.9: 1000, 1000, 1000.
        for (got, want) in filtered(1.0, &[1000.0; 3]).iter().zip([50.0, 145.0, 230.5]) {
            assert!((got - want).abs() < 1e-9, "{got} for {want}");
        }
    }

    #[test]
    fn linuxs_filter_starts_from_the_first_sample() {
        assert_eq!(filtered(2.0, &[1000.0; 3]), [1000.0; 3]);
        // 1000, 0: the inner one 875, the outer one 1000 - 125/8 (Linux truncates: 984).
        assert_eq!(filtered(2.0, &[1000.0, 0.0]), [1000.0, 984.375]);
    }

    #[test]
    fn recovery_can_end_with_more_than_the_window_was() {
        let options = LawOptions::of(&[("exit", 1.0)]);
        for (mut law, kept) in [(WestwoodPlus::default(), 12.0), (WestwoodPlus::new(&options), 20.0)] {
            let mut w = window(12.0, 10.0);
            (law.estimate, law.min_rtt) = (200.0, 0.1);
            law.on_loss(&mut w, Loss::DupAcks, 12.0);
            law.on_recovered(&mut w);
            assert_eq!((w.cwnd, w.ssthresh), (kept, 20.0));
        }
    }

    #[test]
    fn the_window_round_by_round() {
        // 20 segments a round of 100 ms: 200/s. A loss leaves 20 whatever the window is.
        let mut c = Rounds::new(WestwoodPlus::default(), 20.0, 10.0);
        assert_eq!(c.play(&[100.0, 100.0, 100.0]), [21.0, 21.9, 22.9]);
        let left = c.lose();
        assert!((19.0..23.0).contains(&left), "{left}");
    }
}
