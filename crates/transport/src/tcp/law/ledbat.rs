//! LEDBAT: the least effort, which leaves when others come (RFC 6817).
//!
//! | section | here |
//! |---|---|
//! | 2.4.2 | base delay: the least of `base_history` minutes; current delay: the least of `noise_filter` samples |
//! | 2.4.2 | `off = (target - queueing)/target`; `cwnd += gain off acked/cwnd` |
//! | 2.4.2 | cwnd at most `flight + allowed_increase`, at least `min_cwnd` |
//! | 2.4.2 | a loss halves, once a round trip; a timeout leaves one segment |
//!
//! *Deviations.* Round-trip times replace one-way delays, so that a queue on the way back counts too. Slow
//! start, which the RFC leaves open, ends when the queueing delay reaches `slow_start_exit` of the target.

use super::interface::{Ack, Law, LawRow};
use super::least::Least;
use crate::tcp::window::{Loss, Window};
use base::{Options, Time, parameters};

parameters! {
    target = 0.1, "queueing delay aimed at, s (section 2.5: at most 100 ms)";
    gain = 1.0, "speed, windows of segments a round (section 2.5: at most 1)";
    base_history = 10.0, "minutes over which the least delay is the base (section 3.4.2; at most 10)";
    noise_filter = 4.0, "samples over which the least is the current delay (section 3.4.1; at most 16)";
    allowed_increase = 1.0, "segments that cwnd may exceed what is in flight (section 2.4.2)";
    min_cwnd = 2.0, "least window but after a timeout, segments (section 2.5)";
    slow_start_exit = 0.75, "part of the target at which slow start ends (LEDBAT++ draft section 4.4)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow = LawRow { year: 2012, paper: "RFC 6817", parameters: Params::ALL };

/// LEDBAT at work.
#[derive(Clone, Copy, Debug)]
pub struct Ledbat {
    p: Params,
    base: Least<10>,
    current: Least<16>,
    /// The minute of the newest value of `base`.
    minute: Option<u64>,
}

impl Ledbat {
    /// A fresh law.
    pub fn new(options: &Options) -> Ledbat {
        let p = Params::new(options);
        let (base, current) = (Least::new(p.base_history), Least::new(p.noise_filter));
        Ledbat { p, base, current, minute: None }
    }

    fn measure(&mut self, now: Time, delay: f64) {
        self.current.push(delay);
        let minute = Some(now.since(Time::ZERO).as_secs() as u64 / 60);
        if minute != self.minute {
            self.minute = minute;
            self.base.push(delay);
        } else {
            self.base.lower(delay);
        }
    }
}

impl Law for Ledbat {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if let Some(rtt) = a.rtt.get() {
            self.measure(a.now, rtt.as_secs());
        }
        let queueing = self.current.least() - self.base.least();
        if a.in_recovery || !queueing.is_finite() {
            return;
        }
        if w.in_slow_start() {
            if queueing < self.p.slow_start_exit * self.p.target {
                w.grow(if a.app_limited { 0.0 } else { a.acked }, 0.0);
                return;
            }
            w.ssthresh = w.cwnd.max(2.0);
        }
        let off = (self.p.target - queueing) / self.p.target;
        let next = w.cwnd + self.p.gain * off * a.acked / w.cwnd;
        let most = if a.app_limited { w.cwnd } else { a.flight + self.p.allowed_increase };
        w.cwnd = next.min(most).max(self.p.min_cwnd.min(w.cwnd)).max(1.0);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        w.shrink(why, (base / 2.0).max(self.p.min_cwnd));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::testing::{Rounds, ack, window};

    /// 6 segments, a base delay of 20 ms, then a sample of `ms` that acknowledges 2 of `flight` segments.
    fn step(ms: f64, flight: f64) -> f64 {
        let mut law = Ledbat::new(&Options::of(&[("noise_filter", 1.0)]));
        let mut w = window(6.0, 2.0);
        law.measure(Time::ZERO, 0.02);
        law.on_ack(&mut w, &Ack { acked: 2.0, flight, ..ack(ms) });
        w.cwnd * 1446.0
    }

    #[test]
    fn the_steps_are_ns3s() {
        // tcp-ledbat-test.cc, segments of 1446 B: 40 ms of 100 wait; the flight binds; 120 ms wait.
        assert_eq!(libm::floor(step(60.0, 6.0)), 8965.0);
        assert_eq!(step(60.0, 5.0), 8676.0);
        assert_eq!(libm::floor(step(140.0, 6.0)), 8579.0);
    }

    #[test]
    fn the_base_forgets_after_its_history() {
        let mut law = Ledbat::new(&Options::default());
        for minute in 0..11 {
            law.measure(
                Time::ZERO + base::Span::secs(60 * minute),
                if minute == 0 { 0.01 } else { 0.03 },
            );
            assert_eq!(law.base.least(), if minute < 10 { 0.01 } else { 0.03 });
        }
    }

    #[test]
    fn the_window_round_by_round() {
        // 50 segments fill 100 ms: the queue settles where it holds the target, 100 ms or 50 segments more.
        let mut c = Rounds::new(Ledbat::new(&Options::default()), 90.0, 10.0);
        c.law.measure(Time::ZERO, 0.1);
        let mut cwnds = vec![];
        for _ in 0..6 {
            let rtt = c.w.cwnd * 2.0;
            cwnds.extend(c.play(&[rtt]));
        }
        assert_eq!(cwnds, [90.2, 90.4, 90.6, 90.8, 91.0, 91.2]);
        assert!((c.lose() - 45.6).abs() < 0.1);
    }
}
