//! The radiotap header (radiotap.org): what a receiver tells of a frame beside its bytes.

/// A frame as a receiver saw it.
#[derive(Clone, Copy, Debug)]
pub struct Radiotap {
    /// TSFT: when the first bit of the MPDU arrived, us.
    pub tsft_us: u64,
    /// Short preamble.
    pub short_preamble: bool,
    /// The frame was not decoded.
    pub bad_fcs: bool,
    /// Bits per second.
    pub rate_bps: u64,
    /// Centre frequency, MHz.
    pub frequency_mhz: u16,
    /// [`CCK`], [`OFDM`], [`GHZ2`] and so on.
    pub channel_flags: u16,
    /// Power at the antenna, dBm, where it is known.
    pub signal_dbm: Option<i8>,
}

/// The length of a header with a signal, bytes.
pub const LONGEST: usize = 23;

/// Channel flag: the frame is DSSS or CCK.
pub const CCK: u16 = 0x0020;
/// Channel flag: the frame is OFDM.
pub const OFDM: u16 = 0x0040;
/// Channel flag: 2 GHz.
pub const GHZ2: u16 = 0x0080;
/// Channel flag: 5 GHz.
pub const GHZ5: u16 = 0x0100;
/// Channel flag: 10 MHz wide.
pub const HALF: u16 = 0x4000;
/// Channel flag: 5 MHz wide.
pub const QUARTER: u16 = 0x8000;

const TSFT: u32 = 1 << 0;
const FLAGS: u32 = 1 << 1;
const RATE: u32 = 1 << 2;
const CHANNEL: u32 = 1 << 3;
const SIGNAL: u32 = 1 << 5;

const SHORT_PREAMBLE: u8 = 0x02;
const FCS_AT_END: u8 = 0x10;
const BAD_FCS: u8 = 0x40;

impl Radiotap {
    /// Returns the header and its length. Each field is at a multiple of its own size.
    pub fn bytes(&self) -> ([u8; LONGEST], usize) {
        // Units of 500 kbit/s in a byte; a faster frame has no rate here.
        let rate = u8::try_from((self.rate_bps + 250_000) / 500_000).ok();
        let mut present = TSFT | FLAGS | CHANNEL;
        present |= if rate.is_some() { RATE } else { 0 };
        present |= if self.signal_dbm.is_some() { SIGNAL } else { 0 };
        let len = LONGEST - usize::from(self.signal_dbm.is_none());
        let mut flags = FCS_AT_END;
        flags |= if self.short_preamble { SHORT_PREAMBLE } else { 0 };
        flags |= if self.bad_fcs { BAD_FCS } else { 0 };
        let mut out = [0; LONGEST];
        out[2..4].copy_from_slice(&(len as u16).to_le_bytes());
        out[4..8].copy_from_slice(&present.to_le_bytes());
        out[8..16].copy_from_slice(&self.tsft_us.to_le_bytes());
        (out[16], out[17]) = (flags, rate.unwrap_or(0));
        out[18..20].copy_from_slice(&self.frequency_mhz.to_le_bytes());
        out[20..22].copy_from_slice(&self.channel_flags.to_le_bytes());
        out[22] = self.signal_dbm.unwrap_or(0) as u8;
        (out, len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_where_the_standard_has_them() {
        let header = Radiotap {
            tsft_us: 0x0102_0304,
            short_preamble: false,
            bad_fcs: true,
            rate_bps: 5_500_000,
            frequency_mhz: 2412,
            channel_flags: CCK | GHZ2,
            signal_dbm: Some(-60),
        };
        let expected = [
            0, 0, 23, 0, 0x2f, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0x50, 11, 0x6c, 0x09, 0xa0, 0, 196,
        ];
        assert_eq!(header.bytes(), (expected, 23));
    }
}
