//! HT, VHT, HE and EHT (802.11n, ac, ax, be) for one user: modes and durations. The cell uses the first three.
//!
//! Sources: 802.11-2020, 19.4.3 and 21.4.3 (TXTIME), 802.11ax-2021, 27.4.3, 802.11be-2024, 36.4.3. 800 ns or shorter guard with
//! HT and VHT. There is no packet extension, as where the receiver asks for no padding.

use super::airtime::{Airtime, Payload};
use super::dsss::Preamble;
use super::ldpc::{Filling, Ldpc};
use base::{Rate, Span, named};
use radio::{BitCode, CodeRate, Constellation, Modulation, Word};

/// The family of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// 802.11n, mixed format.
    Ht,
    /// 802.11ac, one user.
    Vht,
    /// 802.11ax, one user (HE SU PPDU).
    He,
    /// 802.11be, one user (EHT MU PPDU).
    Eht,
}

named! {
    /// Rule for counting preambles, since the standard and ns-3 differ.
    pub enum PreambleRule, "rule for preambles" {
            ///
            /// EHT-SIG has 52 bits in two symbols.
        Standard = "standard": "as the standards have them: a VHT-SIG-B, HE-LTFs of 7.2, 8 or 16 us by the guard interval, data with a short guard interval rounded up to 4 us",
            ///
            /// Commit 14064644, and 3.37. EHT-SIG is as long as an HE-SIG-B.
        Ns3 = "ns3": "as ns-3 counts them: no VHT-SIG-B, HE-LTFs of 8 us, no rounding",
    }
    /// Code of data.
    pub enum Coding, "code" {
        Bcc = "bcc": "the convolutional code, with a tail",
        Ldpc = "ldpc": "low-density parity-check codes, with the symbols that they need more",
    }
}

/// A mode of one of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modern {
    generation: Generation,
    mcs: u8,
    streams: u8,
    width_mhz: u16,
    guard: Span,
    rule: PreambleRule,
    coding: Coding,
    erp_extension: bool,
}

/// Constellation and code rate by MCS (802.11-2020, 19.5 and 21.5; 802.11ax-2021, 27.5; 802.11be, 36.5).
pub const MCS: [(Constellation, CodeRate); 14] = [
    (Constellation::Bpsk, CodeRate::Half),
    (Constellation::Qpsk, CodeRate::Half),
    (Constellation::Qpsk, CodeRate::ThreeQuarters),
    (Constellation::Qam16, CodeRate::Half),
    (Constellation::Qam16, CodeRate::ThreeQuarters),
    (Constellation::Qam64, CodeRate::TwoThirds),
    (Constellation::Qam64, CodeRate::ThreeQuarters),
    (Constellation::Qam64, CodeRate::FiveSixths),
    (Constellation::Qam256, CodeRate::ThreeQuarters),
    (Constellation::Qam256, CodeRate::FiveSixths),
    (Constellation::Qam1024, CodeRate::ThreeQuarters),
    (Constellation::Qam1024, CodeRate::FiveSixths),
    (Constellation::Qam4096, CodeRate::ThreeQuarters),
    (Constellation::Qam4096, CodeRate::FiveSixths),
];

impl Generation {
    /// The highest MCS for one stream.
    fn highest_mcs(self) -> u8 {
        match self {
            Generation::Ht => 7,
            Generation::Vht => 9,
            Generation::He => 11,
            Generation::Eht => 13,
        }
    }

    fn most_streams(self) -> u8 {
        if self == Generation::Ht { 4 } else { 8 }
    }

