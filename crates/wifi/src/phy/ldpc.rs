//! How many symbols data with low-density parity-check codes take (802.11-2020, 19.3.11.7.5 for HT and 21.3.10.5.4 for VHT;
//! 802.11ax-2021, 27.3.12.5.2 for HE), without STBC.
//!
//! There is no tail. Data fill code words of 648, 1296 or 1944 bits, of which some are shortened and punctured to fit the
//! symbols. Where too much would have to be punctured there is room for more: a symbol, or with HE a quarter of one.

use base::Span;
use radio::{CodeRate, Word};

/// Bits of the SERVICE field.
const SERVICE: u64 = 16;

/// How data become symbols before code words are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// HT: the last symbol holds as many data bits as there are.
    Exact,
    /// VHT: the PSDU is padded to whole symbols.
    Symbols,
    /// HE: it is padded to quarters of the last symbol, of this many coded bits, but for the fourth
    /// (N_CBPS,short).
    Quarters(u32),
}

/// The code words of a PSDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// How many.
    pub count: u64,
    /// Their length.
    pub length: Word,
    /// The rate of their code.
    code: CodeRate,
    /// Bits of data in them, which they share evenly: the service field, the PSDU and what pads it.
    data: u64,
}

impl Words {
    /// Bits of data of whole words, of those that hold bits of the PSDU from the bit `from` to before `until`.
    pub fn data_holding(&self, from: u64, until: u64) -> u64 {
        let word_of = |bit: u64| (bit + SERVICE) * self.count / self.data;
        let words = if until <= from { 0 } else { word_of(until - 1) - word_of(from) + 1 };
        words * self.code.data_of(u64::from(self.length.bits()))
    }
}

/// What data fill before there is room for more.
struct Filled {
    symbols: u64,
    /// Bits of data.
    data: u64,
    /// Coded bits.
    available: u64,
    /// The last symbol is full.
    is_full: bool,
}

/// Symbols of such data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ldpc {
    /// Coded bits of a symbol (N_CBPS).
    pub coded: u32,
    /// The rate of the code.
    pub code: CodeRate,
    /// How they are filled.
    pub filling: Filling,
    /// Duration of a symbol, guard interval included.
    pub symbol: Span,
    /// The symbols' sum rounds up to a multiple of 4 us (short guard interval, 802.11-2020, 19.4.3).
    pub rounds: bool,
}

impl Ldpc {
    /// Data bits of a symbol (N_DBPS).
    pub fn bits(&self) -> u32 {
        self.code.data_of(u64::from(self.coded)) as u32
    }

    /// Duration of a PSDU of `bits`. It is a function of its own, since frames of older modes ask for their durations by the same match.
    #[inline(never)]
    pub fn of_bits(&self, bits: u64) -> Span {
        let sum = self.symbol * self.symbols(bits);
        if self.rounds { Span(sum.0.next_multiple_of(4_000)) } else { sum }
    }

    /// The most bits, in whole bytes, that take no longer than `limit`.
    #[inline(never)]
    pub fn most_bits(&self, limit: Span) -> u64 {
        let limit = if self.rounds { limit.0 / 4_000 * 4_000 } else { limit.0 };
        let symbols = limit / self.symbol.0;
        let bytes = |symbols: u64| (symbols * u64::from(self.bits())).saturating_sub(SERVICE) / 8;
        // The data of one symbol fewer fit in any case, since no more than one is added.
        let (mut fit, mut most) = (bytes(symbols.saturating_sub(1)), bytes(symbols));
        if self.symbols(most * 8) <= symbols {
            return most * 8;
        }
        while fit < most {
            let middle = (fit + most).div_ceil(2);
            if self.symbols(middle * 8) <= symbols {
                fit = middle;
            } else {
                most = middle - 1;
            }
        }
        fit * 8
    }

