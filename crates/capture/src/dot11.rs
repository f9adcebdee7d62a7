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
    /// A data frame whose body is an IPv4 packet behind LLC and SNAP.
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
    },
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
        Form::Management { transmitter, bssid, sequence, .. } => {
            out.put(transmitter);
            out.put(bssid);
            out.put_le16((sequence % 4096) << 4);
            out.put(body);
        }
        Form::Data { transmitter, third, sequence, .. } => {
            out.put(transmitter);
            out.put(third);
            out.put_le16((sequence % 4096) << 4);
            out.put(&LLC_SNAP_IPV4);
            out.put(body);
        }
    }
    let end = (start + len.saturating_sub(FCS)).max(out.len());
    out.resize(end, 0);
    let fcs = crc32fast::hash(&out[start..]);
    out.put_le32(fcs);
}

/// Type and subtype, then the flags (802.11-2020, 9.2.4.1 and Table 9-1).
fn frame_control(form: &Form) -> [u8; 2] {
    match form {
        Form::Rts { .. } => [0xb4, 0],
        Form::Cts => [0xc4, 0],
        Form::Ack => [0xd4, 0],
        Form::Management { subtype, retry, .. } => [subtype << 4, if *retry { RETRY } else { 0 }],
        Form::Data { distribution, retry, .. } => {
            let way = match distribution {
                Distribution::AdHoc => 0,
                Distribution::To => TO_DS,
                Distribution::From => FROM_DS,
            };
            [0x08, way | if *retry { RETRY } else { 0 }]
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
        };
        let mut out = Vec::new();
        put_frame(&mut out, &form, (AP, 258), &[0x45; 20], 60);
        assert_eq!(out.len(), 60);
        assert_eq!(out[..4], [0x08, 0x09, 2, 1]);
        assert_eq!(out[22..24], [0x10, 0]);
        assert_eq!(out[24..33], [0xaa, 0xaa, 3, 0, 0, 0, 8, 0, 0x45]);
    }

    #[test]
    fn what_does_not_fit_makes_the_frame_longer() {
        let mut out = Vec::new();
        put_frame(&mut out, &Form::Rts { transmitter: STATION }, (AP, 0), &[], 0);
        assert_eq!(out.len(), 20);
    }
}
