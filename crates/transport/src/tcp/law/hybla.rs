//! Hybla: a long path grows as fast as a short one (Caini and Firrincieli, Int. J. Satell. Commun. 22(5), 2004).
//!
//! | section | here |
//! |---|---|
//! | 3 | `rho = max(RTT/RTT0, 1)` |
//! | 3, slow start | `+2^rho - 1` an acknowledged segment |
//! | 3, avoidance | `+rho^2/W` an acknowledged segment |
//! | loss | as Reno |
//!
//! *Deviations.* RTT is the least so far (Linux follows the least smoothed one). Slow start ends at the threshold and
//! not beyond it (as Linux). The paper's pacing, SACK and timestamps are the connection's affair.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, parameters};

parameters! {
    rtt0 = 0.025, "the reference path's round trip, s (paper, Linux: 25 ms; ns-3: 50 ms)";
    linux = 0.0, of SWITCH,
        "by the least smoothed round trip, in eighths; an acknowledgement counts once, whatever it covers (6.x)";
    rho_max = 30.0, "largest rho: 2^rho stays within reason (750 ms; a geostationary hop has 24)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2004,
    paper: "Caini and Firrincieli, Int. J. Satell. Commun. 22(5), 2004",
    parameters: Params::ALL,
};

/// Hybla at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hybla {
    p: Params,
    /// RTT/RTT0; 0 before the first sample.
    pub rho: f64,
    /// 2^rho - 1.
    step: f64,
    /// Of a segment, not yet in the window.
    part: f64,
    /// The least smoothed round trip, s.
    least: f64,
}

impl Hybla {
    /// A fresh law.
    pub fn new(options: &Options) -> Hybla {
        Hybla { p: Params::new(options), rho: 1.0, step: 1.0, ..Hybla::default() }
    }

    fn follow(&mut self, rtt: f64) {
        let rho = (rtt / self.p.rtt0).clamp(1.0, self.p.rho_max.max(1.0));
        if rho != self.rho {
            self.rho = rho;
            self.step = libm::exp2(rho) - 1.0;
        }
    }
}

impl Law for Hybla {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        let linux = self.p.linux == 1.0;
        if let Some(srtt) = a.srtt.get().filter(|_| linux) {
            self.least =
                if self.least > 0.0 { self.least.min(srtt.as_secs()) } else { srtt.as_secs() };
            let eighths = libm::floor(self.least / self.p.rtt0 * 8.0);
            self.follow(eighths / 8.0 * self.p.rtt0);
        } else if let Some(rtt) = a.min_rtt.get() {
            self.follow(rtt.as_secs());
        }
        if !a.may_grow() || a.acked == 0.0 {
            return;
        }
        let n = if linux { 1.0 } else { w.counted(a.acked) };
        let slow = w.in_slow_start();
        self.part += n * if slow { self.step } else { self.rho * self.rho / w.cwnd };
        // Linux moves its window by whole segments and keeps the rest.
        let more = if linux { libm::floor(self.part) } else { self.part };
        self.part -= more;
        w.cwnd += more;
        if slow {
            w.cwnd = w.cwnd.min(w.ssthresh);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, base / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    fn ns3() -> Hybla {
        Hybla::new(&Options::of(&[("rtt0", 0.05)]))
    }

    #[test]
    fn slow_start_is_ns3s() {
        // tcp-hybla-test.cc: 2 segments of 500 B; 55, 100, 750 ms give 1571, 2500, 16384500 B.
        for (rtt, bytes) in [(55.0, 1571.0), (100.0, 2500.0), (750.0, 16_384_500.0)] {
            let mut w = window(2.0, f64::INFINITY);
            ns3().on_ack(&mut w, &ack(rtt));
            assert_eq!(libm::floor(w.cwnd * 500.0), bytes);
        }
    }

    #[test]
    fn avoidance_adds_rho_squared_a_round() {
        let mut w = window(100.0, 10.0);
        ns3().on_ack(&mut w, &ack(100.0));
        assert_eq!(w.cwnd, 100.04);
        let mut law = ns3();
        law.on_loss(&mut w, Loss::DupAcks, 80.0);
        assert_eq!(w.cwnd, 40.0);
    }

    #[test]
    fn the_window_round_by_round() {
        let mut c = Rounds::new(ns3(), 10.0, 40.0);
        assert_eq!(c.play(&[100.0; 5]), [40.0, 43.8, 47.6, 51.4, 55.2]);
    }
}
