//! The part of a sender that picks its variant, and how one sender becomes another.

use super::memory::{News, PathMemory};
use super::policy::Policy;
use super::quantity::Measured;
use crate::tcp::law::AnyLaw;
use crate::tcp::sack::Phase;
use crate::tcp::sender::{FIRST_DATA, Sender, State};
use crate::tcp::stats::SenderStats;
use base::Time;
use std::sync::Arc;

/// A transfer of fewer segments says little of a path's rate: most of it is the first window.
const LEAST_FOR_RATE: u64 = 10;

/// A variant that was picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// When.
    pub at: Time,
    /// The place of what was picked among the policy's alternatives.
    pub alternative: usize,
    /// The rule that held, by its place; `None`: the default.
    pub rule: Option<usize>,
    /// What led to it.
    pub measured: Measured,
}

/// What a sender that picks its variant has beside.
#[derive(Clone, Debug)]
pub struct Chooser {
    policy: Arc<Policy>,
    current: usize,
    memory: PathMemory,
    /// What the path's memory was told of.
    told: SenderStats,
    /// When the transfer that goes on began, and with which byte.
    began: Option<(Time, u64)>,
    news: Option<News>,
    made: Vec<Choice>,
}

impl Sender {
    /// A closed end that picks its variant by `policy`; it opens with the default.
    pub fn choosing(policy: Arc<Policy>) -> Sender {
        let current = policy.default;
        let chooser = Chooser {
            memory: PathMemory::default(),
            told: SenderStats::default(),
            began: None,
            news: None,
            made: Vec::new(),
            current,
            policy: policy.clone(),
        };
        let sender = Sender::new(&policy.alternatives[current].config);
        Sender { chooser: Some(Box::new(chooser)), ..sender }
    }

    /// True where it picks its variant.
    pub fn chooses(&self) -> bool {
        self.chooser.is_some()
    }

    /// Takes over what its host remembers of the path; in a sender without a policy it does nothing.
    pub fn recall(&mut self, memory: &PathMemory) {
        if let Some(chooser) = &mut self.chooser {
            chooser.memory = *memory;
        }
    }

    /// What it has measured and its host was not told, where a transfer has ended since.
    #[inline]
    pub fn take_news(&mut self) -> Option<News> {
        self.chooser.as_mut()?.news.take()
    }

    /// What it has measured and its host was not told, in the middle of a transfer too.
    pub fn report(&mut self, now: Time) -> Option<News> {
        self.measure(now);
        self.take_news()
    }

    /// What it has picked; the first call after a pick tells of it, and no other.
    pub fn take_choices(&mut self) -> Vec<Choice> {
        self.chooser.as_mut().map(|chooser| std::mem::take(&mut chooser.made)).unwrap_or_default()
    }

    /// What it has picked and nobody has taken.
    pub fn choices(&self) -> &[Choice] {
        self.chooser.as_ref().map_or(&[], |chooser| &chooser.made)
    }

    /// Asks the policy, where nothing is in flight and no loss is being repaired.
    pub(in crate::tcp) fn choose(&mut self, now: Time) {
        let idle = self.una == self.max && self.state == State::Established;
        if self.chooser.is_none() || !idle || self.phase() != Phase::Open {
            return;
        }
        let Some(mut chooser) = self.chooser.take() else { return };
        let own = (self.rtt.srtt(), self.rtt.min_rtt());
        let policy = chooser.policy.clone();
        let measured = chooser.memory.measured(now, own, policy.forget_after);
        let (rule, alternative) = policy.pick(&measured);
        if alternative != chooser.current {
            self.become_other(&policy, alternative);
            chooser.current = alternative;
        }
        chooser.began = Some((now, self.una));
        // One that was made before anything could be sent by it is no choice.
        if chooser.made.last().is_some_and(|last| last.at == now) {
            chooser.made.pop();
        }
        chooser.made.push(Choice { at: now, alternative, rule, measured });
        self.chooser = Some(chooser);
    }

    /// All that was sent is acknowledged.
    pub(in crate::tcp) fn note_pause(&mut self, now: Time) {
        if self.chooser.is_some() && self.una == self.max {
            self.measure(now);
        }
    }

    /// Takes into memory what was measured since it was last done.
    fn measure(&mut self, now: Time) {
        let Some(chooser) = &mut self.chooser else { return };
        let done = chooser.began.map_or(0, |(_, from)| self.una - from);
        let rate = chooser.began.filter(|_| done >= LEAST_FOR_RATE * self.mss);
        let rate = rate.map(|(since, _)| done as f64 * 8.0 / now.since(since).as_secs());
        if self.una == self.max {
            chooser.began = None;
        }
        let SenderStats { segments_sent, retransmits, timeouts, .. } = self.stats;
        if segments_sent == chooser.told.segments_sent {
            return;
        }
        let reordering = self.by_board.then_some(self.sack.reordering);
        let news = News {
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            sent: segments_sent - chooser.told.segments_sent,
            resent: retransmits - chooser.told.retransmits,
            timeouts: timeouts - chooser.told.timeouts,
            rate: rate.filter(|rate| rate.is_finite()),
            reordering,
        };
        chooser.told = self.stats;
        chooser.memory.merge(now, &news, chooser.policy.forget_after);
        let mut untold = chooser.news.take().unwrap_or_default();
        untold.add(&news);
        chooser.news = Some(untold);
    }

    /// Goes on with another recovery and law, with nothing in flight.
    ///
    /// What is of the connection stays: sequence numbers, both windows (cwnd, the slow-start threshold, the receiver's),
    /// round-trip times and timeout, clocks, counts, marks, what the application has offered. What is of a recovery or a
    /// law begins anew: scoreboard, rate sampler, the law's memory, HyStart, undo. Before any data the window is the
    /// picked variant's first one, unless a SYN was lost.
    fn become_other(&mut self, policy: &Policy, alternative: usize) {
        let config = &policy.alternatives[alternative].config;
        let law = AnyLaw::new(config.law, &config.law_options);
        let mut fresh = Sender::with_law(config, law);
        std::mem::swap(self, &mut fresh);
        let old = fresh;
        (self.una, self.nxt, self.max) = (old.una, old.nxt, old.max);
        (self.limit, self.edge, self.recover) = (old.limit, old.edge, old.recover);
        if old.max > FIRST_DATA || old.stats.timeouts > 0 {
            (self.window.cwnd, self.window.ssthresh) = (old.window.cwnd, old.window.ssthresh);
        }
        (self.last_loss, self.timed_out_at, self.round_end) =
            (old.last_loss, old.timed_out_at, old.round_end);
        (self.mss, self.per_mss) = (old.mss, old.per_mss);
        (self.rtt, self.timer, self.alarms, self.next_send) =
            (old.rtt, old.timer, old.alarms, old.next_send);
        (self.stats, self.persist_tries, self.delivery_rate) =
            (old.stats, old.persist_tries, old.delivery_rate);
        (self.clock, self.peer_clock, self.echoed) = (old.clock, old.peer_clock, old.echoed);
        (self.mark_point, self.answer_mark) = (old.mark_point, old.answer_mark);
        (self.closing, self.passive, self.state) = (old.closing, old.passive, old.state);
        (self.last_window, self.last_sent) = (old.last_window, old.last_sent);
        self.sack.reordering = self.sack.reordering.max(old.sack.reordering);
    }
}
