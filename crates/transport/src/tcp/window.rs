//! The congestion window and the slow-start threshold, in segments.

use base::named;

/// The signal of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By acknowledgements: three duplicates, or what SACK and RACK make of them.
    DupAcks,
    /// By the retransmission timer.
    Timeout,
    /// Nothing was lost: a router set a congestion mark (RFC 3168), told at most once a round trip.
    EcnMark,
}

named! {
    /// The quantity that a loss halves for the slow-start threshold.
    pub enum SsthreshBase, "base of the threshold" {
        FlightSize = "flight": "data in flight (RFC 5681 equation 4)",
        Cwnd = "cwnd": "cwnd, used or not, as Linux's laws take it",
        WholeCwnd = "whole_cwnd": "the same in whole segments, rounded down (Linux's integers)",
            ///
            /// RFC 6675's pipe; without SACK as data in flight.
        Pipe = "pipe": "what is in the network: neither SACKed nor lost (ns-3)",
            ///
            /// min(cwnd, receiver's window), halved and rounded down; cwnd keeps the fraction that the threshold loses.
        Window = "window": "the window that may be used (ns-2)",
            ///
            /// Its default before 2006 and in its test suites since.
        WholeWindow = "whole_window": "the same, with cwnd rounded down too (ns-2 with precisionReduce_ off)",
    }
}

impl SsthreshBase {
    /// True where the threshold is rounded down to whole segments.
    pub fn is_whole(self) -> bool {
        matches!(self, SsthreshBase::Window | SsthreshBase::WholeWindow | SsthreshBase::WholeCwnd)
    }
}

/// The part of a connection's configuration that moves its window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowRules {
    /// ns-2 rounds the threshold down, and its older versions cwnd too.
    pub rounding: SsthreshBase,
    /// The most segments that an acknowledgement counts for.
    pub abc_limit: f64,
    /// Slow start goes on at the threshold.
    pub at_threshold: bool,
    /// The window after a timeout, segments.
    pub loss_window: f64,
    /// The window grows by whole segments.
    pub whole_steps: bool,
}

/// The two numbers that a law moves. Both in segments, fractions kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Congestion window, at least 1. Without the inflation of fast recovery.
    pub cwnd: f64,
    /// Slow-start threshold, at least 2; infinite until something bounds it.
    pub ssthresh: f64,
    rules: WindowRules,
    /// Whole segments: what is acknowledged towards the next.
    credit: f64,
}

impl Window {
    /// The window of a connection that begins.
    pub fn new(cwnd: f64, ssthresh: Option<f64>, rules: WindowRules) -> Window {
        Window { cwnd, ssthresh: ssthresh.unwrap_or(f64::INFINITY), rules, credit: 0.0 }
    }

    /// Returns the count of `acked` segments, with RFC 3465's limit.
    pub fn counted(&self, acked: f64) -> f64 {
        acked.min(self.rules.abc_limit)
    }

    /// Grows for `acked` segments: by as many in slow start (not beyond the threshold by more than one), else by
    /// `increase` a window, which is 0 for a law that grows here in slow start only.
    pub fn grow(&mut self, acked: f64, increase: f64) {
        let n = self.counted(acked);
        if self.rules.whole_steps {
            let rest = self.slow_start(n);
            if increase > 0.0 {
                self.step(rest, self.cwnd / increase);
            }
            return;
        }
        if self.in_slow_start() {
            self.cwnd = (self.cwnd + n).min(self.ssthresh.max(self.cwnd + 1.0));
        } else {
            self.cwnd += increase * n / self.cwnd;
        }
    }

    /// Slow start in whole segments, up to the threshold; what is left of `n` for avoidance (`tcp_slow_start` in Linux).
    pub fn slow_start(&mut self, n: f64) -> f64 {
        if !self.in_slow_start() {
            return n;
        }
        // At the threshold there is room for a segment more (Linux up to 4.2).
        let least = if self.rules.at_threshold { 1.0 } else { 0.0 };
        let taken = n.min((self.ssthresh - self.cwnd).max(least));
        self.cwnd += taken;
        n - taken
    }

    /// Counts `n` segments; each `needed` of them, rounded down, make the window a segment larger
    /// (`tcp_cong_avoid_ai` in Linux). Where segments are not whole the window grows by the part.
    pub fn step(&mut self, n: f64, needed: f64) {
        if !self.rules.whole_steps {
            self.cwnd += n / needed;
            return;
        }
        if n <= 0.0 {
            return;
        }
        let needed = libm::floor(needed).max(1.0);
        if self.credit >= needed {
            // Gathered while a segment took more.
            self.credit = 0.0;
            self.cwnd += 1.0;
        }
        self.credit += n;
        let more = libm::floor(self.credit / needed);
        self.cwnd += more;
        self.credit -= more * needed;
    }

