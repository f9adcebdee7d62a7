//! How long packets take on the air, as mac80211 estimates it (Linux 6.12, net/mac80211/airtime.c).

use base::{Rate, Span};

/// Preamble and header of OFDM.
const OFDM_PLCP: Span = Span::micros(20);

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
    /// The rate is one of before 802.11n: whole microseconds count.
    pub is_older: bool,
}

impl Pace {
    /// The duration of 1024 bytes at a rate.
    pub fn kib_at(rate: Rate) -> Span {
        Span(8 * 1024 * 1_000_000_000 / rate.0.max(1))
    }

    /// At a rate of before 802.11n, with this preamble: `ieee80211_calc_legacy_rate_duration`, which counts a SIFS of 10 us with
    /// DSSS and CCK, and of 16 us with OFDM.
    pub fn older(plcp: Span, rate: Rate) -> Pace {
        let sifs = if plcp > OFDM_PLCP { Span::micros(10) } else { Span::micros(16) };
        let kib = Span((8 * 1024 * 1_000_000_000_u64).div_ceil(rate.0.max(1)));
        Pace { kib, preamble: plcp + sifs, is_older: true, ..Pace::default() }
    }

    /// What a packet is held to take. In an aggregate it shares a preamble with as many others as are usual at its rate.
    pub fn estimate(&self, bytes: u32) -> Span {
        if self.is_older {
            // `kib` is rounded up, by so little that no microsecond is gained.
            return self.preamble + Span::micros(self.kib.0 * u64::from(bytes) / 1024 / 1000);
        }
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
        let of = |aggregates, is_he| Pace { kib, preamble, aggregates, is_he, ..Pace::default() };
        assert_eq!(of(true, true).estimate(1536), Span(11_368 * 3 / 2 + (44_000 >> 6)));
        assert_eq!(of(true, false).estimate(1536), Span(11_368 * 3 / 2 + (44_000 >> 5)));
        assert_eq!(of(false, true).estimate(1536), Span(11_368 * 3 / 2 + 44_000));
        assert_eq!(of(true, true).estimate(100), LEAST);
    }

    /// 144 + 48 + 10 us with the long preamble, half of the first two with the short one, 20 + 16 us with OFDM, and then ten times
    /// the bits through the rate in 100 kbit/s, as whole numbers.
    #[test]
    fn older_rates_count_whole_microseconds_and_a_sifs() {
        let plcp = |rate: u64, us| (Span::micros(us), rate);
        let rates = [plcp(10, 192), plcp(20, 96), plcp(55, 192), plcp(110, 192), plcp(110, 96)];
        let rates =
            rates.into_iter().chain([60, 90, 120, 180, 240, 360, 480, 540].map(|r| plcp(r, 20)));
        for (preamble, rate) in rates {
            let pace = Pace::older(preamble, Rate(rate * 100_000));
            for bytes in 1..=2304 {
                let space = if preamble == Span::micros(20) { 16 } else { 10 };
                let linux = preamble + Span::micros(space + u64::from(bytes) * 80 / rate);
                assert_eq!(pace.estimate(bytes), linux, "{rate} {bytes}");
            }
        }
        // A packet of 1500 bytes at 1 Mbit/s: 12.2 ms.
        let slowest = Pace::older(Span::micros(192), Rate(1_000_000));
        assert_eq!(slowest.estimate(1500), Span::micros(12_202));
    }
}
