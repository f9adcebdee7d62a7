//! RED, random early detection (Floyd and Jacobson, "Random Early Detection Gateways for Congestion Avoidance", IEEE/ACM
//! Transactions on Networking 1(4), 1993): the probability of a drop grows with the mean length of the queue.
//!
//! | there | here |
//! |---|---|
//! | section 4 | the mean is a moving average of weight `weight`; while the device is idle it falls as if small packets passed |
//! | section 4, equation for `p_a` | drops are spread evenly; `wait` keeps them further apart, as in ns-2 |
//! | section 4, `count` | begins at the packet that finds the mean above `min`, which stays (ns-2) |
//! | Floyd 2000, "Recommendation on using the gentle variant of RED" | `gentle`: from `max` to twice `max` the probability goes on to 1 |
//! | Floyd, Gummadi, Shenker 2001, "Adaptive RED", section 4 | `adaptive`: every half second `max_probability` moves to keep the mean in the middle |
//!
//! Lengths are packets that wait; the one being sent does not count.

use super::row::Row;
use crate::queue::manage::{Found, Manage, Site, Verdict};
use base::{Bytes, Options, Rng, Span, Time, parameters};

parameters! {
    min = 5.0, in Packets, "mean length from which packets are dropped at random (ns-2, ns-3)";
    max = 15.0, in Packets, "mean length at which the probability is `max_probability` (three times `min`: Floyd 1997)";
    max_probability = 0.1, in Share, "probability of a drop at `max`, before drops are spread (Floyd 1997)";
    weight = 0.002, in Share, "weight of the present length in the mean (Floyd and Jacobson 1993, section 6)";
    gentle = 1.0, of base::SWITCH, "beyond `max` the probability grows to 1 at twice `max`, instead of at once";
    wait = 1.0, of base::SWITCH, "waits longer between two drops (ns-2's default)";
    adaptive = 0.0, of base::SWITCH, "moves `max_probability` to keep the mean between 40 and 60 % of the way from `min` to `max`";
    mean_packet = 500.0, in Bytes, "size of the packets that an idle device is taken to send (ns-2, ns-3)";
    ecn = 0.0, of base::SWITCH, "marks ECN-capable packets while the mean is at most `max`, instead of dropping them";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "Floyd and Jacobson 1993",
    limit: None,
    parameters: &[Params::ALL],
    checks: &[check],
    departs: false,
};

/// Checks the parameters.
fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    if !(p.min >= 1.0 && p.max > p.min) {
        return Err("min must be at least 1 and less than max");
    }
    match p.weight > 0.0 && p.mean_packet >= 1.0 {
        true => Ok(()),
        false => Err("weight and mean_packet must be more than zero"),
    }
}

/// Floyd, Gummadi, Shenker 2001, section 4: how often, and by how much, the probability adapts.
const ADAPTS_EVERY: Span = Span::millis(500);
const MOST: f64 = 0.5;
const LEAST: f64 = 0.01;
const INCREASE: f64 = 0.01;
const DECREASE: f64 = 0.9;

/// RED at work.
#[derive(Clone, Debug)]
pub(crate) struct Red {
    p: Params,
    /// Time of a small packet.
    small: Span,
    rng: Rng,
    mean: f64,
    max_probability: f64,
    adapted: Time,
    /// Packets since the last drop; `None`: the mean has been below `min` since.
    since_drop: Option<f64>,
    /// Time at which the device fell idle, if it did and the mean accounts for it.
    idle_counted: Time,
}

impl Red {
    pub fn new(site: &Site<'_>) -> Red {
        let p = Params::new(site.options);
        Red {
            p,
            small: site.rate.time_for(Bytes(p.mean_packet as u32)).max(Span(1)),
            rng: site.rng(),
            mean: 0.0,
            max_probability: p.max_probability,
            adapted: Time::ZERO,
            since_drop: None,
            idle_counted: Time::ZERO,
        }
    }

    #[cfg(test)]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    fn average(&mut self, now: Time, found: &Found) {
        let keep = 1.0 - self.p.weight;
        if let Some(since) = found.idle_since {
            let idle = now.since(since.max(self.idle_counted));
            self.idle_counted = now;
            self.mean *= libm::pow(keep, (idle.0 / self.small.0) as f64);
        }
        self.mean = keep * self.mean + self.p.weight * f64::from(found.backlog.packets);
    }

    fn adapt(&mut self, now: Time) {
        let Params { min, max, .. } = self.p;
        while now.since(self.adapted) >= ADAPTS_EVERY {
            self.adapted += ADAPTS_EVERY;
            let (low, high) = (min + 0.4 * (max - min), min + 0.6 * (max - min));
            if self.mean > high && self.max_probability <= MOST {
                self.max_probability += INCREASE.min(self.max_probability / 4.0);
            } else if self.mean < low && self.max_probability >= LEAST {
                self.max_probability *= DECREASE;
            }
        }
    }

    /// The probability before drops are spread: `p_b`.
    fn probability(&self) -> f64 {
        let Params { min, max, gentle, .. } = self.p;
        if self.mean < max {
            self.max_probability * (self.mean - min) / (max - min)
        } else if gentle != 0.0 && self.mean < 2.0 * max {
            self.max_probability + (1.0 - self.max_probability) * (self.mean - max) / max
        } else {
            1.0
        }
    }

    /// True where a packet is struck, `count` packets after the last: `p_a`.
    fn is_struck(&mut self, probability: f64, count: f64) -> bool {
        let spread = count * probability;
        let chance = if self.p.wait != 0.0 {
            match spread {
                few if few < 1.0 => 0.0,
                some if some < 2.0 => probability / (2.0 - some),
                _ => 1.0,
            }
        } else if spread < 1.0 {
            probability / (1.0 - spread)
        } else {
            1.0
        };
        self.rng.chance(chance)
    }
}

impl Manage for Red {
    fn on_arrival(&mut self, now: Time, found: &Found) -> Verdict {
        self.average(now, found);
        if self.p.adaptive != 0.0 {
            self.adapt(now);
        }
        if self.mean < self.p.min || found.backlog.packets <= 1 {
            self.since_drop = None;
            return Verdict::Take;
        }
        let Some(count) = self.since_drop else {
            self.since_drop = Some(1.0);
            return Verdict::Take;
        };
        let probability = self.probability();
        self.since_drop = Some(count + 1.0);
        if probability < 1.0 && !self.is_struck(probability, count + 1.0) {
            return Verdict::Take;
        }
        self.since_drop = Some(0.0);
        let marks = self.p.ecn != 0.0 && found.markable && self.mean < self.p.max;
        if marks { Verdict::Mark } else { Verdict::Drop }
    }
}
