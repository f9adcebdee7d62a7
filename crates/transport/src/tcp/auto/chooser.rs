//! The part of a sender that picks its variant.

use super::memory::{News, PathMemory, Transfers};
use super::policy::Policy;
use super::quantity::Measured;
use crate::tcp::config::{EcnMode, TcpConfig};
use crate::tcp::stats::SenderStats;
use crate::tcp::tcb::Tcb;
use base::{Span, Time};
use std::sync::Arc;

/// A transfer of fewer segments says little of a path's rate: most of it is the first window.
const LEAST_FOR_RATE: u64 = 10;

/// A variant that was picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The time.
    pub at: Time,
    /// The place of what was picked among the policy's alternatives.
    pub alternative: usize,
    /// The rule that held, by its place; `None`: the default.
    pub rule: Option<usize>,
    /// The measurements behind it.
    pub measured: Measured,
}

/// The state of a sender that picks its variant.
#[derive(Clone, Debug)]
pub struct Chooser {
    policy: Arc<Policy>,
    current: usize,
    memory: PathMemory,
    /// The counts that the path's memory has received, and the marked segments.
    told: SenderStats,
    told_marked: f64,
    /// The beginning of the present transfer: its time and its first byte.
    began: Option<(Time, u64)>,
    news: Option<News>,
    made: Vec<Choice>,
}

impl Chooser {
    /// Nothing is known of the path; the default is picked.
    pub(in crate::tcp) fn new(policy: Arc<Policy>) -> Chooser {
        Chooser {
            current: policy.default,
            policy,
            memory: PathMemory::default(),
            told: SenderStats::default(),
            told_marked: 0.0,
            began: None,
            news: None,
            made: Vec::new(),
        }
    }

    pub(in crate::tcp) fn recall(&mut self, memory: &PathMemory) {
        self.memory = *memory;
    }

    pub(in crate::tcp) fn take_news(&mut self) -> Option<News> {
        self.news.take()
    }

    pub(in crate::tcp) fn take_choices(&mut self) -> Vec<Choice> {
        std::mem::take(&mut self.made)
    }

    pub(in crate::tcp) fn choices(&self) -> &[Choice] {
        &self.made
    }

    /// Asks the policy at the begin of a transfer; what the connection goes on with, where that is another variant.
    pub(in crate::tcp) fn choose(&mut self, now: Time, tcb: &Tcb) -> Option<&TcpConfig> {
        let own = (tcb.rtt.srtt(), tcb.rtt.min_rtt());
        let measured = self.memory.measured(now, own, self.policy.forget_after);
        let (rule, alternative) = self.policy.pick(&measured);
        let other = alternative != self.current;
        self.current = alternative;
        self.began = Some((now, tcb.seq.una()));
        // One that was made before anything could be sent by it is no choice.
        if self.made.last().is_some_and(|last| last.at == now) {
            self.made.pop();
        }
        self.made.push(Choice { at: now, alternative, rule, measured });
        other.then(|| &self.policy.alternatives[alternative].config)
    }

    /// Takes into memory what was measured since it was last done.
    pub(in crate::tcp) fn measure(&mut self, now: Time, tcb: &Tcb) {
        let done = self.began.map_or(0, |(_, from)| tcb.seq.una() - from);
        let long = self.began.filter(|_| done >= LEAST_FOR_RATE * tcb.seq.mss());
        let duration = long.map(|(since, _)| now.since(since).as_secs());
        let rate = duration.map(|duration| done as f64 * 8.0 / duration);
        let ended = tcb.seq.is_idle() && self.began.take().is_some();
        let transfers = duration.filter(|_| ended).map(|duration| Transfers {
            count: 1.0,
            duration,
            srtt: tcb.rtt.srtt().map_or(0.0, Span::as_secs),
        });
        let SenderStats { segments_sent, retransmits, timeouts, fast_retransmits, .. } = tcb.stats;
        if segments_sent == self.told.segments_sent {
            return;
        }
        let marked = tcb.marks.marked_segments();
        let news = News {
            srtt: tcb.rtt.srtt(),
            rttvar: tcb.rtt.rttvar(),
            min_rtt: tcb.rtt.min_rtt(),
            sent: (segments_sent - self.told.segments_sent) as f64,
            resent: (retransmits - self.told.retransmits) as f64,
            repairs: (fast_retransmits + timeouts
                - (self.told.fast_retransmits + self.told.timeouts)) as f64,
            cuts: (cuts(&tcb.stats) - cuts(&self.told)) as f64,
            queueless: (tcb.stats.queueless_cuts - self.told.queueless_cuts) as f64,
            marked: (tcb.config.ecn != EcnMode::Off).then_some(marked - self.told_marked),
            timeouts: (timeouts - self.told.timeouts) as f64,
            rate: rate.filter(|rate| rate.is_finite()),
            transfers: transfers.unwrap_or_default(),
            reordering: tcb.config.recovery.uses_sack().then(|| tcb.reordering()),
        };
        (self.told, self.told_marked) = (tcb.stats, marked);
        self.memory.merge(now, &news, self.policy.forget_after);
        self.news.get_or_insert_default().add(&news);
    }
}

/// Losses that made the window smaller: marks are none.
fn cuts(stats: &SenderStats) -> u64 {
    stats.window_cuts - stats.marks
}
