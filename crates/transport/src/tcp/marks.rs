//! The sender's side of explicit congestion notification (RFC 3168 section 6.1).

use net::{Flags, Segment};

/// The marks that were echoed, and those that are answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// The acknowledgement at hand echoes a mark.
    echoed: bool,
    /// Marks echoed up to here are answered.
    point: u64,
    /// The next new segment says that the window was reduced.
    answer: bool,
}

impl Marks {
    pub fn echoed(&self) -> bool {
        self.echoed
    }

    /// Looks for the echo of a mark; true where it is the first in this round trip, of which `max` is the end: then the
    /// window is to be cut (section 6.1.2).
    #[inline]
    pub fn on_ack(&mut self, segment: &Segment, max: u64) -> bool {
        self.echoed = segment.flags.has(Flags::ECE);
        let first = self.echoed && segment.ack > self.point;
        if first {
            (self.point, self.answer) = (max, true);
        }
        first
    }

    /// The acknowledgement at hand is answered.
    pub fn end_echo(&mut self) {
        self.echoed = false;
    }

    /// True where a new segment is to carry the answer; it does then.
    pub fn take_answer(&mut self) -> bool {
        std::mem::take(&mut self.answer)
    }
}
