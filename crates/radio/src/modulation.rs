//! Modulation and coding of 802.11: the properties of a mode that an error model needs.

/// A modulation with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulation {
    /// 1 Mbit/s, Barker code.
    Dbpsk,
    /// 2 Mbit/s, Barker code.
    Dqpsk,
    /// 5.5 Mbit/s, complementary code keying.
    Cck5_5,
    /// 11 Mbit/s, complementary code keying.
    Cck11,
    /// Subcarriers behind the convolutional code with constraint length 7.
    Ofdm {
        /// Constellation of each subcarrier.
        constellation: Constellation,
        /// After puncturing.
        code: CodeRate,
    },
}

/// Points of a subcarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constellation {
    /// 1 bit.
    Bpsk,
    /// 2 bits.
    Qpsk,
    /// 4 bits.
    Qam16,
    /// 6 bits.
    Qam64,
    /// 8 bits.
    Qam256,
    /// 10 bits.
    Qam1024,
    /// 12 bits.
    Qam4096,
}

/// Rate of the punctured code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRate {
    /// 1/2.
    Half,
    /// 2/3.
    TwoThirds,
    /// 3/4.
    ThreeQuarters,
    /// 5/6.
    FiveSixths,
}

impl Constellation {
    /// Coded bits on a subcarrier (N_BPSCS).
    pub const fn bits(self) -> u32 {
        match self {
            Constellation::Bpsk => 1,
            Constellation::Qpsk => 2,
            Constellation::Qam16 => 4,
            Constellation::Qam64 => 6,
            Constellation::Qam256 => 8,
            Constellation::Qam1024 => 10,
            Constellation::Qam4096 => 12,
        }
    }
}

impl CodeRate {
    /// Data bits, coded bits.
    pub const fn fraction(self) -> (u32, u32) {
        match self {
            CodeRate::Half => (1, 2),
            CodeRate::TwoThirds => (2, 3),
            CodeRate::ThreeQuarters => (3, 4),
            CodeRate::FiveSixths => (5, 6),
        }
    }
}
