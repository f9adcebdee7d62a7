//! Frames of several code words.

use crate::code::Code;
use crate::fit::Curve;
use crate::link::Sent;
use base::Span;
use radio::noise::ratio_from_db;
use radio::{BitCode, CodeRate, Constellation, ErrorModel, Modulation, Word};
use wifi::phy::{Filling, Ldpc, MCS};

/// Data subcarriers of 802.11n with 20 MHz.
const SUBCARRIERS: u32 = 52;

/// The MCS that 802.11n, ac and ax have.
pub const HIGHEST_MCS: usize = 11;

/// A PSDU behind low-density parity-check codes: that of 802.11n with one stream, at any MCS.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Points.
    pub constellation: Constellation,
    /// Rate of the code.
    pub rate: CodeRate,
    /// Length of the words.
    pub word: Word,
    /// How many words.
    pub words: u64,
    /// What is sent of each, on average.
    pub sent: Sent,
    bits: u64,
}

impl Frame {
    /// So many bytes at an MCS.
    pub fn new(mcs: usize, bytes: u64) -> Frame {
        let ((constellation, rate), bits) = (MCS[mcs], bytes * 8);
        let code = Ldpc {
            coded: SUBCARRIERS * constellation.bits(),
            code: rate,
            filling: Filling::Exact,
            symbol: Span::micros(4),
            rounds: false,
        };
        let words = code.words(bits);
        let (count, all) = (words.count, words.count * u64::from(words.length.bits()));
        let shortened = rate.data_of(all).saturating_sub(bits + 16);
        let available = code.symbols(bits) * u64::from(code.coded);
        // Where more fits than there is, bits are sent twice, which helps a little.
        let punctured = all.saturating_sub(shortened + available);
        let of_word = |bits: u64| (bits as f64 / count as f64).round() as usize;
        let sent = Sent { shortened: of_word(shortened), punctured: of_word(punctured) };
        Frame { constellation, rate, word: words.length, words: count, sent, bits }
    }

    /// Its code.
    pub fn code(&self) -> Code {
        Code::new(self.word.bits() as usize, self.rate)
    }

    /// Where this share of such frames is lost, dB, if words are lost by a curve.
    pub fn at(&self, curve: Curve, share: f64) -> f64 {
        curve.at(-libm::expm1(libm::log1p(-share) / self.words as f64))
    }

    /// The same by the curve of `radio`.
    pub fn shipped_at(&self, share: f64) -> f64 {
        let &Frame { constellation, rate: code, word, .. } = self;
        let data = code.data_of(u64::from(word.bits())) * self.words;
        where_lost(Modulation::Ofdm { constellation, code: BitCode::ldpc(code, word) }, data, share)
    }

    /// Where it is lost if the convolutional code brings it, for soft decisions.
    pub fn convolutional_at(&self, share: f64) -> f64 {
        let &Frame { constellation, rate: code, .. } = self;
        where_lost(
            Modulation::Ofdm { constellation, code: BitCode::convolutional(code) },
            self.bits,
            share,
        )
    }
}

/// The signal-to-noise ratio, dB, up to which more than this share of frames of `bits` is lost.
fn where_lost(modulation: Modulation, bits: u64, share: f64) -> f64 {
    let (mut low, mut high) = (-20.0, 60.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        let kept = ErrorModel::Soft.packet_success(modulation, ratio_from_db(middle), bits);
        if 1.0 - kept > share {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
