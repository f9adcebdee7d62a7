//! PIE, the proportional integral controller enhanced (RFC 8033): packets are dropped at random as they come, with a
//! probability that a controller moves every `update` towards a target delay.
//!
//! | section | here |
//! |---|---|
//! | 4.1 | [`Pie::is_struck`]: random drops, with the safeguards for short queues |
//! | 4.2 | [`Pie::update`]: the probability |
//! | 4.3 | the delay is that of the packet sent last, zero when none waits: latency sampling, section 5.2's time stamps |
//! | 4.4 | bursts: no drops for `max_burst` after a calm |
//! | 5.1 | `ecn`: marks instead of drops while the probability is at most `mark_below` |
//! | 5.4 | `derandomize`: no two drops close together, none far apart |
//! | 5.5 | the probability grows by at most 2 % at a time once it is 10 % |
//!
//! The updates are due at whole multiples of `update`, as of a timer that began with the run. What they depend on changes only
//! when packets come or go, so they are made up for then, at the values that held when they were due: no event is needed.

use super::row::Row;
use crate::queue::manage::{Found, Head, Manage, Site, Verdict};
use base::{Options, Rng, Span, Time, parameters};

parameters! {
    target = 0.015, in Seconds, "delay aimed at: QDELAY_REF (RFC 8033 section 4.2)";
    update = 0.015, in Seconds, "time between two updates of the probability: T_UPDATE (section 4.2)";
    alpha = 0.125, "weight of the distance from the target, 1/s (section 4.2)";
    beta = 1.25, "weight of the change of the delay, 1/s (section 4.2)";
    max_burst = 0.15, in Seconds, "time without drops after a calm: MAX_BURST (section 4.4)";
    derandomize = 1.0, of base::SWITCH, "drops neither close together nor far apart (section 5.4)";
    ecn = 0.0, of base::SWITCH, "marks ECN-capable packets instead of dropping them";
    mark_below = 0.1, in Share, "marks up to this probability, and drops above it: MARK_ECNTH (section 5.1)";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "RFC 8033",
    limit: Some(1000),
    parameters: &[Params::ALL],
    checks: &[check],
    departs: true,
};

/// Checks the parameters.
fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    match p.update >= 0.000_1 {
        true => Ok(()),
        false => Err("updates closer than 0.1 ms; allowed: update = \"0.1 ms\" and more"),
    }
}

/// Section 4.2: how much slower the probability moves while it is below each of these.
const SCALES: [(f64, f64); 6] = [
    (0.000_001, 2048.0),
    (0.000_01, 512.0),
    (0.000_1, 128.0),
    (0.001, 32.0),
    (0.01, 8.0),
    (0.1, 2.0),
];

/// PIE at work.
#[derive(Clone, Debug)]
pub(crate) struct Pie {
    p: Params,
    every: Span,
    next_update: Time,
    rng: Rng,
    probability: f64,
    /// Sum of the probability since the last drop.
    accumulated: f64,
    /// Delay of the packet sent last; at the last update.
    delay: f64,
    delay_before: f64,
    burst_left: f64,
}

impl Pie {
    pub fn new(site: &Site<'_>) -> Pie {
        let p = Params::new(site.options);
        let every = Span::from_secs(p.update).max(Span(1));
        Pie {
            p,
            every,
            next_update: Time::ZERO + every,
            rng: site.rng(),
            probability: 0.0,
            accumulated: 0.0,
            delay: 0.0,
            delay_before: 0.0,
            burst_left: p.max_burst,
        }
    }

    #[cfg(test)]
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// Makes up for the updates that have been due before `now`.
    fn catch_up(&mut self, now: Time) {
        while self.next_update <= now {
            self.update();
            self.next_update += self.every;
            if self.is_calm() {
                // Nothing changes any more until a packet comes.
                let missed = now.since(self.next_update).0 / self.every.0;
                self.next_update += Span(missed * self.every.0);
            }
        }
    }

    /// An update would leave everything as it is.
    fn is_calm(&self) -> bool {
        let still = self.delay == 0.0 && self.delay_before == 0.0;
        still && self.probability == 0.0 && self.burst_left == self.p.max_burst
    }

    fn update(&mut self) {
        let Params { target, alpha, beta, update, max_burst, .. } = self.p;
        let step = alpha * (self.delay - target) + beta * (self.delay - self.delay_before);
        let scale = SCALES.iter().find(|(below, _)| self.probability < *below);
        let mut step = step / scale.map_or(1.0, |&(_, by)| by);
        if self.probability >= 0.1 {
            step = step.min(0.02);
        }
        self.probability += step;
        if self.delay == 0.0 && self.delay_before == 0.0 {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.burst_left = (self.burst_left - update).max(0.0);
        let half = target / 2.0;
        if self.probability == 0.0 && self.delay < half && self.delay_before < half {
            self.burst_left = max_burst;
        }
        self.delay_before = self.delay;
    }

    /// True where this packet shall go, or be marked.
    fn is_struck(&mut self, waiting: u32) -> bool {
        if self.burst_left > 0.0 {
            return false;
        }
        let short = self.delay_before < self.p.target / 2.0 && self.probability < 0.2;
        if short || waiting <= 2 {
            return false;
        }
        if self.p.derandomize != 0.0 {
            if self.probability == 0.0 {
                self.accumulated = 0.0;
            }
            self.accumulated += self.probability;
            if self.accumulated < 0.85 {
                return false;
            }
            if self.accumulated >= 8.5 {
                return true;
            }
        }
        self.rng.chance(self.probability)
    }
}

impl Manage for Pie {
    fn on_arrival(&mut self, now: Time, found: &Found) -> Verdict {
        self.catch_up(now);
        if !self.is_struck(found.backlog.packets) {
            return Verdict::Take;
        }
        self.accumulated = 0.0;
        let marks = self.p.ecn != 0.0 && self.probability <= self.p.mark_below;
        if marks && found.markable { Verdict::Mark } else { Verdict::Drop }
    }

    fn on_departure(&mut self, now: Time, head: &Head) -> Verdict {
        self.catch_up(now);
        self.delay = if head.left.0 == 0 { 0.0 } else { head.sojourn.as_secs() };
        Verdict::Take
    }
}