    /// Data subcarriers (N_SD); `None` where the width does not exist.
    fn data_subcarriers(self, width_mhz: u16) -> Option<u32> {
        match (self, width_mhz) {
            (Generation::Ht | Generation::Vht, 20) => Some(52),
            (Generation::Ht | Generation::Vht, 40) => Some(108),
            (Generation::Vht, 80) => Some(234),
            (Generation::Vht, 160) => Some(468),
            (Generation::He | Generation::Eht, 20) => Some(234),
            (Generation::He | Generation::Eht, 40) => Some(468),
            (Generation::He | Generation::Eht, 80) => Some(980),
            (Generation::He | Generation::Eht, 160) => Some(1960),
            (Generation::Eht, 320) => Some(3920),
            _ => None,
        }
    }

    /// A symbol without its guard interval.
    fn useful_symbol(self) -> Span {
        match self {
            Generation::Ht | Generation::Vht => Span(3_200),
            Generation::He | Generation::Eht => Span(12_800),
        }
    }

    fn has_guard(self, guard: Span) -> bool {
        match self {
            Generation::Ht | Generation::Vht => matches!(guard.0, 400 | 800),
            Generation::He | Generation::Eht => matches!(guard.0, 800 | 1_600 | 3_200),
        }
    }
}

/// The modes of a station: a generation at one width, number of streams and guard interval, from MCS 0 up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The family.
    pub generation: Generation,
    /// Spatial streams.
    pub streams: u8,
    /// Channel width, MHz.
    pub width_mhz: u16,
    /// Guard interval.
    pub guard: Span,
    /// How preambles are counted.
    pub rule: PreambleRule,
    /// The code, where it is given.
    pub coding: Option<Coding>,
    /// In the 2.4 GHz band, with its signal extension.
    pub at_2_4_ghz: bool,
    /// The preamble of DSSS frames there.
    pub preamble: Preamble,
    /// Stations of 802.11b, which know no OFDM, are in the cell (NonERP_Present, 802.11-2020, 9.4.2.12).
    pub beside_dsss: bool,
}

impl Line {
    /// The mode of an MCS within one stream; `None` where the standard has none such.
    pub fn mode(self, mcs: u8) -> Option<Modern> {
        let Line { generation, streams, width_mhz, guard, rule, coding, at_2_4_ghz, .. } = self;
        let mode = Modern::new(generation, mcs, streams, width_mhz, guard, rule)?;
        let mode = match (coding, mode.needs_ldpc()) {
            (Some(Coding::Bcc), true) => return None,
            (Some(Coding::Ldpc), _) | (None, true) => mode.with_ldpc(),
            (Some(Coding::Bcc) | None, false) => mode,
        };
        Some(if at_2_4_ghz { mode.at_2_4_ghz() } else { mode })
    }

    /// All of them, slowest first.
    pub fn modes(self) -> impl Iterator<Item = Modern> {
        (0..=self.generation.highest_mcs()).filter_map(move |mcs| self.mode(mcs))
    }

    /// Widths that the generation has, MHz.
    pub fn widths(generation: Generation) -> impl Iterator<Item = u16> {
        let all = [20, 40, 80, 160, 320].into_iter();
        all.filter(move |&width| generation.data_subcarriers(width).is_some())
    }

    /// Guard intervals that it has.
    pub fn guards(generation: Generation) -> impl Iterator<Item = Span> {
        let all = [400, 800, 1_600, 3_200].into_iter().map(Span);
        all.filter(move |&guard| generation.has_guard(guard))
    }

    /// The most streams that it has.
    pub fn most_streams(generation: Generation) -> u8 {
        generation.most_streams()
    }
}

impl Modern {
    /// A mode with convolutional coding: `mcs` within one stream (HT's MCS 8 is MCS 0 with two streams). `None` where the
    /// standard has none such. VHT's few exclusions by number of encoders are not checked.
    pub fn new(
        generation: Generation,
        mcs: u8,
        streams: u8,
        width_mhz: u16,
        guard: Span,
        rule: PreambleRule,
    ) -> Option<Modern> {
        let (coding, erp_extension) = (Coding::Bcc, false);
        let mode =
            Modern { generation, mcs, streams, width_mhz, guard, rule, coding, erp_extension };
        generation.data_subcarriers(width_mhz)?;
        let whole = generation >= Generation::He || mode.whole_bits().is_some();
        let exists = mcs <= generation.highest_mcs()
            && (1..=generation.most_streams()).contains(&streams)
            && generation.has_guard(guard)
            && whole;
        exists.then_some(mode)
    }

