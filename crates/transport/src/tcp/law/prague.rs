//! Prague: DCTCP for paths of the Internet with L4S (De Schepper et al., draft-briscoe-iccrg-prague-congestion-control-04;
//! RFC 9331 section 4).
//!
//! | there | here |
//! |---|---|
//! | moving average of the marks | once a round: `alpha += g (marked/acked - alpha)`, `g` 1/16 |
//! | multiplicative decrease | a mark: `cwnd *= 1 - alpha/2`, once a round |
//! | additive increase | a segment a round, for data without marks only |
//! | reduced RTT dependence | a round is no shorter than `virtual_rtt`, 25 ms; a round trip R that is adds only (R/25 ms)^2, so that the rate is as of a path of 25 ms |
//! | losses | as Reno |
//!
//! Wants ECT(1), a receiver that counts marks (RFC 9768) and pacing: `ecn = "l4s"` and `pacing = true` are its defaults.
//! *Deviations.* A loss in a round that was already reduced for a mark reduces by a half again. It does not look for routers that
//! mark ECT(1) as Classic traffic (section 4.3 of RFC 9331).

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, Span, Time, parameters};

parameters! {
    g = 0.0625, "weight of a round in alpha: 1/16";
    alpha0 = 1.0, "alpha at the start: 1, so that the first mark halves";
    virtual_rtt = 0.025, "round trip that shorter ones grow like, s: 25 ms; 0: each grows by its own";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2021,
    paper: "De Schepper et al., draft-briscoe-iccrg-prague-congestion-control-04; RFC 9331",
    parameters: Params::ALL,
};

/// Prague at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prague {
    p: Params,
    /// The part of the segments that are marked, smoothed.
    pub alpha: f64,
    acked: f64,
    marked: f64,
    /// Time of the last change of alpha.
    updated: Time,
}

impl Prague {
    /// A fresh law.
    pub fn new(options: &Options) -> Prague {
        let p = Params::new(options);
        Prague { p, alpha: p.alpha0, ..Prague::default() }
    }

    /// Segments that a round trip adds: rate = window / R is to grow by 1 / 25 ms in 25 ms.
    fn increase(&self, a: &Ack) -> f64 {
        let Some(srtt) = a.srtt.get().filter(|_| self.p.virtual_rtt > 0.0) else { return 1.0 };
        let part = (srtt.as_secs() / self.p.virtual_rtt).min(1.0);
        part * part
    }
}

impl Law for Prague {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.acked += a.acked;
        self.marked += a.marked;
        let is_over = a.round_ended && a.now >= self.updated + self.least_round();
        if is_over && self.acked > 0.0 {
            let part = (self.marked / self.acked).min(1.0);
            self.alpha += self.p.g * (part - self.alpha);
            (self.acked, self.marked, self.updated) = (0.0, 0.0, a.now);
        }
        if a.may_grow() {
            w.grow((a.acked - a.marked).max(0.0), self.increase(a));
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let part = if why == Loss::EcnMark { self.alpha } else { 1.0 };
        w.shrink(why, base * (1.0 - part / 2.0));
    }

    fn least_round(&self) -> Span {
        Span::from_secs(self.p.virtual_rtt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{ack, window};

    fn fresh() -> Prague {
        Prague::new(&Options::default())
    }

    fn at(ms: u64, rtt_ms: u64) -> Ack {
        let rtt = Some(Span::millis(rtt_ms)).into();
        Ack { now: Time::ZERO + Span::millis(ms), srtt: rtt, rtt, ..ack(1.0) }
    }

    #[test]
    fn alpha_moves_no_more_often_than_each_25_ms() {
        let (mut law, mut w) = (fresh(), window(10.0, 5.0));
        for ms in (10..=50).step_by(10) {
            law.on_ack(&mut w, &Ack { round_ended: true, ..at(ms, 10) });
        }
        // At 30 ms, and not yet again at 50.
        assert_eq!(law.alpha, 0.9375);
        law.on_ack(&mut w, &Ack { round_ended: true, marked: 1.0, ..at(60, 10) });
        // One of three since then was marked.
        assert!((law.alpha - (0.9375 + (1.0 / 3.0 - 0.9375) / 16.0)).abs() < 1e-12);
    }

    #[test]
    fn a_short_path_grows_by_the_square_of_its_part() {
        for (rtt, grown) in [(5, 0.04), (12, 0.2304), (25, 1.0), (100, 1.0)] {
            let (mut law, mut w) = (fresh(), window(10.0, 5.0));
            law.on_ack(&mut w, &Ack { acked: 1.0, ..at(0, rtt) });
            assert!((w.cwnd - 10.0 - grown / 10.0).abs() < 1e-9, "{rtt}: {}", w.cwnd);
        }
    }

    #[test]
    fn marked_data_add_nothing_and_a_mark_takes_half_of_alpha() {
        let mut w = window(100.0, 5.0);
        let mut law = Prague { alpha: 0.2, ..fresh() };
        law.on_ack(&mut w, &Ack { marked: 1.0, ..at(0, 25) });
        assert_eq!(w.cwnd, 100.0);
        law.on_loss(&mut w, Loss::EcnMark, 100.0);
        assert_eq!(w.cwnd, 90.0);
        law.on_loss(&mut w, Loss::DupAcks, 90.0);
        assert_eq!(w.cwnd, 45.0);
    }
}