    /// The code words of a PSDU.
    pub fn words(&self, bits: u64) -> Words {
        let Filled { data, available, .. } = self.fill(bits);
        let (count, length) = words(data, available, self.code);
        Words { count, length, code: self.code, data }
    }

    /// Symbols of a PSDU (N_SYM).
    pub fn symbols(&self, bits: u64) -> u64 {
        let Filled { symbols, data, available, is_full } = self.fill(bits);
        // A further quarter finds room in the last symbol, unless that is full.
        symbols + u64::from(is_full && punctures_too_much(data, available, self.code))
    }

    fn fill(&self, bits: u64) -> Filled {
        let (of_symbol, coded) = (u64::from(self.bits()), u64::from(self.coded));
        let data = bits + SERVICE;
        let symbols = data.div_ceil(of_symbol);
        let (data, available, is_full) = match self.filling {
            Filling::Exact => (data, symbols * coded, true),
            Filling::Symbols => (symbols * of_symbol, symbols * coded, true),
            Filling::Quarters(short) => {
                let of_quarter = self.code.data_of(u64::from(short));
                let before = symbols - 1;
                let quarters = (data - before * of_symbol).div_ceil(of_quarter).min(4);
                let last = if quarters < 4 { quarters * u64::from(short) } else { coded };
                let data = match quarters {
                    4 => symbols * of_symbol,
                    _ => before * of_symbol + quarters * of_quarter,
                };
                (data, before * coded + last, quarters == 4)
            }
        };
        Filled { symbols, data, available, is_full }
    }
}

/// True where room is added for `data` bits in `available` coded ones (802.11-2020, 19.3.11.7.5, b to d).
fn punctures_too_much(data: u64, available: u64, code: CodeRate) -> bool {
    let (numerator, denominator) = code.fraction();
    let (kept, parity) = (u64::from(numerator), u64::from(denominator - numerator));
    let (words, length) = words(data, available, code);
    let total = words * u64::from(length.bits());
    let shortened = code.data_of(total).saturating_sub(data);
    let punctured = total.saturating_sub(available + shortened);
    let checks = total - code.data_of(total);
    let few_shortened = 10 * shortened * parity < 12 * punctured * kept;
    (10 * punctured > checks && few_shortened) || 10 * punctured > 3 * checks
}