    /// The same mode in the 2.4 GHz band: a signal extension of 6 us behind every frame (802.11-2020, 19.4.3).
    pub fn at_2_4_ghz(self) -> Modern {
        Modern { erp_extension: true, ..self }
    }

    /// The same mode with low-density parity-check codes.
    pub fn with_ldpc(self) -> Modern {
        Modern { coding: Coding::Ldpc, ..self }
    }

    /// True where HE has no convolutional coding: above 20 MHz, above four streams, and with MCS 10 and 11 (802.11ax-2021,
    /// 27.1.1). ns-3 counts a tail there too.
    pub fn needs_ldpc(self) -> bool {
        self.generation == Generation::He
            && self.rule == PreambleRule::Standard
            && (self.width_mhz > 20 || self.streams > 4 || self.mcs > 9)
    }

    /// The code.
    pub fn coding(self) -> Coding {
        self.coding
    }

    /// True where [`Modern::at_2_4_ghz`] has been asked for.
    pub fn is_at_2_4_ghz(self) -> bool {
        self.erp_extension
    }

    /// The family.
    pub fn generation(self) -> Generation {
        self.generation
    }

    /// The MCS within one stream.
    pub fn mcs(self) -> u8 {
        self.mcs
    }

    /// Spatial streams.
    pub fn streams(self) -> u8 {
        self.streams
    }

    /// Channel width, MHz.
    pub fn width_mhz(self) -> u16 {
        self.width_mhz
    }

    /// Guard interval.
    pub fn guard(self) -> Span {
        self.guard
    }

    /// Bit rate, rounded down.
    pub fn rate(self) -> Rate {
        self.payload().rate()
    }

    /// Constellation and code rate.
    pub fn scheme(self) -> (Constellation, CodeRate) {
        MCS[usize::from(self.mcs)]
    }

    /// Constellation and code; with LDPC that of long words.
    pub fn modulation(self) -> Modulation {
        let (constellation, rate) = self.scheme();
        let code = match self.coding {
            Coding::Bcc => BitCode::convolutional(rate),
            Coding::Ldpc => BitCode::ldpc(rate, Word::Long),
        };
        Modulation::Ofdm { constellation, code }
    }

    /// TXTIME of a PPDU for one user.
    pub fn airtime(self) -> Airtime {
        let extension = if self.erp_extension { Span::micros(6) } else { Span::ZERO };
        Airtime { preamble: self.preamble(), payload: self.payload(), extension }
    }

    /// N_DBPS where it is whole (rates with 256-QAM and more do not all give whole bits).
    fn whole_bits(self) -> Option<u32> {
        let (bits, divisor) = self.bits_and_divisor();
        (bits % divisor == 0).then_some(bits / divisor)
    }

    fn bits_and_divisor(self) -> (u32, u32) {
        let subcarriers = self.generation.data_subcarriers(self.width_mhz).unwrap_or(52);
        let (constellation, code) = MCS[usize::from(self.mcs)];
        let (numerator, denominator) = code.fraction();
        let coded = subcarriers * constellation.bits() * u32::from(self.streams);
        (coded * numerator, denominator)
    }

    fn payload(self) -> Payload {
        let (bits, divisor) = self.bits_and_divisor();
        let symbol = self.generation.useful_symbol() + self.guard;
        let short = self.guard == Span(400) && self.rule == PreambleRule::Standard;
        if self.coding == Coding::Ldpc {
            return Payload::Ldpc(self.ldpc(symbol, short));
        }
        Payload::Symbols {
            bits: bits / divisor,
            symbol,
            overhead_bits: 16 + 6 * self.encoders(bits / divisor),
            granule: short.then_some(Span::micros(4)),
        }
    }

