//! How long packets take on the air, as mac80211 estimates it (Linux 6.12, net/mac80211/airtime.c).

use crate::phy::{Generation, Modern};
use base::{Rate, Span};

/// Preamble and header of OFDM.
const OFDM_PLCP: Span = Span::micros(20);

/// What a packet in an aggregate is held to take at least.
const LEAST: Span = Span::micros(4);

/// Bytes that mac80211 adds to a frame before it estimates: header, preamble, FCS and gap of Ethernet.
const ETHERNET: u32 = 38;

/// The frame check sequence, which a frame does not have yet when its airtime is estimated.
const FCS: u32 = 4;

/// How long packets for a receiver take on the air, and how much of them goes in one PPDU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// The most bytes of an aggregate.
    pub most: u64,
    /// 1024 bytes, without preamble: not of whole symbols, which many packets share.
    kib: Span,
    /// What a packet takes beside its bytes: a part of a preamble.
    overhead: Span,
    least: Span,
    /// Bytes that are added to a packet.
    headers: u32,
}

impl Pace {
    /// At a rate of 802.11n or later (`ieee80211_calc_expected_tx_airtime`), with MPDUs that are longer than their packets by `added`. Of all
    /// categories but voice the estimate holds a packet to share its preamble with as many others as are usual at its rate, whether aggregates
    /// are agreed or not.
    pub fn modern(mode: Modern, rate: Rate, added: u32, is_voice: bool) -> Pace {
        let kib = Span(8 * 1024 * 1_000_000_000 / rate.0.max(1));
        let shift = match kib {
            _ if is_voice => 0,
            _ if kib > Span::micros(400) => 1,
            _ if kib > Span::micros(250) => 2,
            _ if kib > Span::micros(150) => 3,
            _ if kib > Span::micros(70) => 4,
            _ if kib > Span::micros(20) || mode.generation() < Generation::He => 5,
            _ => 6,
        };
        let overhead = Span::micros((36 + 4 * u64::from(mode.streams())) >> shift);
        let least = if is_voice { Span::ZERO } else { LEAST };
        Pace { most: 0, kib, overhead, least, headers: headers(added) }
    }

    /// At a rate of before 802.11n, with this preamble: `ieee80211_calc_legacy_rate_duration`, which counts a SIFS of 10 us with
    /// DSSS and CCK, and of 16 us with OFDM.
    pub fn older(plcp: Span, rate: Rate, added: u32) -> Pace {
        let sifs = if plcp > OFDM_PLCP { Span::micros(10) } else { Span::micros(16) };
        // It is rounded up, by so little that no microsecond is gained.
        let kib = Span((8 * 1024 * 1_000_000_000_u64).div_ceil(rate.0.max(1)));
        Pace { kib, overhead: plcp + sifs, headers: headers(added), ..Pace::default() }
    }

    /// What a packet is held to take, in whole microseconds.
    pub fn estimate(&self, bytes: u32) -> Span {
        let bytes = u64::from(bytes + self.headers);
        (self.overhead + Span::micros(self.kib.0 * bytes / 1024 / 1000)).max(self.least)
    }
}

/// Bytes that are added to a packet whose MPDU is longer by `added`.
fn headers(added: u32) -> u32 {
    added.saturating_sub(FCS) + ETHERNET
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::PreambleRule;

    /// Bytes by which an MPDU of QoS data is longer than its packet.
    const ADDED: u32 = 38;

    fn modern(
        generation: Generation,
        (width, streams): (u16, u8),
        mcs: u8,
        guard: u64,
    ) -> [Pace; 2] {
        let rule = PreambleRule::Standard;
        let mode = Modern::new(generation, mcs, streams, width, Span(guard), rule).expect("a mode");
        [false, true].map(|is_voice| Pace::modern(mode, mode.rate(), ADDED, is_voice))
    }

    /// Microseconds that Linux's tables of durations give for packets of 40, 160 and 1500 bytes, which have 34 bytes of headers and 38 of
    /// Ethernet, in aggregates and in those of voice. Other rows differ by up to 2 %: Linux's bits per symbol are rounded.
    #[test]
    fn packets_take_what_linux_says() {
        let (ht, vht, he) = (Generation::Ht, Generation::Vht, Generation::He);
        for (paces, expected) in [
            (modern(ht, (20, 1), 0, 800), [(157, 177), (305, 325), (1954, 1974)]),
            (modern(ht, (20, 1), 7, 800), [(15, 53), (30, 68), (195, 233)]),
            (modern(ht, (40, 2), 7, 400), [(4, 46), (7, 50), (42, 85)]),
            (modern(vht, (80, 2), 9, 400), [(4, 45), (4, 46), (15, 58)]),
            (modern(vht, (80, 1), 4, 800), [(6, 45), (11, 50), (72, 111)]),
            (modern(he, (80, 2), 7, 800), [(4, 45), (4, 46), (17, 61)]),
            (modern(he, (80, 2), 11, 800), [(4, 44), (4, 45), (10, 54)]),
            (modern(he, (160, 4), 11, 800), [(4, 52), (4, 52), (4, 54)]),
            (modern(he, (40, 1), 3, 1600), [(15, 53), (30, 68), (195, 233)]),
        ] {
            let found = [40, 160, 1500].map(|bytes| paces.map(|pace| pace.estimate(bytes)));
            let expected = expected.map(|(data, voice)| [data, voice].map(Span::micros));
            assert_eq!(found, expected);
        }
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
            let pace = Pace::older(preamble, Rate(rate * 100_000), ADDED);
            for bytes in 1..=2304 {
                let space = if preamble == Span::micros(20) { 16 } else { 10 };
                let length = u64::from(bytes) + 34 + 38;
                let linux = preamble + Span::micros(space + length * 80 / rate);
                assert_eq!(pace.estimate(bytes), linux, "{rate} {bytes}");
            }
        }
        // A packet of 1500 bytes at 1 Mbit/s: 12.8 ms.
        let slowest = Pace::older(Span::micros(192), Rate(1_000_000), ADDED);
        assert_eq!(slowest.estimate(1500), Span::micros(202 + 1572 * 8));
    }
}
