//! How long packets take on the air, as mac80211 estimates it.

use base::Span;

/// How long packets for a receiver take on the air, and how much of them goes in one PPDU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// 1024 bytes, without preamble.
    pub kib: Span,
    /// The preamble.
    pub preamble: Span,
    /// The most bytes of an aggregate.
    pub most: u64,
    /// The packets go in aggregates.
    pub aggregates: bool,
}

impl Pace {
    /// What a packet is held to take. In an aggregate it shares a preamble with as many others as are usual at its rate.
    pub fn estimate(&self, bytes: u32) -> Span {
        let shift = match self.kib.0 / 1000 {
            _ if !self.aggregates => 0,
            401.. => 1,
            251.. => 2,
            151.. => 3,
            71.. => 4,
            21.. => 5,
            _ => 6,
        };
        Span(self.kib.0 * u64::from(bytes) / 1024 + (self.preamble.0 >> shift))
    }
}
