//! 802.11 frames (802.11-2020, clause 9), FCS included.

use crate::bytes::Put;

/// A MAC address.
pub type Mac = [u8; 6];

/// The address of all.
pub const BROADCAST: Mac = [0xff; 6];

/// The direction of a data frame, by its frame control (802.11-2020, 9.2.4.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// From station to station.
    AdHoc,
    /// To the access point.
    To,
    /// From the access point.
    From,
}

/// A frame's kind with what only it carries.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Request to send.
    Rts {
        /// Transmitter.
        transmitter: Mac,
    },
    /// Clear to send.
    Cts,
    /// Acknowledgement.
    Ack,
    /// End of a reservation, for all.
    CfEnd {
        /// Transmitter.
        transmitter: Mac,
    },
    /// Block acknowledgement request.
    BlockAckRequest {
        /// Transmitter.
        transmitter: Mac,
        /// Traffic identifier.
        tid: u8,
        /// Sequence number from which it asks.
        start: u16,
    },
    /// Compressed block acknowledgement.
    BlockAck {
        /// Transmitter.
        transmitter: Mac,
        /// Traffic identifier.
        tid: u8,
        /// Sequence number of the first bit.
        start: u16,
        /// A bit for each MPDU that has come.
        bitmap: Bitmap,
    },
    /// A management frame, whose body is fields and elements.
    Management {
        /// Its purpose (802.11-2020, Table 9-1).
        subtype: u8,
        /// Transmitter.
        transmitter: Mac,
        /// Network.
        bssid: Mac,
        /// Number of the frame, modulo 4096.
        sequence: u16,
        /// True if it has been sent before.
        retry: bool,
    },
    /// A data frame whose body is an IPv4 packet, which LLC and SNAP precede, or the subframes of an A-MSDU.
    Data {
        /// The direction.
        distribution: Distribution,
        /// Transmitter.
        transmitter: Mac,
        /// The BSSID, or the address at the far end of the distribution.
        third: Mac,
        /// Number of the MSDU, modulo 4096.
        sequence: u16,
        /// True if it has been sent before.
        retry: bool,
        /// Of a station with QoS: its QoS control field.
        qos: Option<QosControl>,
    },
}

/// The QoS control field of a data frame (802.11-2020, 9.2.4.5).
#[derive(Clone, Copy, Debug)]
pub struct QosControl {
    /// Traffic identifier.
    pub tid: u8,
    /// The body is an A-MSDU.
    pub is_amsdu: bool,
}

/// The bitmap of a compressed block acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitmap {
    /// Of 64 MPDUs.
    Short(u64),
    /// Of 256 MPDUs (802.11ax-2021, table 9-30b).
    Long([u64; 4]),
}

const LLC_SNAP_IPV4: [u8; 8] = [0xaa, 0xaa, 0x03, 0, 0, 0, 0x08, 0x00];

const TO_DS: u8 = 0x01;
const FROM_DS: u8 = 0x02;
const RETRY: u8 = 0x08;

/// The MAC header of a data or management frame up to its third address, bytes.
pub const DATA_HEADER: usize = 22;
/// The frame check sequence, bytes.
pub const FCS: usize = 4;

/// Appends a frame for `receiver`: header, `body`, zeros up to `len` bytes, FCS. It is longer where it must be.
pub fn put_frame(
    out: &mut Vec<u8>,
    form: &Form,
    (receiver, duration_us): (Mac, u16),
    body: &[u8],
    len: usize,
) {
    let start = out.len();
    out.put(&frame_control(form));
    out.put_le16(duration_us);
    out.put(&receiver);
    match form {
        Form::Rts { transmitter } => out.put(transmitter),
        Form::Cts | Form::Ack => {}
        Form::CfEnd { transmitter } => out.put(transmitter),
        Form::BlockAckRequest { transmitter, tid, start } => {
            out.put(transmitter);
            put_control(out, *tid, (start % 4096) << 4);
        }
        Form::BlockAck { transmitter, tid, start, bitmap } => {
            out.put(transmitter);
            let start = (start % 4096) << 4;
            match bitmap {
                Bitmap::Short(bits) => {
                    put_control(out, *tid, start);
                    out.put_le64(*bits);
                }
                Bitmap::Long(words) => {
                    put_control(out, *tid, start | BITMAP_OF_256);
                    words.iter().for_each(|bits| out.put_le64(*bits));
                }
            }
        }
        Form::Management { transmitter, bssid, sequence, .. } => {
            out.put(transmitter);
            out.put(bssid);
            out.put_le16((sequence % 4096) << 4);
            out.put(body);
        }
        Form::Data { transmitter, third, sequence, qos, .. } => {
            out.put(transmitter);
            out.put(third);
            out.put_le16((sequence % 4096) << 4);
            if let Some(qos) = qos {
                out.put(&[qos.octet(), 0]);
            }
            if !qos.is_some_and(|qos| qos.is_amsdu) {
                out.put(&LLC_SNAP_IPV4);
            }
            out.put(body);
        }
    }
    let end = (start + len.saturating_sub(FCS)).max(out.len());
    out.resize(end, 0);
    let fcs = crc32fast::hash(&out[start..]);
    out.put_le32(fcs);
}

/// The control field of a block acknowledgement or a request, compressed, and its starting sequence control (802.11-2020,
/// 9.3.1.7 and 9.3.1.8).
fn put_control(out: &mut Vec<u8>, tid: u8, start: u16) {
    const COMPRESSED: u16 = 2 << 1;
    out.put_le16(COMPRESSED | u16::from(tid) << 12);
    out.put_le16(start);
}