    /// A loss that takes the threshold to `to`: cwnd too, or to the loss window after a timeout.
    pub fn shrink(&mut self, why: Loss, to: f64) {
        match why {
            Loss::Timeout => self.collapse(to),
            Loss::DupAcks | Loss::EcnMark => self.cut(to),
        }
    }

    /// Westwood's decrease: the threshold to `content`, what the path holds; cwnd no higher than it was.
    pub fn shrink_to_content(&mut self, why: Loss, content: f64) {
        let before = self.cwnd;
        self.shrink(why, content);
        self.cwnd = self.cwnd.min(before);
    }

    /// Whole segments of cwnd. By way of a signed number, which the processor converts in one step.
    #[inline]
    pub fn whole(&self) -> u64 {
        (self.cwnd as i64).max(0) as u64
    }

    /// True while the window grows by a segment for each segment acknowledged.
    pub fn in_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh || (self.rules.at_threshold && self.cwnd == self.ssthresh)
    }

    /// A loss that the acknowledgements told of: both numbers go down to `to` segments.
    pub fn cut(&mut self, to: f64) {
        // What was counted towards the next whole segment is lost with a cut (`tcp_init_cwnd_reduction` in Linux).
        self.credit = 0.0;
        self.set_ssthresh(to);
        self.cwnd = match self.rules.rounding {
            SsthreshBase::FlightSize
            | SsthreshBase::Pipe
            | SsthreshBase::Cwnd
            | SsthreshBase::WholeCwnd => self.ssthresh,
            SsthreshBase::Window => to.max(1.0),
            SsthreshBase::WholeWindow => libm::floor(to).max(1.0),
        };
    }

    /// A loss that only the timer told of: the loss window (RFC 5681 section 2: one segment), and slow start up to
    /// `ssthresh` segments.
    pub fn collapse(&mut self, ssthresh: f64) {
        // What was counted towards the next whole segment is lost with a cut (`tcp_init_cwnd_reduction` in Linux).
        self.credit = 0.0;
        self.set_ssthresh(ssthresh);
        self.cwnd = self.rules.loss_window;
    }

    /// At least 2 segments (RFC 5681 equation 4).
    fn set_ssthresh(&mut self, to: f64) {
        let whole = self.rules.rounding.is_whole();
        self.ssthresh = if whole { libm::floor(to) } else { to }.max(2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::config::TcpConfig;

    #[test]
    fn a_cut_never_goes_below_two_segments() {
        let mut w = TcpConfig::default().window();
        w.cut(1.5);
        assert_eq!((w.cwnd, w.ssthresh), (2.0, 2.0));
    }

    #[test]
    fn whole_segments_too_may_go_on_at_the_threshold() {
        let rules = TcpConfig { whole_steps: true, ..TcpConfig::default() };
        for (slow_start_at_threshold, grown) in [(false, 10.0), (true, 11.0)] {
            let mut w = TcpConfig { slow_start_at_threshold, ..rules.clone() }.window();
            (w.cwnd, w.ssthresh) = (10.0, 10.0);
            w.grow(1.0, 1.0);
            assert_eq!(w.cwnd, grown);
        }
    }

    #[test]
    fn slow_start_may_go_on_at_the_threshold() {
        for (slow_start_at_threshold, grown) in [(false, 10.1), (true, 11.0)] {
            let mut w = TcpConfig { slow_start_at_threshold, ..TcpConfig::default() }.window();
            (w.cwnd, w.ssthresh) = (10.0, 10.0);
            w.grow(1.0, 1.0);
            assert_eq!(w.cwnd, grown);
            assert!(!w.in_slow_start());
        }
    }

    #[test]
    fn a_law_that_grows_in_slow_start_only_leaves_the_rest_of_an_acknowledgement() {
        let mut w = TcpConfig { whole_steps: true, ..TcpConfig::default() }.window();
        (w.cwnd, w.ssthresh) = (9.0, 10.0);
        w.grow(2.0, 0.0);
        w.grow(1.0, 1.0);
        assert_eq!((w.cwnd, w.credit), (10.0, 1.0));
    }

    #[test]
    fn linux_counts_whole_segments() {
        let ssthresh_base = SsthreshBase::WholeCwnd;
        let mut w = TcpConfig { ssthresh_base, ..TcpConfig::default() }.window();
        w.cut(3.5);
        assert_eq!((w.cwnd, w.ssthresh), (3.0, 3.0));
    }

    #[test]
    fn ns2_rounds_the_threshold_and_not_the_window() {
        let mut w =
            TcpConfig { ssthresh_base: SsthreshBase::Window, ..TcpConfig::default() }.window();
        w.cut(7.25);
        assert_eq!((w.cwnd, w.ssthresh), (7.25, 7.0));
        w.rules.rounding = SsthreshBase::WholeWindow;
        w.cut(7.25);
        assert_eq!((w.cwnd, w.ssthresh), (7.0, 7.0));
        w.collapse(5.5);
        assert_eq!((w.cwnd, w.ssthresh), (1.0, 5.0));
    }
}
