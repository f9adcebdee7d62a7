//! OFDM (802.11a, clause 17) and ERP-OFDM (802.11g, clause 18): eight rates, and rates outside the set.

use super::airtime::{Airtime, Payload};
use base::{Rate, Span};
use radio::{BitCode, CodeRate, Constellation, Modulation};

/// SERVICE (16 bits) and tail (6 bits) (802.11-2020, 17.3.5.2 and 17.3.5.3).
const OVERHEAD_BITS: u32 = 22;

/// Data bits of a symbol (N_DBPS), constellation and code rate (802.11-2020, Table 17-4).
const RATES: [(u32, Constellation, CodeRate); 8] = [
    (24, Constellation::Bpsk, CodeRate::Half),
    (36, Constellation::Bpsk, CodeRate::ThreeQuarters),
    (48, Constellation::Qpsk, CodeRate::Half),
    (72, Constellation::Qpsk, CodeRate::ThreeQuarters),
    (96, Constellation::Qam16, CodeRate::Half),
    (144, Constellation::Qam16, CodeRate::ThreeQuarters),
    (192, Constellation::Qam64, CodeRate::TwoThirds),
    (216, Constellation::Qam64, CodeRate::ThreeQuarters),
];

/// Channel spacing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 20 MHz: 6 to 54 Mbit/s, symbols of 4 us.
    Mhz20,
    /// 10 MHz: 3 to 27 Mbit/s, symbols of 8 us.
    Mhz10,
    /// 5 MHz: 1.5 to 13.5 Mbit/s, symbols of 16 us.
    Mhz5,
}

/// Clause of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfdmKind {
    /// 802.11a (clause 17).
    Ofdm,
    /// 802.11g (clause 18): a signal extension of 6 us.
    Erp,
}

/// An OFDM or ERP-OFDM mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ofdm {
    bits_per_symbol: u32,
    width: Width,
    kind: OfdmKind,
}

impl Width {
    /// Factor by which all durations exceed those at 20 MHz.
    pub const fn slowdown(self) -> u64 {
        match self {
            Width::Mhz20 => 1,
            Width::Mhz10 => 2,
            Width::Mhz5 => 4,
        }
    }

    /// Duration of a symbol with its guard interval (802.11-2020, Table 17-5).
    pub const fn symbol(self) -> Span {
        Span::micros(4 * self.slowdown())
    }
}

impl Ofdm {
    /// A rate of the standard's set at this width; `None` where it is in no such set. ERP-OFDM is 20 MHz wide.
    pub fn new(kind: OfdmKind, rate: Rate, width: Width) -> Option<Ofdm> {
        let mode = Ofdm::outside_standard(kind, rate, width)?;
        let narrow_erp = kind == OfdmKind::Erp && width != Width::Mhz20;
        (mode.is_standard() && mode.rate() == rate && !narrow_erp).then_some(mode)
    }

    /// Any rate, as if the standard had it: a symbol carries rate x symbol time of data, rounded down to whole bits
    /// (20 Mbit/s: 80 bits in 4 us), so a frame is never faster than asked for. SERVICE, tail, preamble and
    /// extension are as ever; bit errors are those of the slowest standard rate that is not slower (20: that of 24).
    /// `None` where a symbol would carry no bit.
    pub fn outside_standard(kind: OfdmKind, rate: Rate, width: Width) -> Option<Ofdm> {
        let bits = u128::from(rate.0) * u128::from(width.symbol().0) / 1_000_000_000;
        let bits_per_symbol = u32::try_from(bits).ok().filter(|&bits| bits > 0)?;
        Some(Ofdm { bits_per_symbol, width, kind })
    }

    /// The standard's modes, slowest first.
    pub fn all(kind: OfdmKind, width: Width) -> [Ofdm; 8] {
        RATES.map(|(bits_per_symbol, _, _)| Ofdm { bits_per_symbol, width, kind })
    }

