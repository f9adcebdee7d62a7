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
    /// Subcarriers.
    Ofdm {
        /// Constellation of each subcarrier.
        constellation: Constellation,
        /// Code of the bits.
        code: BitCode,
    },
}

impl Modulation {
    /// The same with code words of this length, where it has such.
    #[must_use]
    pub fn in_words(self, length: Option<Word>) -> Modulation {
        match (self, length) {
            (Modulation::Ofdm { constellation, code }, Some(word)) if code.word().is_some() => {
                Modulation::Ofdm { constellation, code: BitCode::ldpc(code.rate(), word) }
            }
            _ => self,
        }
    }
}

/// A code: the convolutional one with constraint length 7, or a low-density parity-check code. In one byte, since modulations are
/// compared at each look at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitCode(u8);

impl BitCode {
    /// The convolutional code, punctured to a rate.
    pub const fn convolutional(rate: CodeRate) -> BitCode {
        BitCode(rate as u8)
    }

    /// The low-density parity-check code of a rate with words of this length.
    pub const fn ldpc(rate: CodeRate, word: Word) -> BitCode {
        BitCode((word as u8 + 1) << 2 | rate as u8)
    }

    /// Its rate.
    pub const fn rate(self) -> CodeRate {
        CodeRate::ALL[(self.0 & 3) as usize]
    }

    /// Length of its words, if it has any.
    pub const fn word(self) -> Option<Word> {
        match self.0 >> 2 {
            0 => None,
            number => Some(Word::ALL[number as usize - 1]),
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
        for rate in CodeRate::ALL {
            let code = BitCode::convolutional(rate);
            assert_eq!((code.rate(), code.word()), (rate, None));
            for word in Word::ALL {
                let code = BitCode::ldpc(rate, word);
                assert_eq!((code.rate(), code.word()), (rate, Some(word)));
            }
        }
        assert_eq!(size_of::<Modulation>(), 2);
    }
}
