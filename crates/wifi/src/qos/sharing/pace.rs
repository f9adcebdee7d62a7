//! How long packets take on the air, as mac80211 estimates it (Linux 6.12, net/mac80211/airtime.c).

use base::{Rate, Span};

/// The least that a packet is held to take.
const LEAST: Span = Span::micros(4);

/// How long packets for a receiver take on the air, and how much of them goes in one PPDU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// 1024 bytes, without preamble: not of whole symbols, which many packets share.
    pub kib: Span,
    /// The preamble.
    pub preamble: Span,
    /// The most bytes of an aggregate.
    pub most: u64,
    /// The packets go in aggregates.
    pub aggregates: bool,
    /// Those of 802.11ax, which are longer.
    pub is_he: bool,
}

impl Pace {
    /// The duration of 1024 bytes at a rate.
    pub fn kib_at(rate: Rate) -> Span {
        Span(8 * 1024 * 1_000_000_000 / rate.0.max(1))
    }

    /// What a packet is held to take. In an aggregate it shares a preamble with as many others as are usual at its rate.
    pub fn estimate(&self, bytes: u32) -> Span {
        let shift = match self.kib.0 / 1000 {
            _ if !self.aggregates => 0,
            401.. => 1,
            251.. => 2,
            151.. => 3,
            71.. => 4,
            21.. => 5,
            _ => 5 + u32::from(self.is_he),
        };
        Span(self.kib.0 * u64::from(bytes) / 1024 + (self.preamble.0 >> shift)).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `MCS_N_KSYMS` rounds to a 1024th of a symbol; a symbol of 802.11ax with 80 MHz, two streams and MCS 7 holds 9,800 bits and
    /// takes 13.6 us.
    #[test]
    fn packets_take_parts_of_symbols() {
        let kib = Pace::kib_at(Rate(9800 * 1_000_000_000 / 13_600));
        assert_eq!(kib, Span(11_368));
        let preamble = Span::micros(44);
        let of = |aggregates, is_he| Pace { kib, preamble, most: 0, aggregates, is_he };
        assert_eq!(of(true, true).estimate(1536), Span(11_368 * 3 / 2 + (44_000 >> 6)));
        assert_eq!(of(true, false).estimate(1536), Span(11_368 * 3 / 2 + (44_000 >> 5)));
        assert_eq!(of(false, true).estimate(1536), Span(11_368 * 3 / 2 + 44_000));
        assert_eq!(of(true, true).estimate(100), LEAST);
    }
}
