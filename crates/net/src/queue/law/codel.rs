//! CoDel, controlled delay (RFC 8289): while the least wait of an interval stays above a target, packets are dropped at the
//! head, each sooner after the last, by the square root of their number.
//!
//! | section | here |
//! |---|---|
//! | 5.1 | `target` 5 ms, `interval` 100 ms |
//! | 5.4 | [`Codel::is_high`]: the RFC's `dodequeue` |
//! | 5.5 | [`Codel::judge`]: its `deque`, asked for one packet at a time |
//! | 5.6 | [`Codel::control_law`] |
//!
//! Marks in place of drops are not in the RFC's code; as in Linux a marked packet is sent, and counts like a dropped one. Nor is
//! `ce_threshold`, which is for DCTCP and for L4S.

use super::row::Row;
use crate::queue::manage::{Head, Manage, Site, Verdict};
use base::{Options, Span, Time, parameters};

parameters! {
    target = 0.005, in Seconds, "acceptable standing delay (RFC 8289 section 4.2: 5 to 10 % of the interval)";
    interval = 0.1, in Seconds, "time over which the least wait is taken (RFC 8289 section 4.3: a worst round trip)";
    mtu = 1500.0, in Bytes, "no drops while no more than this waits behind (RFC 8289 section 5.4)";
    ecn = 0.0, of base::SWITCH, "marks ECN-capable packets instead of dropping them";
    ce_threshold = f64::INFINITY, in Seconds, "marks all ECN-capable packets that have waited longer, beside what it does else (Linux)";
    ce_threshold_l4s = 0.0, of base::SWITCH, "ce_threshold is for L4S packets only, ECT(1) and CE (Linux's ce_threshold_selector)";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "RFC 8289",
    limit: Some(1000),
    parameters: &[Params::ALL],
    checks: &[check],
    departs: true,
};

/// Checks the parameters.
pub(super) fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    match p.interval > 0.0 {
        true => Ok(()),
        false => Err("an interval of no time; allowed: more than \"0 s\""),
    }
}

/// Last action, within the same call of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Done {
    #[default]
    Nothing,
    /// It has begun to drop: the packet behind is sent, however long it has waited.
    Begun,
    /// It has dropped one more: the time of the next drop depends on the packet behind.
    Dropped,
}

/// CoDel at work.
#[derive(Clone, Debug)]
pub(crate) struct Codel {
    target: Span,
    interval: Span,
    mtu: u64,
    ecn: bool,
    ce_threshold: Span,
    ce_threshold_l4s: bool,
    /// Time at which the wait will have been above the target for an interval; `None`: it is not above.
    first_above: Option<Time>,
    dropping: bool,
    drop_next: Time,
    count: u32,
    last_count: u32,
    done: Done,
}

/// The drops of the last time count where it is no longer ago than this many intervals (RFC 8289 section 5.5).
const MEMORY: u64 = 16;

impl Codel {
    pub fn new(site: &Site<'_>) -> Codel {
        let p = Params::new(site.options);
        Codel {
            ce_threshold: Span::from_secs(p.ce_threshold),
            ce_threshold_l4s: p.ce_threshold_l4s != 0.0,
            ..Codel::with((p.target, p.interval), p.mtu, p.ecn != 0.0)
        }
    }

    /// One with target and interval in seconds, and an MTU in bytes.
    pub fn with((target, interval): (f64, f64), mtu: f64, ecn: bool) -> Codel {
        Codel {
            target: Span::from_secs(target),
            interval: Span::from_secs(interval),
            mtu: mtu as u64,
            ecn,
            ce_threshold: Span::from_secs(f64::INFINITY),
            ce_threshold_l4s: false,
            first_above: None,
            dropping: false,
            drop_next: Time::ZERO,
            count: 0,
            last_count: 0,
            done: Done::Nothing,
        }
    }

    /// True where packets have waited longer than the target for an interval.
    #[inline]
    fn is_high(&mut self, now: Time, head: &Head) -> bool {
        if head.sojourn < self.target || head.left.1 <= self.mtu {
            self.first_above = None;
            return false;
        }
        let first_above = *self.first_above.get_or_insert(now + self.interval);
        now >= first_above
    }

    fn control_law(&self, from: Time) -> Time {
        let interval = self.interval.0 as f64;
        from + Span((interval / libm::sqrt(f64::from(self.count))) as u64)
    }

    fn strike(&mut self, head: &Head, dropped: Done) -> Verdict {
        if self.ecn && head.ecn.is_capable() {
            return Verdict::Mark;
        }
        self.done = dropped;
        Verdict::Drop
    }

    fn begin(&mut self, now: Time, head: &Head) -> Verdict {
        self.dropping = true;
        // The rate that controlled the queue a short while ago is a good one to begin with.
        let recent = now.since(self.drop_next) < Span(MEMORY * self.interval.0);
        let more = self.count.saturating_sub(self.last_count);
        self.count = if more > 1 && recent { more } else { 1 };
        self.drop_next = self.control_law(now);
        self.last_count = self.count;
        self.strike(head, Done::Begun)
    }
}

impl Manage for Codel {
    #[inline]
    fn on_departure(&mut self, now: Time, head: &Head) -> Verdict {
        let verdict = self.judge(now, head);
        let late = head.sojourn > self.ce_threshold && verdict == Verdict::Take;
        match late && head.ecn.is_capable() && (head.ecn.is_l4s() || !self.ce_threshold_l4s) {
            true => Verdict::Mark,
            false => verdict,
        }
    }

    fn on_empty(&mut self, _now: Time) {
        (self.first_above, self.dropping, self.done) = (None, false, Done::Nothing);
    }
}

impl Codel {
    /// Section 5.5.
    #[inline]
    fn judge(&mut self, now: Time, head: &Head) -> Verdict {
        let high = self.is_high(now, head);
        match std::mem::take(&mut self.done) {
            Done::Begun => return Verdict::Take,
            Done::Dropped if high => self.drop_next = self.control_law(self.drop_next),
            _ => {}
        }
        if !self.dropping {
            return if high { self.begin(now, head) } else { Verdict::Take };
        }
        self.dropping = high;
        if !high || now < self.drop_next {
            return Verdict::Take;
        }
        self.count += 1;
        let verdict = self.strike(head, Done::Dropped);
        if verdict == Verdict::Mark {
            self.drop_next = self.control_law(self.drop_next);
        }
        verdict
    }
}
