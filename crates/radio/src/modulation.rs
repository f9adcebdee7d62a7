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
    /// Subcarriers behind low-density parity-check codes.
    Ldpc {
        /// Constellation of each subcarrier.
        constellation: Constellation,
        /// Rate of the code.
        code: CodeRate,
        /// Length of code words.
        word: Word,
    },
}

impl Modulation {
    /// The same with code words of this length, where it has such a code.
    #[must_use]
    pub fn in_words(self, length: Option<Word>) -> Modulation {
        match (self, length) {
            (Modulation::Ldpc { constellation, code, .. }, Some(word)) => {
                Modulation::Ldpc { constellation, code, word }
            }
            _ => self,
        }
    }
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

/// Length of the code words of low-density parity-check codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// 648 bits.
    Short,
    /// 1296 bits.
    Middle,
    /// 1944 bits, as in all but short frames.
    Long,
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

impl Word {
    /// Every length.
    pub const ALL: [Word; 3] = [Word::Short, Word::Middle, Word::Long];

    /// Bits of a word.
    pub const fn bits(self) -> u32 {
        match self {
            Word::Short => 648,
            Word::Middle => 1296,
            Word::Long => 1944,
        }
    }
}

impl CodeRate {
    /// Data in coded bits, whole.
    pub const fn data_of(self, coded: u64) -> u64 {
        let (numerator, denominator) = self.fraction();
        coded * numerator as u64 / denominator as u64
    }

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
