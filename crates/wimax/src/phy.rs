//! WirelessMAN-OFDM (802.16-2004, 8.3): sampling, symbols, the seven burst profiles, and the frame as a clock.

use crate::kinds::{Bandwidth, FrameLength, Prefix};
use base::{Span, Time, named, settings};

/// The FFT's size: samples of a symbol without its cyclic prefix.
const FFT: u64 = 256;

/// Physical slots in a sample's time: a physical slot is four samples (10.3.3).
const SAMPLES_A_SLOT: u64 = 4;

/// TTG and RTG, physical slots each.
pub const GAP_SLOTS: u64 = 10;

named! {
    /// Burst profile: modulation and coding rate.
    pub enum Mcs, "burst profile" {
        Bpsk12 = "BPSK1/2": "BPSK, rate 1/2: 12 bytes a symbol",
        Qpsk12 = "QPSK1/2": "QPSK, rate 1/2: 24 bytes a symbol",
        Qpsk34 = "QPSK3/4": "QPSK, rate 3/4: 36 bytes a symbol",
        Qam16R12 = "16QAM1/2": "16-QAM, rate 1/2: 48 bytes a symbol",
        Qam16R34 = "16QAM3/4": "16-QAM, rate 3/4: 72 bytes a symbol",
        Qam64R23 = "64QAM2/3": "64-QAM, rate 2/3: 96 bytes a symbol",
        Qam64R34 = "64QAM3/4": "64-QAM, rate 3/4: 108 bytes a symbol",
    }
    /// Position of the coder's tail byte.
    pub enum Tail, "tail byte rule" {
        Burst = "burst": "one at the end of each burst (the standard)",
        Symbol = "symbol": "one in every symbol (the NIST module)",
    }
}

impl Mcs {
    /// Uncoded bytes in a symbol (table 215).
    pub fn bytes(self) -> u32 {
        [12, 24, 36, 48, 72, 96, 108][self as usize]
    }

    /// The signal to noise ratio that a receiver needs, dB (table 266).
    pub fn needed_snr_db(self) -> f64 {
        [6.4, 9.4, 11.2, 16.4, 18.2, 22.7, 24.4][self as usize]
    }
}

/// Bytes per symbol, with modulation, coding and tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The burst profile.
    pub mcs: Mcs,
    /// Position of the tail byte.
    pub tail: Tail,
}

impl Coding {
    /// Symbols of a burst of `bytes` bytes.
    pub fn symbols(self, bytes: u64) -> u32 {
        let all = u64::from(self.mcs.bytes());
        let symbols = match self.tail {
            Tail::Burst => (bytes + 1).div_ceil(all),
            Tail::Symbol => bytes.div_ceil(all - 1),
        };
        u32::try_from(symbols).unwrap_or(u32::MAX)
    }

    /// Bytes that fit in a burst of `symbols` symbols.
    pub fn room(self, symbols: u32) -> u64 {
        let (symbols, bytes) = (u64::from(symbols), u64::from(self.mcs.bytes()));
        match self.tail {
            Tail::Burst => (symbols * bytes).saturating_sub(1),
            Tail::Symbol => symbols * (bytes - 1),
        }
    }

    /// Symbols of a burst after which its first `bytes` bytes have arrived.
    pub fn arrived(self, bytes: u64) -> u32 {
        let all = u64::from(self.mcs.bytes());
        let whole = match self.tail {
            Tail::Burst => all,
            Tail::Symbol => all - 1,
        };
        u32::try_from(bytes.div_ceil(whole)).unwrap_or(u32::MAX)
    }
}

/// Direction of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To a subscriber station.
    Down,
    /// From it.
    Up,
}

settings! {
    /// Bandwidth, guard time and frame length.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Phy {
        /// The bandwidth of the channel, such as "7 MHz".
        bandwidth: u64 as Bandwidth = 7_000_000, "bandwidth", 1_250_000..=28_000_000;
        /// The length of the cyclic prefix, as a part of a symbol's useful time.
        prefix: u64 as Prefix = 16, "cyclic_prefix";
        /// The length of a frame: "2.5 ms", "4 ms", "5 ms", "8 ms", "10 ms", "12.5 ms" or "20 ms".
        frame: Span as FrameLength = Span::millis(5), "frame";
    }
}

