//! The shaper: a clock that each packet moves on by its size over the bandwidth, so that there are no bursts; and a clock for
//! each tin, which says whether it keeps to its share.

use base::{Rate, Time};

/// The choices of `framing`.
pub(super) const FRAMINGS: &[&str] = &["none", "ptm", "atm"];

/// Size of a packet on the link behind, where the bandwidth is counted (tc-cake, overhead compensation).
#[derive(Clone, Copy, Debug)]
pub(super) struct Framing {
    /// Bytes that it adds.
    pub overhead: u64,
    /// The least size, these included.
    pub least: u64,
    /// The place of its kind in [`FRAMINGS`].
    pub kind: usize,
}

impl Framing {
    /// Bytes of a packet there.
    pub fn bytes(self, network_layer: u32) -> u64 {
        let bytes = (u64::from(network_layer) + self.overhead).max(self.least);
        match self.kind {
            // PTM: a byte of each 65 is for synchronization.
            1 => bytes + bytes.div_ceil(64),
            // ATM: cells of 53 bytes with 48 of payload.
            2 => bytes.div_ceil(48) * 53,
            _ => bytes,
        }
    }
}

/// The clock of all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shaper {
    rate: Rate,
    framing: Framing,
    /// Time from which the next packet may go.
    opens: Time,
}

impl Shaper {
    /// One that has never sent.
    pub fn new(rate: Rate, framing: Framing) -> Shaper {
        Shaper { rate, framing, opens: Time::ZERO }
    }

    /// Time from which the next packet may go.
    pub fn opens(&self) -> Time {
        self.opens
    }

    /// A packet comes, and nothing waits: what was not used is lost.
    pub fn wake(&mut self, now: Time) {
        self.opens = self.opens.max(now);
    }

    /// A packet leaves: its bytes on the link. A device that asks late may catch up while packets wait.
    pub fn advance(&mut self, network_layer: u32) -> u64 {
        let bytes = self.framing.bytes(network_layer);
        self.opens += self.rate.time_for_bits(8 * bytes);
        bytes
    }
}

/// The clock of a tin: where it is not ahead of now, the tin keeps to its share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    rate: Rate,
    pub due: Time,
}

impl Clock {
    pub fn new(rate: Rate) -> Clock {
        Clock { rate, due: Time::ZERO }
    }

    /// A packet comes, and nothing waits in the tin.
    pub fn wake(&mut self, now: Time) {
        self.due = self.due.max(now);
    }

    /// So many bytes leave. A tin that sends beyond its share, because others have nothing, is behind by no more than these.
    pub fn advance(&mut self, now: Time, bytes: u64) {
        let took = self.rate.time_for_bits(8 * bytes);
        self.due = if self.due < now { self.due + took } else { self.due.max(now + took) };
    }
}
