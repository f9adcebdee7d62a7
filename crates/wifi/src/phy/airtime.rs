//! Duration of a frame: preamble and header, then bits or symbols, then silence that still counts.

use super::ldpc::{Ldpc, Words};
use base::{Rate, Span};

/// The duration of frames of one mode, as a function of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Airtime {
    /// PLCP preamble and header.
    pub preamble: Span,
    /// Encoding of the PSDU.
    pub payload: Payload,
    /// Silence behind the payload that counts as part of the frame (aSignalExtension, 802.11-2020, 18.5.3).
    pub extension: Span,
}

/// Encoding of a PSDU in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Bits at a rate; the sum rounds up to a multiple of `granule`.
    Bits {
        /// Bit rate.
        rate: Rate,
        /// Rounding: 1 us with HR/DSSS (802.11-2020, 16.3.4), 1 ns where none is wanted.
        granule: Span,
    },
    /// Whole symbols (802.11-2020, 17.4.3).
    Symbols {
        /// Data bits of a symbol (N_DBPS).
        bits: u32,
        /// Duration of a symbol, guard interval included.
        symbol: Span,
        /// SERVICE and tail bits: 16 + 6 with one encoder.
        overhead_bits: u32,
        /// The symbols' sum rounds up to a multiple of this (short guard interval, 802.11-2020, 19.4.3).
        granule: Option<Span>,
    },
    /// Whole symbols behind low-density parity-check codes.
    Ldpc(Ldpc),
}

impl Airtime {
    /// Bits at a rate behind a preamble, rounded up to a nanosecond only: what ns-2 does, and any custom PHY.
    pub const fn plain(preamble: Span, rate: Rate) -> Airtime {
        let payload = Payload::Bits { rate, granule: Span(1) };
        Airtime { preamble, payload, extension: Span::ZERO }
    }

    /// A frame whose PSDU has `bits`, whole.
    #[inline]
    pub fn of_bits(&self, bits: u64) -> Span {
        self.preamble + self.payload.of_bits(bits) + self.extension
    }

    /// The most bytes of a PSDU in a frame that lasts no longer than `limit`.
    pub fn most_bytes(&self, limit: Span) -> u64 {
        let left = Span(limit.0.saturating_sub(self.preamble.0 + self.extension.0));
        self.payload.most_bits(left) / 8
    }

    /// A frame whose PSDU has `bytes`, whole.
    pub fn of_bytes(&self, bytes: u32) -> Span {
        self.of_bits(u64::from(bytes) * 8)
    }
}

impl Payload {
    /// The part of a frame that carries a PSDU of `bits`.
    #[inline]
    pub fn of_bits(&self, bits: u64) -> Span {
        match *self {
            // One division: bits / (rate x granule), in granules.
            Payload::Bits { rate, granule } => {
                granule * (bits * 1_000_000_000).div_ceil(rate.0 * granule.0)
            }
            Payload::Symbols { bits: per_symbol, symbol, overhead_bits, granule } => {
                let symbols = (bits + u64::from(overhead_bits)).div_ceil(u64::from(per_symbol));
                let sum = symbol * symbols;
                granule.map_or(sum, |granule| granule * sum.0.div_ceil(granule.0))
            }
            Payload::Ldpc(code) => code.of_bits(bits),
        }
    }

    /// The most bits whose part of a frame lasts no longer than `limit`.
    fn most_bits(&self, limit: Span) -> u64 {
        match *self {
            Payload::Bits { rate, granule } => {
                limit.0 / granule.0 * granule.0 * rate.0 / 1_000_000_000
            }
            Payload::Symbols { bits, symbol, overhead_bits, granule } => {
                let limit = granule.map_or(limit.0, |granule| limit.0 / granule.0 * granule.0);
                (limit / symbol.0 * u64::from(bits)).saturating_sub(u64::from(overhead_bits))
            }
            Payload::Ldpc(code) => code.most_bits(limit),
        }
    }

    /// The code words of a PSDU of `bits`, where low-density parity-check codes make them.
    pub fn words(&self, bits: u64) -> Option<Words> {
        match self {
            Payload::Ldpc(code) => Some(code.words(bits)),
            Payload::Bits { .. } | Payload::Symbols { .. } => None,
        }
    }

    /// Bits of data a second while the payload lasts, rounded down.
    pub fn rate(&self) -> Rate {
        match *self {
            Payload::Bits { rate, .. } => rate,
            Payload::Symbols { bits, symbol, .. } => {
                Rate(u64::from(bits) * 1_000_000_000 / symbol.0)
            }
            Payload::Ldpc(code) => Rate(u64::from(code.bits()) * 1_000_000_000 / code.symbol.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_whole() {
        let payload = Payload::Symbols {
            bits: 216,
            symbol: Span::micros(4),
            overhead_bits: 22,
            granule: None,
        };
        assert_eq!(payload.of_bits(216 - 22), Span::micros(4));
        assert_eq!(payload.of_bits(216 - 21), Span::micros(8));
        assert_eq!(payload.rate(), Rate(54_000_000));
    }

    /// What fits lasts no longer, and one byte more does.
    #[test]
    fn the_most_bytes_are_those_that_fit() {
        let symbols = |granule| Payload::Symbols {
            bits: 260,
            symbol: Span(3_600),
            overhead_bits: 22,
            granule,
        };
        let bits = Payload::Bits { rate: Rate(5_500_000), granule: Span::micros(1) };
        for payload in [symbols(None), symbols(Some(Span::micros(4))), bits] {
            let airtime =
                Airtime { preamble: Span::micros(20), payload, extension: Span::micros(6) };
            for limit in [Span(27_000), Span::micros(100), Span(1_234_567), Span::micros(5484)] {
                let most = airtime.most_bytes(limit) as u32;
                assert!(most == 0 || airtime.of_bytes(most) <= limit, "{payload:?} {limit:?}");
                assert!(airtime.of_bytes(most + 1) > limit, "{payload:?} {limit:?}");
            }
        }
    }

    #[test]
    fn bits_round_up_to_their_granule() {
        let rate = Rate(11_000_000);
        // 8 bits take 727.3 ns.
        let to = |granule| Payload::Bits { rate, granule }.of_bits(8);
        assert_eq!(to(Span(1)), Span(728));
        assert_eq!(to(Span::micros(1)), Span::micros(1));
        assert_eq!(to(Span(1)), rate.time_for_bits(8));
    }
}