impl Phy {
    /// The sampling frequency, Hz (8.3.2.2): the factor that fits the bandwidth first, rounded down to 8 kHz.
    pub fn sampling(&self) -> u64 {
        const FACTORS: [(u64, u64, u64); 5] = [
            (1_750_000, 8, 7),
            (1_500_000, 86, 75),
            (1_250_000, 144, 125),
            (2_750_000, 316, 275),
            (2_000_000, 57, 50),
        ];
        let fits = |&&(of, _, _): &&(u64, u64, u64)| self.bandwidth % of == 0;
        let (_, over, under) = *FACTORS.iter().find(fits).unwrap_or(&FACTORS[0]);
        self.bandwidth * over / (under * 8000) * 8000
    }

    /// A symbol's length, physical slots.
    pub fn symbol_slots(&self) -> u64 {
        let useful = FFT / SAMPLES_A_SLOT;
        useful + useful / self.prefix
    }

    /// Whole symbols in a frame, once both gaps are taken off.
    pub fn symbols(&self) -> u32 {
        let slots = u128::from(self.frame.0) * u128::from(self.sampling()) / 4_000_000_000;
        (slots.saturating_sub(2 * u128::from(GAP_SLOTS)) / u128::from(self.symbol_slots())) as u32
    }

    /// Duration of `slots` physical slots, at most a frame's, to the nearest nanosecond.
    pub fn slots(&self, slots: u64) -> Span {
        nearest(slots, self.sampling())
    }
}

/// Duration of `slots` physical slots at a sampling frequency.
fn nearest(slots: u64, sampling: u64) -> Span {
    Span((slots * 4_000_000_000 + sampling / 2) / sampling)
}

/// The frame's symbols as instants.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// A frame's length.
    frame: Span,
    sampling: u64,
    /// Physical slots of a symbol.
    symbol: u64,
    /// Symbols of the downlink, the preamble included.
    downlink: u64,
    /// Start of the present frame.
    pub start: Time,
}

impl Clock {
    /// The clock at frame zero.
    pub fn new(phy: Phy, downlink: u32) -> Clock {
        let (frame, sampling, symbol) = (phy.frame, phy.sampling(), phy.symbol_slots());
        Clock { frame, sampling, symbol, downlink: u64::from(downlink), start: Time::ZERO }
    }

    /// The first instant of a symbol of the downlink; the one after the last is its end.
    pub fn down(&self, symbol: u32) -> Time {
        self.start + nearest(u64::from(symbol) * self.symbol, self.sampling)
    }

    /// The first instant of a symbol of the uplink.
    pub fn up(&self, symbol: u32) -> Time {
        let symbols = self.downlink + u64::from(symbol);
        self.start + nearest(symbols * self.symbol + GAP_SLOTS, self.sampling)
    }

    /// The first instant of a symbol of a direction.
    pub fn of(&self, way: Way, symbol: u32) -> Time {
        match way {
            Way::Down => self.down(symbol),
            Way::Up => self.up(symbol),
        }
    }

    /// Start of the next frame.
    pub fn next(&self) -> Time {
        self.start + self.frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_and_a_frame_as_the_standard_has_them() {
        let phy = Phy { bandwidth: 7_000_000, prefix: 4, frame: Span::millis(5) };
        assert_eq!((phy.sampling(), phy.slots(phy.symbol_slots())), (8_000_000, Span::micros(40)));
        assert_eq!(phy.symbols(), 124);
        let phy = Phy { prefix: 16, ..phy };
        assert_eq!((phy.slots(phy.symbol_slots()), phy.symbols()), (Span::micros(34), 146));
        let phy = Phy { bandwidth: 5_500_000, prefix: 32, frame: Span::millis(8) };
        assert_eq!((phy.sampling(), phy.symbols()), (6_320_000, 191));
    }

    #[test]
    fn what_fits_in_symbols_fits() {
        for &mcs in <Mcs as base::Named>::ALL {
            for tail in [Tail::Burst, Tail::Symbol] {
                let coding = Coding { mcs, tail };
                assert_eq!(coding.room(0), 0);
                for symbols in 1..40 {
                    let room = coding.room(symbols);
                    assert_eq!(
                        (coding.symbols(room), coding.symbols(room + 1)),
                        (symbols, symbols + 1)
                    );
                    assert_eq!(coding.arrived(room), symbols);
                }
            }
        }
    }
}