/// The number of code words, and their length (802.11-2020, table 19-16).
fn words(data: u64, available: u64, code: CodeRate) -> (u64, Word) {
    use Word::{Long, Middle, Short};
    let reaches = |bits: u64| available >= data + bits - code.data_of(bits);
    match available {
        0..=648 => (1, if reaches(912) { Middle } else { Short }),
        649..=1296 => (1, if reaches(1464) { Long } else { Middle }),
        1297..=1944 => (1, Long),
        1945..=2592 => (2, if reaches(2916) { Long } else { Middle }),
        _ => (data.div_ceil(code.data_of(u64::from(Long.bits()))), Long),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CodeRate::{FiveSixths, Half, ThreeQuarters, TwoThirds};

    fn ldpc(coded: u32, code: CodeRate, filling: Filling) -> Ldpc {
        Ldpc { coded, code, filling, symbol: Span(3_600), rounds: false }
    }

    /// By hand from the formulas. The first: 816 bits in 32 symbols of 26 fill 1664 of a word of 1944, of which 156 are
    /// shortened, 124 punctured: more than a tenth of 972, but 156 is not below 1.2 x 124. VHT pads the data to 832, so that
    /// 140 are shortened and punctured each, which is too much.
    #[test]
    fn symbols_are_those_of_the_formulas() {
        for (bytes, coded, code, filling, symbols) in [
            (100, 52, Half, Filling::Exact, 32),
            (100, 52, Half, Filling::Symbols, 33),
            (20, 52, Half, Filling::Exact, 8), // 136 of 324 punctured, 148 shortened
            (14, 312, FiveSixths, Filling::Exact, 1), // of 1296 at 912 / 6 bits to spare
            (400, 624, TwoThirds, Filling::Exact, 8),
            (1470, 104, ThreeQuarters, Filling::Exact, 152), // 446 of 4374 punctured, 1346 shortened
            (65_535, 1296, FiveSixths, Filling::Exact, 486),
            (300, 468, ThreeQuarters, Filling::Symbols, 8), // 153 of 972 punctured, 459 shortened
            (98_814, 3744, FiveSixths, Filling::Symbols, 254),
            // Of 242, 996 and twice 996 tones the quarters have 60, 240 and 492.
            (100, 234, Half, Filling::Quarters(60), 8), // the seventh is full, and punctured too much
            (1542, 234, Half, Filling::Quarters(60), 106), // three quarters, and a fourth is free
            (1542, 19_600, FiveSixths, Filling::Quarters(4800), 1),
            (98_814, 19_600, FiveSixths, Filling::Quarters(4800), 49),
            (1467, 3920, ThreeQuarters, Filling::Quarters(984), 5),
        ] {
            let own = ldpc(coded, code, filling);
            assert_eq!(own.symbols(bytes * 8), symbols, "{bytes} B: {own:?}");
        }
    }

    /// By hand from table 19-16, and the words of the same data as above.
    #[test]
    fn words_are_those_of_the_table() {
        use Word::{Long, Middle, Short};
        for (bytes, coded, code, filling, count, length) in [
            (14, 52, Half, Filling::Exact, 1, Short), // 128 in 260, which are not 128 + 456
            (40, 52, Half, Filling::Exact, 1, Middle), // 336 in 676, which are not 336 + 732
            (14, 312, FiveSixths, Filling::Exact, 1, Middle), // 128 in 312, of 128 + 152 and more
            (100, 52, Half, Filling::Exact, 1, Long),
            (120, 52, Half, Filling::Exact, 2, Middle), // 976 in 1976, which are not 976 + 1458
            (400, 624, TwoThirds, Filling::Exact, 3, Long),
            (1542, 19_600, FiveSixths, Filling::Quarters(4800), 11, Long), // 16,333 of 1620
        ] {
            let words = ldpc(coded, code, filling).words(bytes * 8);
            assert_eq!((words.count, words.length), (count, length), "{bytes} B: {words:?}");
        }
    }

    /// 12,320 bits of 13 words of 972: of these each carries 947 or 948.
    #[test]
    fn parts_of_a_psdu_are_in_the_words_that_hold_them() {
        let words = ldpc(52, Half, Filling::Exact).words(1538 * 8);
        assert_eq!(words.count, 13);
        for (from, until, held) in [
            (0, 1538 * 8, 13),
            (0, 8, 1),
            (0, 931, 1), // with the service field
            (0, 932, 1),
            (0, 933, 2),
            (928, 936, 2),
            (960, 1538 * 8, 12),
            (77, 77, 0),
        ] {
            assert_eq!(words.data_holding(from, until), held * 972, "{from} to {until}");
        }
    }

    /// What fits lasts no longer, and one byte more does.
    #[test]
    fn the_most_bits_are_those_that_fit() {
        for (coded, code, filling) in [
            (52, Half, Filling::Exact),
            (1296, FiveSixths, Filling::Exact),
            (468, ThreeQuarters, Filling::Symbols),
            (19_600, FiveSixths, Filling::Quarters(4800)),
            (234, Half, Filling::Quarters(60)),
        ] {
            for rounds in [false, true] {
                let own = Ldpc { rounds, ..ldpc(coded, code, filling) };
                for limit in [3_600, 8_000, 100_001, 1_234_567, 5_484_000].map(Span) {
                    let most = own.most_bits(limit);
                    assert!(most == 0 || own.of_bits(most) <= limit, "{own:?} {limit:?}");
                    assert!(own.of_bits(most + 8) > limit, "{own:?} {limit:?}");
                }
            }
        }
    }
}
