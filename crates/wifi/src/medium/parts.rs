//! The MPDUs of an aggregate at a receiver: which of them power, interference and channels leave whole.
//!
//! While a station listens to such a frame it notes what disturbs it, piece by piece. When the frame ends, each MPDU is
//! decoded or not by the pieces that overlap its own time, with a draw of its own.

use super::receiver::{Fate, fate_of};
use super::settings::BANDWIDTH_HZ;
use crate::errors::ErrorChannels;
use crate::exchange::Frame;
use crate::phy::Words;
use crate::rate::Rung;
use base::{Keyed, StationId, Time};

/// Bits of L-SIG, and of HT-SIG, VHT-SIG-A or HE-SIG-A behind it, which BPSK carries at rate 1/2 (802.11-2020, 17.3.4,
/// 19.3.9.4.3, 21.3.8.3.3).
const SIGNAL_BITS: f64 = 24.0;
const MODERN_SIGNAL_BITS: f64 = 48.0;

/// A time in which the same others disturb a frame.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// First instant.
    pub from: Time,
    /// Last.
    pub until: Time,
    /// Power of all others, W.
    pub others_w: f64,
    /// Power of the strongest of them that is noticed, W.
    pub strongest_w: f64,
}

/// Bits of a piece: hazards of one of the signal field and of one of the data, with and without the others.
#[derive(Clone, Copy, Debug)]
pub struct Bit {
    /// The piece.
    pub piece: Piece,
    /// Of the signal field.
    pub signal: (f64, f64),
    /// Of the data.
    pub data: (f64, f64),
}

/// An MPDU on the air.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its running number.
    pub number: u64,
    /// Its bytes, without delimiter.
    pub bytes: u32,
    /// Bits that have to be decoded for it: its own, or the data of all code words that hold any of them.
    pub bits: f64,
    /// Its first and last instant.
    pub span: (Time, Time),
}

impl Part {
    /// The MPDU that ends with this byte of a PSDU, which code words hold with LDPC.
    pub fn new(
        (number, bytes): (u64, u32),
        ends: u64,
        span: (Time, Time),
        words: Option<&Words>,
    ) -> Part {
        let bits = match words {
            Some(words) => {
                words.data_holding(ends.saturating_sub(bytes.into()) * 8, ends * 8) as f64
            }
            None => f64::from(bytes) * 8.0,
        };
        Part { number, bytes, bits, span }
    }
}

/// What is known of the MPDUs of a frame that has not ended.
#[derive(Clone, Debug)]
pub struct Course {
    /// So many of them have come or have not; the others are still on the air.
    pub decided: usize,
    /// Those of these that have come to the addressee.
    pub come: Vec<u64>,
    /// So many of these have gone up.
    pub up: usize,
    /// Fate of the frame at the addressee, by those on which it is decided.
    pub fate: Fate,
    /// By MPDU: lost on the channel that all share; empty where that has not been asked.
    pub hits: Vec<bool>,
}

impl Default for Course {
    fn default() -> Course {
        Course { decided: 0, come: Vec::new(), up: 0, fate: Fate::Noise, hits: Vec::new() }
    }
}

impl Course {
    /// A frame begins, or is asked about for the first time.
    pub fn begin(&mut self) {
        (self.decided, self.up, self.fate) = (0, 0, Fate::Noise);
        self.come.clear();
        self.hits.clear();
    }

    /// The next MPDU has this fate.
    pub fn decide(&mut self, number: u64, fate: Fate) {
        self.decided += 1;
        match fate {
            Fate::Decoded => {
                self.come.push(number);
                self.fate = Fate::Decoded;
            }
            Fate::Interference if self.fate == Fate::Noise => self.fate = Fate::Interference,
            _ => {}
        }
    }
}

/// The MPDUs of the frame that ends, or of one that is asked about before.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Sender and start of the frame.
    pub of: Option<(StationId, Time)>,
    /// All, in order.
    pub all: Vec<Part>,
    /// The code words that hold them, with LDPC.
    pub words: Option<Words>,
    /// Fate of the frame at the addressee, if that listens to it.
    pub fate: Option<Fate>,
    /// The hazards of the frame at the station that is asked.
    pub bits: Vec<Bit>,
    /// All stations share a channel.
    pub is_shared: bool,
}

impl Parts {
    /// Fate of the signal field, without which nothing is decoded.
    pub fn fate_of_signal(&self, frame: &Frame, is_modern: bool, errors: Keyed) -> Fate {
        let bits = SIGNAL_BITS + if is_modern { MODERN_SIGNAL_BITS } else { 0.0 };
        let hazard = self.hazard(frame.preamble(), bits, |bit| bit.signal);
        fate_of(hazard, errors, frame.start)
    }

    /// Fate of an MPDU by the powers in its own time.
    pub fn fate_of_part(&self, place: usize, errors: Keyed) -> Fate {
        let Part { bits, span, .. } = self.all[place];
        let hazard = self.hazard(span, bits, |bit| bit.data);
        fate_of(hazard, errors, span.1)
    }

    /// Hazard of bits that fill a time, with and without others.
    fn hazard(
        &self,
        (start, end): (Time, Time),
        bits: f64,
        of: impl Fn(&Bit) -> (f64, f64),
    ) -> (f64, f64) {
        let length = end.since(start).0.max(1) as f64;
        let (mut noisy, mut clean) = (0.0, 0.0);
        for bit in &self.bits {
            let overlap = bit.piece.until.min(end).since(bit.piece.from.max(start)).0 as f64;
            let own = of(bit);
            if overlap > 0.0 && own.0 > 0.0 {
                noisy += bits * overlap / length * own.0;
                clean += bits * overlap / length * own.1;
            }
        }
        (noisy, clean)
    }

    /// True where a channel loses an MPDU that power and others leave whole: once for all stations that share it, as `hits` has it.
    pub fn is_hit(
        &self,
        place: usize,
        hits: &mut Vec<bool>,
        way: (StationId, StationId),
        channels: &mut ErrorChannels,
    ) -> bool {
        let mut loses =
            |part: &Part| channels.loses_part(way, part.span, u64::from(part.bytes) * 8);
        if !self.is_shared {
            return loses(&self.all[place]);
        }
        if hits.is_empty() {
            hits.extend(self.all.iter().map(&mut loses));
        }
        hits[place]
    }
}

/// The noise of data at a rate, as a part of that of older frames: that of its channel's width where it has one. Each stream has
/// the ratio of the whole, as with as many antennas as streams.
pub fn noise_share(rung: &Rung) -> f64 {
    rung.mode.map_or(1.0, |mode| f64::from(mode.width_mhz()) * 1e6 / BANDWIDTH_HZ)
}
