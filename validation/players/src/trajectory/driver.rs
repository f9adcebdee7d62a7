//! A connection of the driver: our law says by how much a window grows, and the driver rounds it as ns-3 does.

use crate::trial::{Trial, floor};
use transport::tcp::law::{AnyLaw, Loss};

/// The driver's segment, bytes.
pub const MSS: f64 = 1000.0;

/// ns-3's rounding of an increase.
#[derive(Clone, Copy)]
pub enum Steps {
    /// The bytes of each acknowledgement are cut to whole ones.
    Bytes,
    /// A segment once this many more acknowledgements than the law says came.
    Counted(f64),
    /// A segment for as many acknowledgements as the law says; those left over count on, also those of a plateau.
    Credit,
    /// The fractions add up; whole segments count.
    Fractions,
    /// The whole segments that a round adds count at each acknowledgement; as many as the window has are a segment more.
    Units,
    /// A segment at the end of a round, of a whole window; in between bytes, which are forgotten with the next segment.
    Rounds,
    /// As `Counted` while YeAH is fast, as `Bytes` while it is slow.
    Modes,
}

/// ns-3's rounding of the window after a loss.
#[derive(Clone, Copy)]
pub enum Left {
    /// To bytes.
    Bytes,
    /// To whole segments.
    Whole,
    /// To bytes, of the window's whole segments; whole segments are remembered too.
    OfWhole,
    /// A loss takes whole segments.
    WholeCut,
}

/// A law in the driver.
pub struct Driver {
    /// The law and its window.
    pub t: Trial,
    /// The rounding of its increases.
    pub steps: Steps,
    /// The rounding of the window after a loss.
    pub left: Left,
    /// A round ends for the law at its first acknowledgement too.
    pub first_ends: bool,
    /// The count towards the next segment.
    pub count: f64,
    /// True where ns-3's measures since the last loss decide the window after a loss.
    pub epoch: Option<Epoch>,
}

/// The measures of ns-3's H-TCP since the last loss.
#[derive(Clone, Copy)]
pub struct Epoch {
    begun: f64,
    segments: f64,
    least: f64,
    most: f64,
    /// Segments a second in the epoch before; 0 before the first loss.
    rate_before: f64,
}

impl Epoch {
    /// An epoch that begins now, after one of that rate.
    pub fn new(now: f64, rate_before: f64) -> Epoch {
        Epoch { begun: now, segments: 0.0, least: f64::INFINITY, most: 0.0, rate_before }
    }

    fn rate(&self, now: f64) -> f64 {
        self.segments / (now - self.begun).max(1e-9)
    }

    /// Returns the share that a loss leaves: half where the rate rose by over a fifth, or fell at all.
    fn kept(&self, now: f64) -> f64 {
        let before = self.rate_before;
        let steady = (before..=1.2 * before).contains(&self.rate(now));
        if steady { (self.least / self.most).clamp(0.5, 1.0) } else { 0.5 }
    }
}

impl Driver {
    /// An acknowledgement for each segment of the window.
    pub fn round(&mut self, rtt: f64) {
        let n = floor(self.t.w.cwnd);
        if let Some(epoch) = &mut self.epoch {
            epoch.segments += n;
            (epoch.least, epoch.most) = (epoch.least.min(rtt), epoch.most.max(rtt));
        }
        for i in 1..=n as u64 {
            self.t.now += rtt / n;
            let last = i == n as u64;
            self.ack(rtt, last || (i == 1 && self.first_ends));
        }
    }

    fn ack(&mut self, rtt: f64, ends: bool) {
        let steps = self.steps_now();
        // ns-3's algorithms see whole segments where they count in segments.
        let whole = match steps {
            _ if self.t.w.in_slow_start() => false,
            Steps::Bytes => false,
            Steps::Rounds => ends,
            _ => true,
        };
        let part = if whole { self.t.w.cwnd - floor(self.t.w.cwnd) } else { 0.0 };
        self.t.w.cwnd -= part;
        let (threshold, lowered) = (self.t.w.ssthresh, self.t.w.ssthresh - part);
        self.t.w.ssthresh = lowered;
        let more = self.step(steps, rtt, ends);
        if self.t.w.ssthresh == lowered {
            self.t.w.ssthresh = threshold;
        }
        let forgotten = matches!(steps, Steps::Rounds) && is_segment(more);
        self.t.w.cwnd += if forgotten { 0.0 } else { part };
    }

    /// An acknowledgement; what the law added by itself.
    fn step(&mut self, steps: Steps, rtt: f64, ends: bool) -> f64 {
        let (before, slow) = (self.t.w.cwnd, self.t.w.in_slow_start());
        self.t.told.flight = before;
        if ends {
            self.t.end_round(1.0, rtt);
        } else {
            self.t.ack(1.0, rtt);
        }
        let more = self.t.w.cwnd - before;
        if !slow && more >= 0.0 {
            self.t.w.cwnd = before + self.rounded(steps, more, before);
        }
        more
    }

    fn rounded(&mut self, steps: Steps, more: f64, window: f64) -> f64 {
        match steps {
            Steps::Rounds if more == 0.0 || is_segment(more) => more,
            Steps::Bytes | Steps::Rounds => floor(more * MSS).max(1.0) / MSS,
            Steps::Counted(extra) => {
                let segment = self.counted(1.0, floor(1.0 / more) + extra);
                self.count *= 1.0 - segment;
                segment
            }
            Steps::Credit => self.counted(1.0, floor(1.0 / more).max(1.0)),
            Steps::Units => self.counted(floor(more * window), window),
            Steps::Fractions | Steps::Modes => self.counted(more, 1.0),
        }
    }

    /// `Modes`, decided.
    fn steps_now(&self) -> Steps {
        match (self.steps, &self.t.law) {
            (Steps::Modes, AnyLaw::Yeah(law)) if law.slow_rounds == 0.0 => Steps::Counted(0.0),
            (Steps::Modes, _) => Steps::Bytes,
            (steps, _) => steps,
        }
    }

    /// A segment where what was counted reaches what is needed.
    fn counted(&mut self, more: f64, needed: f64) -> f64 {
        self.count += more;
        if self.count < needed {
            return 0.0;
        }
        self.count -= needed;
        1.0
    }

    /// A loss before a round: the window is what the threshold is.
    pub fn lose(&mut self) {
        if matches!(self.left, Left::OfWhole) {
            self.t.w.cwnd = floor(self.t.w.cwnd);
        }
        let before = self.t.w.cwnd;
        let mut left = self.t.lose(Loss::DupAcks);
        match &mut self.t.law {
            AnyLaw::Bic(law) if matches!(self.left, Left::OfWhole) => law.w_max = floor(law.w_max),
            AnyLaw::Htcp(law) => {
                if let Some(epoch) = &mut self.epoch {
                    law.beta = epoch.kept(self.t.now);
                    left = before * law.beta;
                    *epoch = Epoch::new(self.t.now, epoch.rate(self.t.now));
                }
            }
            _ => {}
        }
        let left = match self.left {
            Left::Bytes | Left::OfWhole => floor(left * MSS) / MSS,
            Left::Whole => floor(left),
            Left::WholeCut => before - floor(before - left),
        };
        (self.t.w.cwnd, self.t.w.ssthresh) = (left, left);
    }
}

/// True for a step by a segment, up or down, and no fraction of one.
fn is_segment(more: f64) -> bool {
    more.abs() > 0.5
}
