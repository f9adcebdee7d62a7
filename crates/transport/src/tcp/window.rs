//! The congestion window and the slow-start threshold, in segments.
//!
//! A law that is compiled outside lasthop has this same file, so it uses nothing of lasthop's, and its types are laid out
//! as C does: both sides of a plug-in then work on one window.

/// The signal of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Loss {
    /// By acknowledgements: three duplicates, or what SACK and RACK make of them.
    DupAcks = 0,
    /// By the retransmission timer.
    Timeout = 1,
    /// Nothing was lost: a router set a congestion mark (RFC 3168), told at most once a round trip.
    EcnMark = 2,
}

/// The window that a cut leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Cut {
    /// The new threshold.
    Threshold = 0,
    /// The segments that were asked for, with their fraction (ns-2).
    Asked = 1,
    /// The whole ones of them (ns-2 with precisionReduce_ off).
    WholeAsked = 2,
}

/// The part of a connection's configuration that moves its window.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct WindowRules {
    /// The most segments that an acknowledgement counts for.
    pub abc_limit: f64,
    /// The window after a timeout, segments.
    pub loss_window: f64,
    /// The window that a cut leaves.
    pub cut: Cut,
    /// The threshold is rounded down to whole segments.
    pub whole_threshold: bool,
    /// Slow start goes on at the threshold.
    pub at_threshold: bool,
    /// The window grows by whole segments.
    pub whole_steps: bool,
}

/// The two numbers that a law moves. Both in segments, fractions kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
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
        let needed = needed.floor().max(1.0);
        if self.credit >= needed {
            // Gathered while a segment took more.
            self.credit = 0.0;
            self.cwnd += 1.0;
        }
        self.credit += n;
        let more = (self.credit / needed).floor();
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
        self.cwnd = match self.rules.cut {
            Cut::Threshold => self.ssthresh,
            Cut::Asked => to.max(1.0),
            Cut::WholeAsked => to.floor().max(1.0),
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
        self.ssthresh = if self.rules.whole_threshold { to.floor() } else { to }.max(2.0);
    }
}
