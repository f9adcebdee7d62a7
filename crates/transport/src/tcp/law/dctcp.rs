//! DCTCP: a cut in proportion to how many segments were marked (RFC 8257; Alizadeh et al., SIGCOMM 2010).
//!
//! | section | here |
//! |---|---|
//! | 3.3 | once a round: `F = marked/acked`, `alpha = (1 - g) alpha + g F` |
//! | 3.3 | a mark, once a round: `cwnd *= 1 - alpha/2` |
//! | 3.5, 3.6 | a loss: as Reno |
//!
//! Wants a queue that marks at a low threshold and a receiver that echoes each mark (RFC 8257 section 3.2), or counts them (RFC 9768).
//! *Deviations.* None known; alpha starts at 1 as in section 3.3.

use super::interface::{Ack, Law, LawRow};
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    g = 0.0625, "weight of a round in alpha (section 4.2: 1/16)";
    alpha0 = 1.0, "alpha at the start (section 3.3: 1, so that the first mark halves)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2010,
    paper: "Alizadeh et al., SIGCOMM 2010; RFC 8257",
    parameters: Params::ALL,
};

/// DCTCP at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dctcp {
    p: Params,
    /// The part of the segments that are marked, smoothed.
    pub alpha: f64,
    acked: f64,
    marked: f64,
}

impl Dctcp {
    /// A fresh law.
    pub fn new(options: &Options) -> Dctcp {
        let p = Params::new(options);
        Dctcp { p, alpha: p.alpha0, ..Dctcp::default() }
    }
}

impl Law for Dctcp {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.acked += a.acked;
        self.marked += a.marked;
        if a.round_ended && self.acked > 0.0 {
            let part = (self.marked / self.acked).min(1.0);
            self.alpha += self.p.g * (part - self.alpha);
            (self.acked, self.marked) = (0.0, 0.0);
        }
        if a.may_grow() {
            w.grow(a.acked, 1.0);
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let part = if why == Loss::EcnMark { self.alpha } else { 1.0 };
        w.shrink(why, base * (1.0 - part / 2.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    fn fresh() -> Dctcp {
        Dctcp::new(&Options::default())
    }

    #[test]
    fn alpha_follows_the_marked_part() {
        // RFC 8257 section 3.3: alpha 1, no mark in a round: 15/16; all marked: back by 1/16 of the rest.
        let (mut law, mut w) = (fresh(), window(10.0, 5.0));
        law.on_ack(&mut w, &Ack { round_ended: true, ..ack(1.0) });
        assert_eq!(law.alpha, 0.9375);
        law.on_ack(&mut w, &Ack { round_ended: true, ece: true, marked: 1.0, ..ack(1.0) });
        assert_eq!(law.alpha, 0.94140625);
    }

    #[test]
    fn a_mark_takes_half_of_alpha() {
        let mut w = window(100.0, 5.0);
        let mut law = Dctcp { alpha: 0.2, ..fresh() };
        law.on_loss(&mut w, Loss::EcnMark, 100.0);
        assert_eq!(w.cwnd, 90.0);
        law.on_loss(&mut w, Loss::DupAcks, 90.0);
        assert_eq!(w.cwnd, 45.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // A mark in every round from 20 on, alpha settled at 0.1.
        let mut c = Rounds::new(Dctcp { alpha: 0.1, ..fresh() }, 18.0, 10.0);
        assert_eq!(c.play(&[1.0; 2]), [19.0, 19.9]);
        c.w.cwnd = 20.0;
        assert!((c.lose() - 10.0).abs() < 1e-9);
    }
}