/// The fragment number that stands for a bitmap of 256 bits.
const BITMAP_OF_256: u16 = 4;

impl QosControl {
    fn octet(self) -> u8 {
        const AMSDU: u8 = 0x80;
        self.tid | if self.is_amsdu { AMSDU } else { 0 }
    }
}

/// Appends a subframe of an A-MSDU (802.11-2020, 9.3.2.2.2) that holds an IPv4 packet; what is there already are the subframes
/// before it, of which each begins at a multiple of four.
pub fn put_subframe(
    out: &mut Vec<u8>,
    (destination, source): (Mac, Mac),
    packet: impl FnOnce(&mut Vec<u8>),
) {
    out.resize(out.len().next_multiple_of(4), 0);
    out.put(&destination);
    out.put(&source);
    let length = out.len();
    out.put_be16(0);
    out.put(&LLC_SNAP_IPV4);
    packet(out);
    let bytes = u16::try_from(out.len() - length - 2).unwrap_or(u16::MAX);
    out[length..length + 2].copy_from_slice(&bytes.to_be_bytes());
}

/// Type and subtype, then the flags (802.11-2020, 9.2.4.1 and Table 9-1).
fn frame_control(form: &Form) -> [u8; 2] {
    match form {
        Form::Rts { .. } => [0xb4, 0],
        Form::Cts => [0xc4, 0],
        Form::Ack => [0xd4, 0],
        Form::BlockAckRequest { .. } => [0x84, 0],
        Form::BlockAck { .. } => [0x94, 0],
        Form::CfEnd { .. } => [0xe4, 0],
        Form::Management { subtype, retry, .. } => [subtype << 4, if *retry { RETRY } else { 0 }],
        Form::Data { distribution, retry, qos, .. } => {
            let way = match distribution {
                Distribution::AdHoc => 0,
                Distribution::To => TO_DS,
                Distribution::From => FROM_DS,
            };
            [if qos.is_some() { 0x88 } else { 0x08 }, way | if *retry { RETRY } else { 0 }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AP: Mac = [2, 0, 0, 0, 0, 1];
    const STATION: Mac = [2, 0, 0, 0, 0, 2];

    #[test]
    fn an_acknowledgement_is_fourteen_bytes() {
        let mut out = Vec::new();
        put_frame(&mut out, &Form::Ack, (STATION, 0), &[], 14);
        assert_eq!(out[..10], [0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 2]);
        // CRC-32 of these ten bytes; the check value of the CRC itself is cbf43926 for "123456789".
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
        assert_eq!(out[10..], crc32fast::hash(&out[..10]).to_le_bytes());
    }

    #[test]
    fn a_retry_to_the_access_point_says_so() {
        let form = Form::Data {
            distribution: Distribution::To,
            transmitter: STATION,
            third: AP,
            sequence: 4097,
            retry: true,
            qos: None,
        };
        let mut out = Vec::new();
        put_frame(&mut out, &form, (AP, 258), &[0x45; 20], 60);
        assert_eq!(out.len(), 60);
        assert_eq!(out[..4], [0x08, 0x09, 2, 1]);
        assert_eq!(out[22..24], [0x10, 0]);
        assert_eq!(out[24..33], [0xaa, 0xaa, 3, 0, 0, 0, 8, 0, 0x45]);
    }

    #[test]
    fn block_acknowledgements_have_the_lengths_of_the_standard() {
        let frame = |form| {
            let mut out = Vec::new();
            put_frame(&mut out, &form, (AP, 0), &[], 0);
            out
        };
        let (transmitter, tid, start) = (STATION, 6, 4095);
        let request = frame(Form::BlockAckRequest { transmitter, tid, start });
        assert_eq!((request.len(), &request[16..20]), (24, &[4, 0x60, 0xf0, 0xff][..]));
        let bitmap = Bitmap::Short(0x8000_0000_0000_0001);
        let short = frame(Form::BlockAck { transmitter, tid, start, bitmap });
        assert_eq!((short.len(), &short[20..28]), (32, &[1, 0, 0, 0, 0, 0, 0, 0x80][..]));
        let bitmap = Bitmap::Long([1, 0, 0, 2]);
        let long = frame(Form::BlockAck { transmitter, tid, start, bitmap });
        assert_eq!((long.len(), &long[18..21]), (56, &[0xf4, 0xff, 1][..]));
        assert_eq!(frame(Form::CfEnd { transmitter }).len(), 20);
    }

    #[test]
    fn subframes_begin_at_multiples_of_four() {
        let mut out = Vec::new();
        for bytes in [41, 40] {
            put_subframe(&mut out, (AP, STATION), |out| out.resize(out.len() + bytes, 0x45));
        }
        // 14 + 8 + 41 = 63, one of padding, 14 + 8 + 40, and none behind the last.
        assert_eq!(out.len(), 64 + 62);
        assert_eq!((&out[12..14], &out[76..78]), (&[0, 49][..], &[0, 48][..]));
    }

    #[test]
    fn what_does_not_fit_makes_the_frame_longer() {
        let mut out = Vec::new();
        put_frame(&mut out, &Form::Rts { transmitter: STATION }, (AP, 0), &[], 0);
        assert_eq!(out.len(), 20);
    }
}
