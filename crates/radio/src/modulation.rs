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
    Ldpc(LdpcCode),
}

impl Modulation {
    /// The same with code words of this length, where it has such a code.
    #[must_use]
    pub fn in_words(self, length: Option<Word>) -> Modulation {
        match (self, length) {
            (Modulation::Ldpc(code), Some(word)) => Modulation::Ldpc(code.in_words(word)),
            _ => self,
        }
    }
}

/// A constellation behind a low-density parity-check code: in one byte, so that a modulation has two, since modulations are
/// compared at each look at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LdpcCode(u8);

impl LdpcCode {
    /// Points behind a code of this rate with words of this length.
    pub const fn new(constellation: Constellation, rate: CodeRate, word: Word) -> LdpcCode {
        LdpcCode((constellation as u8) << 4 | (rate as u8) << 2 | word as u8)
    }

    /// Constellation of each subcarrier.
    pub const fn constellation(self) -> Constellation {
        Constellation::ALL[(self.0 >> 4) as usize]
    }

    /// Rate of the code.
    pub const fn rate(self) -> CodeRate {
        CodeRate::ALL[(self.0 >> 2 & 3) as usize]
    }

    /// Length of code words.
    pub const fn word(self) -> Word {
        Word::ALL[(self.0 & 3) as usize]
    }

    fn in_words(self, word: Word) -> LdpcCode {
        LdpcCode::new(self.constellation(), self.rate(), word)
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
    /// Every one.
    const ALL: [Constellation; 7] = [
        Constellation::Bpsk,
        Constellation::Qpsk,
        Constellation::Qam16,
        Constellation::Qam64,
        Constellation::Qam256,
        Constellation::Qam1024,
        Constellation::Qam4096,
    ];

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
    /// Every rate.
    pub const ALL: [CodeRate; 4] =
        [CodeRate::Half, CodeRate::TwoThirds, CodeRate::ThreeQuarters, CodeRate::FiveSixths];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_holds_a_code_and_two_hold_a_modulation() {
        for constellation in Constellation::ALL {
            for rate in CodeRate::ALL {
                for word in Word::ALL {
                    let code = LdpcCode::new(constellation, rate, word);
                    let found = (code.constellation(), code.rate(), code.word());
                    assert_eq!(found, (constellation, rate, word));
                }
            }
        }
        assert_eq!(size_of::<Modulation>(), 2);
    }
}
