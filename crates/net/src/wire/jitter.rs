//! Delays of a packet's own on a link, and packets that overtake others by them.

use super::told::Landed;
use base::{PacketId, Rng, Span, Time, named};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

named! {
    /// The law of the delay that each packet has in addition.
    pub enum JitterLaw, "law of jitter" {
        Uniform = "uniform": "from zero to `jitter`, all alike",
        Exponential = "exponential": "`jitter` on average, without a limit",
    }
}

/// A delay of each packet's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JitterConfig {
    /// Its law.
    pub law: JitterLaw,
    /// The most, or the mean.
    pub size: Span,
    /// Packets may overtake others; otherwise one that would waits for those before it.
    pub overtakes: bool,
}

impl JitterConfig {
    pub(super) fn draw(&self, rng: &mut Rng) -> Span {
        let part = match self.law {
            JitterLaw::Uniform => rng.unit(),
            JitterLaw::Exponential => rng.exp1(),
        };
        Span((self.size.0 as f64 * part) as u64)
    }
}

/// A late packet: when it arrives, its number in the order of sending, and its fate.
type Stray = (Time, u64, Landed);

/// Packets that are late on their own: out of the order in which they were sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Strays {
    /// By packet in flight: how much later it is than the least delay.
    late: VecDeque<Span>,
    /// By arrival and the order of sending.
    strays: BinaryHeap<Reverse<Stray>>,
    numbered: u64,
    /// When the link's entry in the agenda is due.
    due: Option<Time>,
}

impl Strays {
    /// A packet is sent that will be so late.
    pub fn send(&mut self, late: Span) {
        self.late.push_back(late);
    }

    /// The lateness of the packet sent last.
    pub fn last(&self) -> Span {
        self.late.back().copied().unwrap_or(Span::ZERO)
    }

    /// The first of those in flight would be there now, were it not late: true where it is.
    pub fn stray(&mut self, now: Time, fate: Landed) -> bool {
        let late = self.late.pop_front().unwrap_or(Span::ZERO);
        if late == Span::ZERO {
            return false;
        }
        self.strays.push(Reverse((now + late, self.numbered, fate)));
        self.numbered += 1;
        true
    }

    /// The stray that arrives next, and when.
    pub fn next(&self) -> Option<(Time, PacketId)> {
        self.strays.peek().map(|Reverse((at, _, Ok(id) | Err(id)))| (*at, *id))
    }

    /// The stray that arrives at `now` (`Err` where it was lost).
    pub fn arrive(&mut self, now: Time) -> Option<Landed> {
        let Reverse((at, ..)) = self.strays.peek()?;
        if *at > now {
            return None;
        }
        self.strays.pop().map(|Reverse((_, _, fate))| fate)
    }

    /// True where the agenda has to be told of an arrival at `at`: it has none, or a later one.
    pub fn announces(&mut self, at: Time) -> bool {
        let is_first = self.due.is_none_or(|due| at < due);
        if is_first {
            self.due = Some(at);
        }
        is_first
    }

    /// True where what the agenda says at `now` still holds.
    pub fn is_due(&mut self, now: Time) -> bool {
        let is_due = self.due == Some(now);
        if is_due {
            self.due = None;
        }
        is_due
    }
}
