//! What a PPDU carries, and how much it may.

/// The limits of a PPDU.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of the PSDU.
    pub bytes: u64,
    /// MPDUs.
    pub mpdus: u32,
    /// Bytes of an A-MSDU's subframes; zero: none.
    pub amsdu: u32,
    /// Bytes of MAC header and FCS.
    pub mac_header: u32,
    /// Bytes of LLC before each packet.
    pub llc_header: u32,
    /// Both ends have QoS: the receiver may hold MPDUs back.
    pub agreed: bool,
}

/// What is put into a PPDU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Psdu {
    /// MPDUs.
    pub mpdus: u32,
    /// Packets in them.
    pub msdus: u32,
    /// Those sent before.
    pub retries: u32,
    /// Bytes, delimiters and padding included, as an A-MPDU.
    pub bytes: u64,
}

/// A delimiter before each MPDU of an A-MPDU (802.11-2020, 9.7.1).
pub const DELIMITER: u64 = 4;
/// Addresses and length before each MSDU of an A-MSDU (802.11-2020, 9.3.2.2.2).
pub(super) const SUBFRAME_HEADER: u32 = 14;

impl Psdu {
    /// The bytes before a further MPDU: those of others are padded to a multiple of four, and it has a delimiter.
    pub(super) fn before_next(self) -> u64 {
        self.bytes.next_multiple_of(4) + DELIMITER
    }
}

/// The largest packet that a room holds.
pub(super) fn largest(room: u64) -> u32 {
    u32::try_from(room).unwrap_or(u32::MAX)
}
