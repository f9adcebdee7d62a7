//! The radiotap header (radiotap.org): what a receiver tells of a frame beside its bytes.

use crate::modes;
use wifi::phy::Modern;

/// A frame as a receiver saw it.
#[derive(Clone, Copy, Debug)]
pub struct Radiotap {
    /// TSFT: when the first bit of the MPDU arrived, us.
    pub tsft_us: u64,
    /// Short preamble.
    pub short_preamble: bool,
    /// The frame was not decoded.
    pub bad_fcs: bool,
    /// Bits per second; not told where there is a mode.
    pub rate_bps: u64,
    /// Mode of a frame of HT, VHT or HE.
    pub mode: Option<Modern>,
    /// Its place in an A-MPDU.
    pub ampdu: Option<Ampdu>,
    /// Centre frequency, MHz.
    pub frequency_mhz: u16,
    /// [`CCK`], [`OFDM`], [`GHZ2`] and so on.
    pub channel_flags: u16,
    /// Power at the antenna, dBm, where it is known.
    pub signal_dbm: Option<i8>,
}

/// The place of an MPDU in an A-MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ampdu {
    /// The same for all its MPDUs, and another for the next A-MPDU.
    pub reference: u32,
    /// It is the last.
    pub is_last: bool,
    /// It is the only one, which its delimiter says (EOF), so that an ACK answers it.
    pub is_single: bool,
}

/// The length of the longest header, bytes: with a signal, an A-MPDU status, and a VHT or HE field.
pub const LONGEST: usize = 44;

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

/// Places of fields in `it_present`; fields are in this order.
const TSFT: u32 = 0;
const FLAGS: u32 = 1;
const RATE: u32 = 2;
const CHANNEL: u32 = 3;
const SIGNAL: u32 = 5;
const MCS: u32 = 19;
const AMPDU_STATUS: u32 = 20;
const VHT: u32 = 21;
const HE: u32 = 23;

const SHORT_PREAMBLE: u8 = 0x02;
const FCS_AT_END: u8 = 0x10;
const BAD_FCS: u8 = 0x40;

const LAST_KNOWN: u16 = 0x04;
const IS_LAST: u16 = 0x08;
const EOF: u16 = 0x40;
const EOF_KNOWN: u16 = 0x80;

/// A header that is being written.
struct Fields {
    bytes: [u8; LONGEST],
    len: usize,
    present: u32,
}

impl Fields {
    /// Adds a field, which begins at a multiple of `align`.
    fn put(&mut self, bit: u32, align: usize, content: &[u8]) {
        let start = self.len.next_multiple_of(align);
        self.len = start + content.len();
        self.bytes[start..self.len].copy_from_slice(content);
        self.present |= 1 << bit;
    }
}

impl Radiotap {
    /// Returns the header and its length.
    pub fn bytes(&self) -> ([u8; LONGEST], usize) {
        let mut out = Fields { bytes: [0; LONGEST], len: 8, present: 0 };
        out.put(TSFT, 8, &self.tsft_us.to_le_bytes());
        let mut flags = FCS_AT_END;
        flags |= if self.short_preamble { SHORT_PREAMBLE } else { 0 };
        flags |= if self.bad_fcs { BAD_FCS } else { 0 };
        out.put(FLAGS, 1, &[flags]);
        // Units of 500 kbit/s in a byte; a faster frame has no rate here.
        if let (None, Ok(rate)) = (self.mode, u8::try_from((self.rate_bps + 250_000) / 500_000)) {
            out.put(RATE, 1, &[rate]);
        }
        let [[a, b], [c, d]] = [self.frequency_mhz, self.channel_flags].map(u16::to_le_bytes);
        out.put(CHANNEL, 2, &[a, b, c, d]);
        if let Some(dbm) = self.signal_dbm {
            out.put(SIGNAL, 1, &dbm.to_le_bytes());
        }
        if let Some(field) = self.mode.and_then(modes::ht) {
            out.put(MCS, 1, &field);
        }
        if let Some(ampdu) = self.ampdu {
            out.put(AMPDU_STATUS, 4, &ampdu.bytes());
        }
        if let Some(field) = self.mode.and_then(modes::vht) {
            out.put(VHT, 2, &field);
        }
        if let Some(field) = self.mode.and_then(modes::he) {
            out.put(HE, 2, &field);
        }
        out.bytes[2..4].copy_from_slice(&(out.len as u16).to_le_bytes());
        out.bytes[4..8].copy_from_slice(&out.present.to_le_bytes());
        (out.bytes, out.len)
    }

    /// Returns the length of the header with a signal, bytes.
    pub fn most(&self) -> usize {
        Radiotap { signal_dbm: Some(0), ..*self }.bytes().1
    }
}

impl Ampdu {
    /// Reference number, flags, CRC of the delimiter (not told), reserved.
    fn bytes(self) -> [u8; 8] {
        let mut flags = LAST_KNOWN | EOF_KNOWN;
        flags |= if self.is_last { IS_LAST } else { 0 };
        flags |= if self.is_single { EOF } else { 0 };
        let [a, b, c, d] = self.reference.to_le_bytes();
        let [low, high] = flags.to_le_bytes();
        [a, b, c, d, low, high, 0, 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;
    use wifi::phy::{Generation, PreambleRule};

    #[test]
    fn fields_stand_where_the_standard_has_them() {
        let header = Radiotap {
            tsft_us: 0x0102_0304,
            short_preamble: false,
            bad_fcs: true,
            rate_bps: 5_500_000,
            mode: None,
            ampdu: None,
            frequency_mhz: 2412,
            channel_flags: CCK | GHZ2,
            signal_dbm: Some(-60),
        };
        let expected = [
            0, 0, 23, 0, 0x2f, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0x50, 11, 0x6c, 0x09, 0xa0, 0, 196,
        ];
        let (bytes, len) = header.bytes();
        assert_eq!((&bytes[..len], header.most()), (&expected[..], 23));
    }

    /// The VHT field begins at an even place, the A-MPDU status at a multiple of four, both behind the signal.
    #[test]
    fn modes_and_aggregates_have_fields_of_their_own() {
        let rule = PreambleRule::Standard;
        let mode = Modern::new(Generation::Vht, 9, 2, 80, Span(800), rule);
        let header = Radiotap {
            tsft_us: 0,
            short_preamble: false,
            bad_fcs: false,
            rate_bps: 780_000_000,
            mode,
            ampdu: Some(Ampdu { reference: 7, is_last: true, is_single: false }),
            frequency_mhz: 5180,
            channel_flags: OFDM | GHZ5,
            signal_dbm: Some(-60),
        };
        let (bytes, len) = header.bytes();
        assert_eq!((len, LONGEST), (44, 44));
        assert_eq!(u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]), 0x0030_002b);
        assert_eq!(bytes[24..32], [7, 0, 0, 0, 0x8c, 0, 0, 0]);
        assert_eq!(bytes[32..38], [0x45, 0, 0, 4, 0x92, 0]);
    }
}
