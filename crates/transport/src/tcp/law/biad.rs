//! BIAD: BIC's binary increase with Westwood's adaptive decrease, the hybrid that Tsiknas and Stamatelos propose (J.
//! Comput. Netw. Commun. 2012, 806272). What the paper leaves open is settled in `docs/decisions/0010-biad.md`.
//!
//! | what | here |
//! |---|---|
//! | increase | BIC's, all of it: `bic.rs` |
//! | duplicates | `Wmax` as BIC remembers it; `ssthresh = BWE RTTmin`, `cwnd = min(cwnd, ssthresh)` |
//! | timeout | the same, `cwnd = 1` |
//! | BWE | Westwood's filter: `westwood.rs` |
//!
//! *Deviations.* None known; a part of the window that a cut leaves at least can be set (`floor`).

use super::bic::Bic;
use super::interface::{Ack, Law, LawRow};
use super::westwood::{self, Bandwidth};
use crate::tcp::window::{Loss, Window};
use base::{Options, parameters};

parameters! {
    low_window = 14.0, "segments up to which it grows as Reno (as bic)";
    b = 4.0, "the search takes 1/b of the distance a round (as bic)";
    s_max = 16.0, "largest increase a round, segments (as bic)";
    smooth_part = 20.0, "rounds for the last b segments below Wmax (as bic)";
    fast_convergence = 0.89990234375, "Wmax, in windows, after a loss below the last Wmax (as bic)";
    first_growth = 0.05, "least growth a round, in windows, before the first loss (as bic)";
    tau = 0.5, "the bandwidth filter's time constant, s (as westwood)";
    m = 2.0, "virtual samples a tau while nothing comes (as westwood)";
    floor = 0.0, "part of the window that a loss leaves at least (0: Westwood alone decides)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow {
    year: 2012,
    paper: "Tsiknas and Stamatelos, J. Comput. Netw. Commun. 2012, 806272",
    parameters: Params::ALL,
};

/// BIAD at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Biad {
    floor: f64,
    filter: westwood::Params,
    bandwidth: Bandwidth,
    bic: Bic,
}

impl Biad {
    /// A fresh law.
    pub fn new(options: &Options) -> Biad {
        let Params { floor, tau, m, .. } = Params::new(options);
        let filter = westwood::Params { tau, m, ..westwood::Params::default() };
        Biad { floor, filter, bic: Bic::new(options), ..Biad::default() }
    }
}

impl Law for Biad {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.bandwidth.on_ack(a, &self.filter);
        self.bic.on_ack(w, a);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.bic.remember(w.cwnd);
        let content = self.bandwidth.content(base / 2.0).max(self.floor * base);
        w.shrink_to_content(why, content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::Rounds;

    /// 40 segments a round of 100 ms for four seconds.
    fn settled(options: &Options) -> Rounds<Biad> {
        let mut c = Rounds::new(Biad::new(options), 40.0, 20.0);
        for _ in 0..40 {
            c.w.cwnd = 40.0;
            c.round(100.0);
        }
        c
    }

    #[test]
    fn a_loss_leaves_what_the_path_holds() {
        let mut c = settled(&Options::default());
        c.w.cwnd = 100.0;
        let left = c.lose();
        assert!((38.0..44.0).contains(&left), "{left}");
        assert_eq!(c.law.bic.w_max, 100.0);
    }

    #[test]
    fn a_floor_bounds_the_cut() {
        let mut c = settled(&Options::of(&[("floor", 0.8)]));
        c.w.cwnd = 100.0;
        assert_eq!(c.lose(), 80.0);
    }

    #[test]
    fn the_window_round_by_round() {
        // From 40 the search for 100 takes the largest steps first, as BIC's does.
        let mut c = settled(&Options::default());
        c.w.cwnd = 100.0;
        c.lose();
        c.w.cwnd = 40.0;
        assert_eq!(c.play(&[100.0; 8]), [51.4, 60.9, 68.6, 74.7, 79.7, 83.7, 86.7, 89.1]);
    }

    #[test]
    fn its_shared_defaults_are_bics_and_westwoods() {
        for ours in Params::ALL {
            let mut all = super::super::bic::Params::ALL.iter().chain(westwood::Params::ALL);
            if let Some(theirs) = all.find(|theirs| theirs.name == ours.name) {
                assert_eq!(ours.default, theirs.default, "{}", ours.name);
            }
        }
    }
}
