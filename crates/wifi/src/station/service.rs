//! The frame that a station tries to send, and how often it has tried.

use crate::config::MacConfig;
use crate::mlme::{GROUP, Management};
use base::{PacketId, StationId};

/// The frame that a station tries to send.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// Receiver.
    pub to: StationId,
    /// Management frame, if it is no packet.
    pub management: Option<Management>,
    /// The packet; not to be touched once delivered.
    pub id: PacketId,
    /// Bits of the MPDU, uncoded.
    pub mpdu_bits: u64,
    /// True where RTS/CTS precede it.
    pub uses_rts: bool,
    /// The receiver has it: further copies are duplicates, found by their sequence number and retry bit.
    pub delivered: bool,
    /// Attempts since the last CTS came, or in all where none is asked for.
    pub short_retries: u32,
    /// Attempts after a CTS.
    pub long_retries: u32,
}

impl Service {
    /// A packet for `to` of `bytes` bytes at the network layer; group-addressed packets go without RTS (802.11-2020,
    /// 10.3.6).
    pub fn of_packet(id: PacketId, to: StationId, bytes: u32, mac: &MacConfig) -> Service {
        Service::new(to, id, bytes + mac.data_overhead(), mac)
    }

    /// A management frame; those for a group go without RTS (802.11-2020, 10.3.2.9).
    pub fn of_management(to: StationId, frame: Management, mac: &MacConfig) -> Service {
        let id = PacketId(u32::MAX);
        Service { management: Some(frame), ..Service::new(to, id, frame.bytes(), mac) }
    }

    fn new(to: StationId, id: PacketId, mpdu_bytes: u32, mac: &MacConfig) -> Service {
        Service {
            to,
            management: None,
            id,
            mpdu_bits: u64::from(mpdu_bytes) * 8,
            uses_rts: mpdu_bytes > mac.rts_threshold && to != GROUP,
            delivered: false,
            short_retries: 0,
            long_retries: 0,
        }
    }

    /// Addresses it to `to` from now on, with new counts of attempts and duplicates.
    pub fn readdress(&mut self, to: StationId) {
        if self.to != to {
            (self.to, self.short_retries, self.long_retries) = (to, 0, 0);
        }
    }

    /// True where it is sent at the lowest basic rate: frames for all and management frames (802.11-2020, 10.6.5).
    pub fn is_basic(&self) -> bool {
        self.to == GROUP || self.management.is_some()
    }

    /// True where this exchange is its first.
    pub fn is_new(&self) -> bool {
        self.short_retries + self.long_retries == 0
    }

    /// True where its data frame has been on the air before. Behind an RTS only the long counter says so: a CTS resets
    /// the short one, and nothing but success resets the long one.
    pub fn data_was_sent(&self) -> bool {
        if self.uses_rts { self.long_retries > 0 } else { self.short_retries > 0 }
    }
}