    /// True where the rate is of the standard's set.
    pub fn is_standard(self) -> bool {
        RATES.iter().any(|row| row.0 == self.bits_per_symbol)
    }

    /// Clause of the standard.
    pub fn kind(self) -> OfdmKind {
        self.kind
    }

    /// Channel spacing.
    pub fn width(self) -> Width {
        self.width
    }

    /// Bit rate.
    pub fn rate(self) -> Rate {
        self.payload().rate()
    }

    /// TXTIME (802.11-2020, 17.4.3 and 18.5.3.2): 16 us of training and 4 us of SIGNAL at 20 MHz, then symbols.
    pub fn airtime(self) -> Airtime {
        let extension = match self.kind {
            OfdmKind::Ofdm => Span::ZERO,
            OfdmKind::Erp => Span::micros(6),
        };
        let preamble = Span::micros(20 * self.width.slowdown());
        Airtime { preamble, payload: self.payload(), extension }
    }

    /// Constellation and code.
    pub fn modulation(self) -> Modulation {
        let covers = |row: &&(u32, Constellation, CodeRate)| row.0 >= self.bits_per_symbol;
        let (_, constellation, code) = *RATES.iter().find(covers).unwrap_or(&RATES[7]);
        Modulation::Ofdm { constellation, code: BitCode::convolutional(code) }
    }

    fn payload(self) -> Payload {
        Payload::Symbols {
            bits: self.bits_per_symbol,
            symbol: self.width.symbol(),
            overhead_bits: OVERHEAD_BITS,
            granule: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mbps(kind: OfdmKind, mbps: u64) -> Ofdm {
        Ofdm::new(kind, Rate(mbps * 1_000_000), Width::Mhz20).expect("a rate of the set")
    }

    /// 802.11-2020, 17.4.3: ceil((16 + 8 x 1536 + 6) / 216) = 57 symbols of 4 us behind 20 us.
    #[test]
    fn a_frame_at_54_megabits_is_57_symbols() {
        assert_eq!(mbps(OfdmKind::Ofdm, 54).airtime().of_bytes(1536), Span::micros(248));
        assert_eq!(mbps(OfdmKind::Erp, 54).airtime().of_bytes(1536), Span::micros(254));
        assert_eq!(mbps(OfdmKind::Ofdm, 24).airtime().of_bytes(14), Span::micros(28));
        assert_eq!(mbps(OfdmKind::Ofdm, 6).airtime().of_bytes(14), Span::micros(44));
    }

    #[test]
    fn narrow_channels_stretch_everything() {
        let full = mbps(OfdmKind::Ofdm, 54).airtime().of_bytes(100);
        let half = Ofdm::new(OfdmKind::Ofdm, Rate(27_000_000), Width::Mhz10).unwrap();
        let quarter = Ofdm::new(OfdmKind::Ofdm, Rate(13_500_000), Width::Mhz5).unwrap();
        assert_eq!(half.airtime().of_bytes(100), full * 2);
        assert_eq!(quarter.airtime().of_bytes(100), full * 4);
    }

    /// janevski2011 limits 802.11g to 20 Mbit/s: 80 bits in a symbol.
    #[test]
    fn a_rate_outside_the_set_fills_its_symbols_at_that_rate() {
        let rate = Rate(20_000_000);
        assert_eq!(Ofdm::new(OfdmKind::Erp, rate, Width::Mhz20), None);
        let mode = Ofdm::outside_standard(OfdmKind::Erp, rate, Width::Mhz20).unwrap();
        assert!(!mode.is_standard());
        assert_eq!(mode.rate(), rate);
        // ceil((22 + 8 x 500) / 80) = 51 symbols.
        assert_eq!(mode.airtime().of_bytes(500), Span::micros(20 + 51 * 4 + 6));
        assert_eq!(mode.modulation(), mbps(OfdmKind::Erp, 24).modulation());
    }
}
