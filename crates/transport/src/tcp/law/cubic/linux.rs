//! CUBIC as Linux computes it: whole segments and milliseconds, time in 1/1024 s (net/ipv4/tcp_cubic.c).
//!
//! | Linux | here |
//! |---|---|
//! | `bictcp_update`: a segment more for each `cnt` acknowledged, computed anew once a millisecond | `update`, `aim` |
//! | the same: at least a twentieth a round before the first loss, half a segment an acknowledged one at most | `update` |
//! | the same, `tcp_friendliness`: Reno's window, a segment for each 15/8 window acknowledged | `befriend` |
//! | `cubictcp_recalc_ssthresh`; a timeout forgets all | `on_loss` |
//!
//! *Deviation.* `C` is 41/1024 of a segment a 0.1 s cubed, whatever `c` says.

use crate::tcp::law::interface::Ack;
use crate::tcp::window::{Loss, Window};

/// `bic_scale` over a round trip of 100 ms: segments in 2^40 (1/1024 s)^3.
const SCALE: u128 = 410;
const SHIFT: u32 = 40;
/// For so long the same window keeps its step, ms (`HZ / 32`).
const KEEPS: u64 = 31;
/// Before the first loss a segment more for each 20 at least, and never for less than 2.
const FIRST: u64 = 20;
const FASTEST: u64 = 2;

/// Linux's CUBIC. Segments, milliseconds, beta in 1/1024.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cubic {
    beta: u64,
    converges: bool,
    friendly: bool,
    w_max: u64,
    epoch: Option<u64>,
    origin: u64,
    /// 1/1024 s.
    k: u64,
    acked: u64,
    reno: u64,
    /// `cnt`.
    needed: u64,
    last_cwnd: u64,
    last_time: u64,
}

impl Cubic {
    /// A fresh one.
    pub fn new(beta: f64, converges: bool, friendly: bool) -> Cubic {
        let beta = libm::round(beta * 1024.0).clamp(0.0, 1023.0) as u64;
        Cubic { beta, converges, friendly, ..Cubic::default() }
    }

    /// An acknowledgement that may let the window grow.
    pub fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        let rest = w.slow_start(w.counted(a.acked));
        if rest <= 0.0 {
            return;
        }
        let ahead = a.min_rtt.get().map_or(0, |rtt| rtt.0.div_ceil(1_000_000));
        self.update(a.now.0 / 1_000_000, w.whole(), rest as u64, ahead);
        w.step(rest, self.needed as f64);
    }

    fn update(&mut self, now: u64, cwnd: u64, acked: u64, ahead: u64) {
        self.acked += acked;
        if self.last_cwnd == cwnd && now - self.last_time <= KEEPS {
            return;
        }
        if self.epoch.is_none() || now != self.last_time {
            (self.last_cwnd, self.last_time) = (cwnd, now);
            let epoch = self.epoch.unwrap_or_else(|| self.begin_epoch(now, cwnd, acked));
            let target = self.aim((now - epoch + ahead) * 1024 / 1000);
            let way = target.saturating_sub(cwnd);
            self.needed = cwnd.checked_div(way).unwrap_or(100 * cwnd);
            if self.w_max == 0 {
                self.needed = self.needed.min(FIRST);
            }
        }
        if self.friendly {
            self.befriend(cwnd);
        }
        self.needed = self.needed.max(FASTEST);
    }

    fn begin_epoch(&mut self, now: u64, cwnd: u64, acked: u64) -> u64 {
        (self.acked, self.reno) = (acked, cwnd);
        let below = self.w_max.saturating_sub(cwnd);
        self.k = libm::cbrt(((u128::from(below) << SHIFT) / SCALE) as f64) as u64;
        self.origin = self.w_max.max(cwnd);
        self.epoch = Some(now);
        now
    }

    /// The window `t` 1/1024 s into the epoch.
    fn aim(&self, t: u64) -> u64 {
        let off = u128::from(t.abs_diff(self.k));
        let way = ((SCALE * off * off * off) >> SHIFT) as u64;
        if t < self.k { self.origin.saturating_sub(way) } else { self.origin + way }
    }

    fn befriend(&mut self, cwnd: u64) {
        let scale = 8 * (1024 + self.beta) / 3 / (1024 - self.beta);
        let window = (cwnd * scale / 8).max(1);
        // One is left, so that it is a whole window only with one more.
        let grown = self.acked.saturating_sub(1) / window;
        self.acked -= grown * window;
        self.reno += grown;
        if self.reno > cwnd {
            self.needed = self.needed.min(cwnd / (self.reno - cwnd));
        }
    }

    /// A loss leaves beta of `base` segments.
    pub fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let cwnd = w.whole();
        let gives_way = cwnd < self.w_max && self.converges;
        self.w_max = if gives_way { cwnd * (1024 + self.beta) / 2048 } else { cwnd };
        self.epoch = None;
        w.shrink(why, base * self.beta as f64 / 1024.0);
        if why == Loss::Timeout {
            let (beta, converges, friendly) = (self.beta, self.converges, self.friendly);
            *self = Cubic { beta, converges, friendly, ..Cubic::default() };
        }
    }

    /// After a pause a new epoch begins.
    pub fn on_idle(&mut self) {
        self.epoch = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> Cubic {
        Cubic::new(717.0 / 1024.0, true, true)
    }

    /// From 70 of 100 segments: 30 are 0.4 K^3 off, K = 4.2 s.
    #[test]
    fn the_plateau_is_reached_after_k() {
        let mut law = Cubic { w_max: 100, ..law() };
        law.begin_epoch(0, 70, 1);
        assert!((4290..4330).contains(&law.k), "{}", law.k);
        assert_eq!([law.aim(0), law.aim(law.k), law.aim(2 * law.k)], [71, 100, 129]);
    }

    #[test]
    fn before_a_loss_a_twentieth_a_round_at_least() {
        let mut law = law();
        law.update(1000, 38, 1, 41);
        assert_eq!(law.needed, 20);
        // After one the way to the plateau counts: a segment of 38 in the first 41 ms.
        law = Cubic { w_max: 60, ..Cubic::new(717.0 / 1024.0, true, true) };
        law.update(1100, 38, 1, 41);
        assert_eq!(law.needed, 38);
    }

    /// beta 717: scale 15, a segment for more than 15/8 of a window: 38 x 15 / 8 = 71.
    #[test]
    fn renos_window_takes_over_where_it_is_larger() {
        let mut law = Cubic { w_max: 38, reno: 38, needed: 3800, acked: 71, ..law() };
        law.befriend(38);
        assert_eq!((law.reno, law.needed), (38, 3800));
        law.acked = 72;
        law.befriend(38);
        assert_eq!((law.reno, law.acked, law.needed), (39, 1, 38));
    }
}
