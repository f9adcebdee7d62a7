//! Picks the variant of a sender, and changes it.

use super::{Sender, State};
use crate::tcp::auto::{Choice, Chooser, News, PathMemory, Policy};
use crate::tcp::losses::Phase;
use crate::tcp::repair::Repair;
use base::Time;
use std::sync::Arc;

impl Sender {
    /// A closed end that picks its variant by `policy`; it opens with the default.
    pub fn choosing(policy: Arc<Policy>) -> Sender {
        let sender = Sender::new(&policy.alternatives[policy.default].config);
        Sender { chooser: Some(Box::new(Chooser::new(policy))), ..sender }
    }

    /// True where it picks its variant.
    pub fn chooses(&self) -> bool {
        self.chooser.is_some()
    }

    /// Takes over what its host remembers of the path; in a sender without a policy it does nothing.
    pub fn recall(&mut self, memory: &PathMemory) {
        if let Some(chooser) = &mut self.chooser {
            chooser.recall(memory);
        }
    }

    /// Returns measurements that its host does not have yet, where a transfer has ended since.
    pub fn take_news(&mut self) -> Option<News> {
        self.chooser.as_mut()?.take_news()
    }

    /// Returns measurements that its host does not have yet, in the middle of a transfer too.
    pub fn report(&mut self, now: Time) -> Option<News> {
        let chooser = self.chooser.as_mut()?;
        chooser.measure(now, &self.tcb);
        chooser.take_news()
    }

    /// Takes the choices; the first call after a pick returns it, and no other.
    pub fn take_choices(&mut self) -> Vec<Choice> {
        self.chooser.as_mut().map(|chooser| chooser.take_choices()).unwrap_or_default()
    }

    /// Returns the choices that have not been taken.
    pub fn choices(&self) -> &[Choice] {
        self.chooser.as_ref().map_or(&[], |chooser| chooser.choices())
    }

    /// Asks the policy, where nothing is in flight and no loss is being repaired.
    pub(super) fn choose(&mut self, now: Time) {
        let Some(chooser) = &mut self.chooser else { return };
        let idle = self.tcb.seq.is_idle() && self.state == State::Established;
        if !idle || self.repair.phase(&self.tcb) != Phase::Open {
            return;
        }
        if let Some(config) = chooser.choose(now, &self.tcb) {
            // What is of a recovery begins anew: scoreboard, rate sampler, undo.
            self.tcb.become_other(config);
            self.repair = Repair::new(&self.tcb.law, config);
        }
    }

    /// All that was sent is acknowledged.
    #[inline]
    pub(super) fn note_pause(&mut self, now: Time) {
        if let Some(chooser) = self.chooser.as_mut().filter(|_| self.tcb.seq.is_idle()) {
            chooser.measure(now, &self.tcb);
        }
    }
}
