//! Durations of frames and waits.

use crate::config::{BystanderRule, MacConfig, PhyConfig, TimeoutRule};
use crate::phy::{Airtime, Payload};
use base::{Rate, Span};

/// MPDU sizes of control frames, FCS included, bytes (802.11-2020, 9.3.1).
pub const RTS_BYTES: u32 = 20;
/// Clear to send.
pub const CTS_BYTES: u32 = 14;
/// Acknowledgement.
pub const ACK_BYTES: u32 = 14;

/// Block acknowledgement request.
pub const BLOCK_ACK_REQUEST_BYTES: u32 = 24;
/// Compressed block acknowledgement of up to 64 MPDUs; of up to 256 it has 24 bytes more (802.11-2020, 9.3.1.8).
pub const BLOCK_ACK_BYTES: u32 = 32;
/// End of a TXOP.
pub const CF_END_BYTES: u32 = 20;

/// Kind of frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Request to send.
    Rts,
    /// Clear to send.
    Cts,
    /// Data or management, to be acknowledged.
    Data,
    /// Data or management for all: nobody answers.
    Group,
    /// Acknowledgement.
    Ack,
    /// Acknowledgement of several MPDUs.
    BlockAck,
    /// Asks for one.
    BlockAckRequest,
    /// Ends a reservation (CF-End).
    End,
}

impl Kind {
    /// Returns true if the frame answers another, so that its addressee waits for it.
    pub fn is_answer(self) -> bool {
        matches!(self, Kind::Cts | Kind::Ack | Kind::BlockAck)
    }
}

/// A control frame on the air.
#[derive(Clone, Copy, Debug)]
pub struct ControlFrame {
    /// With PLCP.
    pub airtime: Span,
    /// PLCP preamble and header.
    pub plcp: Span,
    /// Bits of the MPDU.
    pub bits: u64,
}

/// The durations that do not depend on a packet, worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Request to send.
    pub rts: ControlFrame,
    /// Clear to send.
    pub cts: ControlFrame,
    /// Acknowledgement.
    pub ack: ControlFrame,
    /// Acknowledgement of a frame at the lowest basic rate.
    pub basic_ack: ControlFrame,
    /// SIFS.
    pub sifs: Span,
    /// SIFS and two slots, or as many as the queue has.
    pub difs: Span,
    /// From the end of a frame that could not be decoded to the start of the slots.
    pub after_error: Span,
    /// From the end of a frame that should have been answered to the start of the sender's slots.
    pub after_timeout: Span,
    /// From the end of a frame that should be answered to the moment at which its sender knows that no answer comes.
    pub timeout: Span,
    /// From the end of an RTS to the moment at which a NAV that it set may be given up.
    pub nav_timeout: Span,
    /// A CTS to oneself goes before the data.
    pub announces: bool,
    data: Airtime,
    control: Airtime,
    lowest: Airtime,
}

impl Timing {
    /// The durations for a PHY under the MAC's rules.
    pub fn new(phy: &PhyConfig, mac: &MacConfig) -> Timing {
        Timing::of_queue(phy, mac, 2)
    }

    /// The same with another number of slots in the inter-frame space: AIFS in the place of DIFS (802.11-2020, 10.23.2.3).
    pub fn of_queue(phy: &PhyConfig, mac: &MacConfig, aifsn: u64) -> Timing {
        let form = |airtime: &Airtime, bytes: u32| ControlFrame {
            airtime: airtime.of_bytes(bytes),
            plcp: airtime.preamble,
            bits: u64::from(bytes) * 8,
        };
        let control = |bytes| form(&phy.control, bytes);
        let difs = phy.sifs + phy.slot * aifsn;
        // EIFS = aSIFSTime + DIFS + ACKTxTime at the lowest mandatory rate (802.11-2020, 10.3.7).
        let eifs = phy.sifs + difs + phy.lowest.of_bytes(ACK_BYTES);
        let timeout = phy.sifs + phy.slot + phy.rx_start_delay;
        let cts = control(CTS_BYTES);
        let whole_answer = phy.sifs + cts.airtime + Span::micros(4);
        Timing {
            rts: control(RTS_BYTES),
            cts,
            ack: control(ACK_BYTES),
            basic_ack: form(&phy.lowest, ACK_BYTES),
            sifs: phy.sifs,
            difs,
            after_error: match mac.bystanders {
                BystanderRule::Eifs => eifs,
                BystanderRule::Difs => difs,
                BystanderRule::EifsThenDifs => eifs + difs,
            },
            after_timeout: match mac.timeouts {
                TimeoutRule::TimeoutThenDifs => timeout + difs,
                TimeoutRule::Timeout => timeout,
                TimeoutRule::WholeAnswer => whole_answer,
            },
            timeout: match mac.timeouts {
                TimeoutRule::TimeoutThenDifs | TimeoutRule::Timeout => timeout,
                TimeoutRule::WholeAnswer => whole_answer,
            },
            // 2 SIFS + CTS + aRxPHYStartDelay + 2 slots (802.11-2020, 10.3.2.4).
            nav_timeout: phy.sifs * 2 + cts.airtime + phy.rx_start_delay + phy.slot * 2,
            announces: mac.cts_to_self && is_ofdm(&phy.data) && !is_ofdm(&phy.control),
            data: phy.data,
            control: phy.control,
            lowest: phy.lowest,
        }
    }

    /// A data frame of `bits` (MPDU, coded or not) on the air, PLCP included.
    #[inline]
    pub fn data(&self, bits: u64) -> Span {
        self.data.of_bits(bits)
    }

    /// Bits of data a second while a data frame lasts.
    pub fn data_rate(&self) -> Rate {
        self.data.payload.rate()
    }

    /// The most bytes of a PSDU whose data frame lasts no longer than `limit`.
    pub fn most_bytes(&self, limit: Span) -> u64 {
        self.data.most_bytes(limit)
    }

    /// A control frame of `bytes`, PLCP included.
    pub fn control(&self, bytes: u32) -> Span {
        self.control.of_bytes(bytes)
    }

    /// PLCP preamble and header of control frames.
    pub fn control_plcp(&self) -> Span {
        self.control.preamble
    }

    /// A frame of `bits` (MPDU) at the lowest basic rate, PLCP included.
    pub fn basic(&self, bits: u64) -> Span {
        self.lowest.of_bits(bits)
    }

    /// PLCP preamble and header of frames at the lowest basic rate.
    pub fn basic_plcp(&self) -> Span {
        self.lowest.preamble
    }

    /// PLCP preamble and header of data frames.
    pub fn data_plcp(&self) -> Span {
        self.data.preamble
    }
}

fn is_ofdm(airtime: &Airtime) -> bool {
    matches!(airtime.payload, Payload::Symbols { .. } | Payload::Ldpc(_))
}
