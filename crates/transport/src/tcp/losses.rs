//! The memory of losses, for any repair.

use super::window::Loss;

/// The phase of the sender between losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No loss is known.
    Open,
    /// Losses that acknowledgements told of are repaired.
    Recovery,
    /// Everything is sent again, after a timeout, or with Tahoe after any loss.
    Loss,
}

/// The last loss.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Losses {
    /// The highest number sent when it was noticed, and one: RFC 6582's "recover" is one less.
    recover: u64,
    /// The signal of the last loss.
    last: Option<Loss>,
    /// SND.UNA at the last timeout.
    timed_out_at: Option<u64>,
    /// Bytes of new data that limited transmit sent since the last new acknowledgement.
    limited: u64,
}

impl Losses {
    /// One past what was out at the last loss.
    pub fn recover(&self) -> u64 {
        self.recover
    }

    pub fn last(&self) -> Option<Loss> {
        self.last
    }

    /// The timer expired for this segment before.
    pub fn has_timed_out(&self, una: u64) -> bool {
        self.timed_out_at == Some(una)
    }

    pub fn limited(&self) -> u64 {
        self.limited
    }

    /// Something is lost between `una` and `max`.
    pub fn on_loss(&mut self, why: Loss, una: u64, max: u64) {
        (self.recover, self.last) = (max, Some(why));
        if why == Loss::Timeout {
            self.timed_out_at = Some(una);
        }
    }

    /// Only what is sent from `from` on can be lost anew.
    pub fn repaired_to(&mut self, from: u64) {
        self.recover = from;
    }

    /// Forgets the signal of the last loss.
    pub fn forget_last(&mut self) {
        self.last = None;
    }

    /// Limited transmit sends `bytes`.
    pub fn note_limited(&mut self, bytes: u64) {
        self.limited += bytes;
    }

    /// New data are acknowledged: limited transmit begins anew.
    pub fn end_limited(&mut self) {
        self.limited = 0;
    }
}
