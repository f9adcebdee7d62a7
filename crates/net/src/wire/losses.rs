//! What a link loses, beside packets for which its queue has no room. Most links have none of it.

use super::config::{LossPlace, WireConfig};
use super::unsteady::Unsteady;
use crate::{Bursts, DropList, DropReason, RandomLoss};
use base::{FlowId, Purpose, Seed, Time};

/// A link's losses.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    random: RandomLoss,
    place: LossPlace,
    bursts: Option<Bursts>,
    drop_lists: Vec<DropList>,
}

impl Losses {
    /// Those of the `number`-th link; nothing where it can never have any.
    pub fn new(config: &WireConfig, seed: Seed, number: u64) -> Option<Losses> {
        let at_random = config.loss > 0.0 || config.course.is_some();
        if !at_random && config.bursts.is_none() && config.drop_lists.is_empty() {
            return None;
        }
        let random = RandomLoss { p: config.loss, rng: seed.stream(Purpose::LinkLoss, number) };
        let bursts = config
            .bursts
            .map(|bursts| Bursts::new(bursts, seed.stream(Purpose::LinkBursts, number)));
        let drop_lists = config.drop_lists.clone();
        Some(Losses { random, place: config.loss_place, bursts, drop_lists })
    }

    /// A packet of `flow` comes: whether it will be lost after it was sent.
    ///
    /// # Errors
    /// Why it is lost before that.
    pub fn enter(
        &mut self,
        now: Time,
        flow: FlowId,
        unsteady: &mut Option<Box<Unsteady>>,
    ) -> Result<bool, DropReason> {
        if self.drop_lists.iter_mut().any(|list| list.drops(flow)) {
            return Err(DropReason::DropList);
        }
        if let Some(p) = unsteady.as_mut().and_then(|unsteady| unsteady.loss(now)) {
            self.random.p = p;
        }
        let lost = self.random.loses();
        if lost && self.place == LossPlace::Entering {
            return Err(DropReason::WireLoss);
        }
        Ok(lost)
    }

    /// True where a burst strikes a packet of `bytes` that is sent from `start` on.
    pub fn strike(&mut self, start: Time, bytes: u32) -> bool {
        self.bursts.as_mut().is_some_and(|bursts| bursts.loses(start, bytes))
    }
}
