//! H-TCP as Linux computes it: whole milliseconds, alpha and beta in 1/128 (net/ipv4/tcp_htcp.c).
//!
//! | Linux | here |
//! |---|---|
//! | `measure_rtt`: the greatest round trip rises by 20 ms at most, out of recoveries | `measure_rtt` |
//! | `measure_achieved_throughput`: a sample a window and least round trip, smoothed by 3/4 | `measure_rate` |
//! | `htcp_beta_update`: RTTmin/RTTmax from the second loss on at which the greatest rate is within a fifth | `update_beta` |
//! | `htcp_alpha_update`: the draft's alpha, scaled by RTTmin/100 ms and rounded down, at least 1 before `2 (1 - beta)` | `update_alpha` |
//! | `htcp_param_update`: the greatest round trip comes 5 % nearer to the least at each loss | `on_loss` |
//! | `htcp_state`: the time since the last congestion counts from the end of recovery | `on_recovered` |
//! | `htcp_cong_avoid` | `grow` |

use crate::tcp::law::interface::Ack;
use crate::tcp::window::{Loss, Window};

/// 1.0 of alpha and beta.
const ONE: u64 = 128;
/// `BETA_MIN` and `BETA_MAX`: 0.5 and 0.8.
const BETA: (u64, u64) = (64, 102);
/// `HZ`.
const SECOND: u64 = 1000;
/// By how much a sample may exceed the greatest round trip, ms.
const RISE: u64 = 20;
/// A least round trip up to this has no beta of its own, ms.
const SHORT: u64 = 10;

/// Linux's H-TCP. Milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Htcp {
    alpha: u64,
    beta: u64,
    /// A loss with a steady rate has come.
    switched: bool,
    acked: u64,
    counted: u64,
    counted_from: u64,
    min_rtt: u64,
    max_rtt: u64,
    last_loss: Option<u64>,
    rate: u64,
    max_rate: u64,
    old_max_rate: u64,
    now: u64,
    count: u64,
}

impl Default for Htcp {
    fn default() -> Htcp {
        Htcp {
            alpha: ONE,
            beta: BETA.0,
            switched: false,
            acked: 1,
            counted: 0,
            counted_from: 0,
            min_rtt: 0,
            max_rtt: 0,
            last_loss: None,
            rate: 0,
            max_rate: 0,
            old_max_rate: 0,
            now: 0,
            count: 0,
        }
    }
}

impl Htcp {
    /// Takes in an acknowledgement, and grows.
    pub fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.now = a.now.0 / 1_000_000;
        let acked = libm::round(a.covered) as u64;
        // What ends a recovery still belongs to it.
        let repairing = a.in_recovery || a.covered > a.acked;
        if !repairing {
            self.acked = acked;
        }
        if let Some(rtt) = a.rtt.get() {
            self.measure_rtt(rtt.0.div_ceil(1_000_000).max(1), repairing);
        }
        self.last_loss.get_or_insert(self.now - self.min_rtt.min(self.now));
        self.measure_rate(acked, w.whole(), repairing);
        if a.may_grow() && a.covered > 0.0 {
            self.grow(w, a.acked);
        }
    }

    fn measure_rtt(&mut self, rtt: u64, in_recovery: bool) {
        if self.min_rtt > rtt || self.min_rtt == 0 {
            self.min_rtt = rtt;
        }
        if in_recovery {
            return;
        }
        self.max_rtt = self.max_rtt.max(self.min_rtt);
        if self.max_rtt < rtt && rtt <= self.max_rtt + RISE {
            self.max_rtt = rtt;
        }
    }

    fn since_loss(&self) -> u64 {
        self.last_loss.map_or(0, |then| self.now - then.min(self.now))
    }

    fn measure_rate(&mut self, acked: u64, cwnd: u64, in_recovery: bool) {
        if in_recovery {
            (self.counted, self.counted_from) = (0, self.now);
            return;
        }
        self.counted += acked;
        let lasted = self.now - self.counted_from;
        let enough = cwnd.saturating_sub((self.alpha / ONE).max(1));
        if self.counted < enough || lasted < self.min_rtt || self.min_rtt == 0 {
            return;
        }
        let sample = self.counted * SECOND / lasted;
        if self.since_loss() / self.min_rtt <= 3 {
            // Just after a loss.
            (self.max_rate, self.rate) = (sample, sample);
        } else {
            self.rate = (3 * self.rate + sample) / 4;
            self.max_rate = self.max_rate.max(self.rate);
        }
        (self.counted, self.counted_from) = (0, self.now);
    }

    fn update_beta(&mut self) {
        let (rate, before) = (self.max_rate, self.old_max_rate);
        self.old_max_rate = rate;
        self.beta = BETA.0;
        if 5 * rate < 4 * before || 5 * rate > 6 * before {
            self.switched = false;
        } else if self.switched && self.min_rtt > SHORT && self.max_rtt > 0 {
            self.beta = (self.min_rtt * ONE / self.max_rtt).clamp(BETA.0, BETA.1);
        } else {
            self.switched = true;
        }
    }

    fn update_alpha(&mut self) {
        let mut factor = 1;
        if let Some(x) = self.since_loss().checked_sub(SECOND).filter(|&x| x > 0) {
            factor = 1 + (10 * x + (x / 2) * (x / 2) / SECOND) / SECOND;
        }
        if self.min_rtt > 0 {
            let scale = (8 * SECOND / (10 * self.min_rtt)).clamp(4, 80);
            factor = (8 * factor / scale).max(1);
        }
        self.alpha = 2 * factor * (ONE - self.beta);
    }

    fn grow(&mut self, w: &mut Window, acked: f64) {
        if w.in_slow_start() {
            w.slow_start(w.counted(acked));
            return;
        }
        if self.count * self.alpha / ONE >= w.whole() {
            w.cwnd += 1.0;
            self.count = 0;
            self.update_alpha();
        } else {
            self.count += self.acked;
        }
        self.acked = 1;
    }

    /// A loss leaves beta of `base` segments.
    pub fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.update_beta();
        self.update_alpha();
        if self.max_rtt > self.min_rtt {
            self.max_rtt = self.min_rtt + (self.max_rtt - self.min_rtt) * 95 / 100;
        }
        (self.last_loss, self.count) = (Some(self.now), 0);
        w.shrink(why, base * self.beta as f64 / ONE as f64);
    }

    /// A recovery has ended.
    pub fn on_recovered(&mut self) {
        self.last_loss = Some(self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 42 ms `scale` is 8000/420 = 19: factors of 1, 3 and 10 become 1 (at least), 1 and 4.
    #[test]
    fn alpha_is_scaled_and_rounded_down() {
        let mut law = Htcp { min_rtt: 42, last_loss: Some(0), ..Htcp::default() };
        for (now, alpha) in [(900, 128), (1200, 128), (1900, 512)] {
            law.now = now;
            law.update_alpha();
            assert_eq!(law.alpha, alpha, "{now} ms");
        }
    }

    #[test]
    fn beta_is_the_round_trips_from_the_second_steady_loss_on() {
        let mut law = Htcp { min_rtt: 40, max_rtt: 60, max_rate: 800, ..Htcp::default() };
        for beta in [64, 64, 85] {
            law.update_beta();
            assert_eq!(law.beta, beta);
        }
        law.max_rate = 1000;
        law.update_beta();
        assert_eq!(law.beta, 64, "a fifth more");
    }
}