    fn ldpc(self, symbol: Span, rounds: bool) -> Ldpc {
        let (constellation, code) = MCS[usize::from(self.mcs)];
        let of = |subcarriers: u32| subcarriers * constellation.bits() * u32::from(self.streams);
        let filling = match self.generation {
            Generation::Ht => Filling::Exact,
            Generation::Vht => Filling::Symbols,
            // N_SD,short (802.11ax-2021, table 27-33; 802.11be, table 36-47).
            Generation::He | Generation::Eht => Filling::Quarters(of(match self.width_mhz {
                20 => 60,
                40 => 120,
                80 => 240,
                160 => 492,
                _ => 984,
            })),
        };
        let all = self.generation.data_subcarriers(self.width_mhz).unwrap_or(52);
        Ldpc { coded: of(all), code, filling, symbol, rounds }
    }

    /// Convolutional encoders (N_ES): one for each 300 (HT) or 600 (VHT) Mbit/s with the short guard interval.
    fn encoders(self, bits_per_symbol: u32) -> u32 {
        match self.generation {
            Generation::Ht => bits_per_symbol.div_ceil(1080),
            Generation::Vht => bits_per_symbol.div_ceil(2160),
            Generation::He | Generation::Eht => 1,
        }
    }

    fn preamble(self) -> Span {
        let legacy = Span::micros(20);
        let trainings = match self.streams {
            1 | 2 => u64::from(self.streams),
            3 | 4 => 4,
            5 | 6 => 6,
            _ => 8,
        };
        let standard = self.rule == PreambleRule::Standard;
        match self.generation {
            // HT-SIG 8, HT-STF 4, HT-LTF 4 each (802.11-2020, 19.3.9).
            Generation::Ht => legacy + Span::micros(12 + 4 * trainings),
            // VHT-SIG-A 8, VHT-STF 4, VHT-LTF 4 each, VHT-SIG-B 4 (802.11-2020, 21.3.8).
            Generation::Vht => {
                let signal_b = if standard { 4 } else { 0 };
                legacy + Span::micros(12 + 4 * trainings + signal_b)
            }
            // RL-SIG 4, HE-SIG-A 8, HE-STF 4 (802.11ax-2021, 27.3.11).
            Generation::He => legacy + Span::micros(16) + self.training() * trainings,
            // RL-SIG 4, U-SIG 8, EHT-STF 4 (802.11be, 36.3.12).
            Generation::Eht => {
                legacy + Span::micros(16) + self.eht_signal() + self.training() * trainings
            }
        }
    }

    /// One HE-LTF or EHT-LTF with its guard: 2x with 0.8 and 1.6 us, 4x with 3.2 us.
    fn training(self) -> Span {
        match (self.rule, self.guard.0) {
            (PreambleRule::Ns3, _) | (_, 1_600) => Span::micros(8),
            (_, 800) => Span(7_200),
            _ => Span::micros(16),
        }
    }

    fn eht_signal(self) -> Span {
        let (bits, per_symbol) = match self.rule {
            // 20 common, 22 user, 4 CRC, 6 tail, at BPSK 1/2.
            PreambleRule::Standard => (52, 26),
            PreambleRule::Ns3 => {
                // An HE-SIG-B: CRC and tail, 8 bits an allocation, one more with a centre; one user of 21 bits.
                let w = u32::from(self.width_mhz);
                let common = 10 + if w <= 40 { 8 } else { 8 * (w / 40) + 1 };
                const PER_SYMBOL: [u32; 6] = [26, 52, 78, 104, 156, 208];
                (common + 31, PER_SYMBOL[usize::from(self.mcs.min(5))])
            }
        };
        Span::micros(4 * u64::from(u32::div_ceil(bits, per_symbol)))
    }
}

#[cfg(test)]
mod tests;
