//! DSSS at 1 and 2 Mbit/s and HR/DSSS at 5.5 and 11 Mbit/s (802.11-2020, clauses 15 and 16).

use super::airtime::{Airtime, Payload};
use base::{Rate, Span, named};
use radio::Modulation;

/// The four rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DsssRate {
    /// 1 Mbit/s, DBPSK with the Barker code.
    Mbps1,
    /// 2 Mbit/s, DQPSK with the Barker code.
    Mbps2,
    /// 5.5 Mbit/s, CCK.
    Mbps5_5,
    /// 11 Mbit/s, CCK.
    Mbps11,
}

named! {
    /// The PLCP preamble.
    pub enum Preamble, "preamble" {
            ///
            /// 144 us and a header of 48 us at 1 Mbit/s (802.11-2020, 16.2.2.2).
        Long = "long": "192 us of preamble and header before every frame",
            ///
            /// 72 us and a header of 24 us at 2 Mbit/s (802.11-2020, 16.2.2.3). Frames at 1 Mbit/s have the long one.
        Short = "short": "96 us of preamble and header; frames of 2 Mbps or more",
    }
}

/// A DSSS or HR/DSSS mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dsss {
    /// The rate.
    pub rate: DsssRate,
    /// The preamble asked for.
    pub preamble: Preamble,
}

impl DsssRate {
    /// All, slowest first.
    pub const ALL: [DsssRate; 4] =
        [DsssRate::Mbps1, DsssRate::Mbps2, DsssRate::Mbps5_5, DsssRate::Mbps11];

    /// The one with this bit rate.
    pub fn from_rate(rate: Rate) -> Option<DsssRate> {
        DsssRate::ALL.into_iter().find(|own| own.rate() == rate)
    }

    /// The bit rate.
    pub const fn rate(self) -> Rate {
        Rate(match self {
            DsssRate::Mbps1 => 1_000_000,
            DsssRate::Mbps2 => 2_000_000,
            DsssRate::Mbps5_5 => 5_500_000,
            DsssRate::Mbps11 => 11_000_000,
        })
    }

    /// The modulation.
    pub const fn modulation(self) -> Modulation {
        match self {
            DsssRate::Mbps1 => Modulation::Dbpsk,
            DsssRate::Mbps2 => Modulation::Dqpsk,
            DsssRate::Mbps5_5 => Modulation::Cck5_5,
            DsssRate::Mbps11 => Modulation::Cck11,
        }
    }
}

impl Preamble {
    /// Preamble and PLCP header.
    pub const fn span(self) -> Span {
        match self {
            Preamble::Long => Span::micros(192),
            Preamble::Short => Span::micros(96),
        }
    }

    /// Preamble and PLCP header as bits.
    pub const fn bits(self) -> u32 {
        match self {
            Preamble::Long => 192,
            Preamble::Short => 120,
        }
    }
}

impl Dsss {
    /// The preamble in use: the long one at 1 Mbit/s.
    pub fn preamble(self) -> Preamble {
        if self.rate == DsssRate::Mbps1 { Preamble::Long } else { self.preamble }
    }

    /// TXTIME: whole microseconds (802.11-2020, 16.3.4).
    pub fn airtime(self) -> Airtime {
        let payload = Payload::Bits { rate: self.rate.rate(), granule: Span::micros(1) };
        Airtime { preamble: self.preamble().span(), payload, extension: Span::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand from 802.11-2020, 16.3.4: 192 + ceil(8 x 1536 / 11) = 192 + 1118 us.
    #[test]
    fn cck_frames_last_whole_microseconds() {
        let mode = Dsss { rate: DsssRate::Mbps11, preamble: Preamble::Long };
        assert_eq!(mode.airtime().of_bytes(1536), Span::micros(1310));
        let mode = Dsss { rate: DsssRate::Mbps5_5, preamble: Preamble::Short };
        assert_eq!(mode.airtime().of_bytes(14), Span::micros(96 + 21));
    }

    #[test]
    fn one_megabit_has_no_short_preamble() {
        let mode = Dsss { rate: DsssRate::Mbps1, preamble: Preamble::Short };
        assert_eq!(mode.airtime().of_bytes(14), Span::micros(304));
    }
}
