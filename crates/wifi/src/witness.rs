//! Observers of frames: captures and other probes. A witness changes nothing, and `()` costs nothing.

use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::{Channel, Management};
use crate::phy::Modern;
use crate::qos::{Category, Sends};
use crate::station::FrameDetails;
use base::{PacketId, Rate, Span, StationId, Time};

/// A frame that goes on the air.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// Kind of frame.
    pub kind: Kind,
    /// Sender.
    pub from: StationId,
    /// Addressee.
    pub to: StationId,
    /// Start of the preamble.
    pub start: Time,
    /// PLCP preamble and header.
    pub plcp: Span,
    /// All of it.
    pub airtime: Span,
    /// MPDU, FCS included and before coding, bytes.
    pub bytes: u32,
    /// Its channel; `None` if its cell has only one.
    pub channel: Option<Channel>,
    /// Rate of the MPDU.
    pub rate: Rate,
    /// End of the NAV that it sets at bystanders; none if this is not after its end.
    pub nav: Time,
    /// True if it has been sent before.
    pub retry: bool,
    /// The packet that enters service with this frame: the first of its first exchange, and only that.
    pub opens: Option<PacketId>,
    /// Its body, if it is a management frame.
    pub management: Option<Management>,
    /// Its mode, if it is a data frame of HT, VHT or HE.
    pub mode: Option<Modern>,
    /// Its part in an exchange, in a cell with access categories.
    pub qos: Option<QosDetails>,
}

/// The part of a frame in an exchange of a cell with access categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QosDetails {
    /// The category whose exchange it is.
    pub category: Category,
    /// What the exchange brings.
    pub sends: Sends,
    /// Its MPDUs, if it carries data.
    pub mpdus: u32,
    /// Number of the oldest MPDU that the sender of the data has not settled: what is before it will not come again.
    pub oldest: u64,
    /// Both ends have QoS: data have a QoS control field, and there may be a block-ack agreement.
    pub agreed: bool,
    /// Each MPDU has its delimiter, also one that is alone.
    pub delimited: bool,
}

/// An MPDU of the data frame that was reported last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentMpdu {
    /// Its sender.
    pub from: StationId,
    /// Its running number in the agreement of sender, receiver and category; its sequence number is this modulo 4096.
    pub number: u64,
    /// With MAC header and FCS.
    pub bytes: u32,
    /// When its receiver has it, if it decodes it.
    pub up: Time,
    /// True if it has been sent before.
    pub retry: bool,
    /// True if its receiver does not decode it.
    pub lost: bool,
    /// Nobody else does either: all share a channel.
    pub for_all: bool,
}

impl Sent {
    /// A frame by what only its sender knows: its bit rates (of data frames, of control frames, of frames at the lowest basic
    /// rate), its channel, and what its station has in service.
    pub(crate) fn new(
        frame: &Frame,
        (data, control, basic): (Rate, Rate, Rate),
        channel: Option<Channel>,
        FrameDetails { retry, opens, management }: FrameDetails,
    ) -> Sent {
        Sent {
            kind: frame.kind,
            from: frame.from,
            to: frame.to,
            start: frame.start,
            plcp: frame.plcp,
            airtime: frame.airtime,
            bytes: (frame.bits / 8) as u32,
            channel,
            rate: match frame.kind {
                _ if frame.basic => basic,
                Kind::Data => data,
                _ => control,
            },
            nav: frame.nav,
            retry,
            opens,
            management,
            mode: None,
            qos: None,
        }
    }
}

/// A station's reception of the last frame that another has sent.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// Sender.
    pub from: StationId,
    /// Receiver.
    pub at: StationId,
    /// Its power there, W, where stations have places.
    pub power_w: Option<f64>,
    /// True where all is understood; of a frame with MPDUs, those of them that were not lost.
    pub decoded: bool,
}

/// Observes frames in the order in which they begin, and the receptions of each before its sender's next.
pub trait Witness {
    /// A frame that goes on the air, now or within the present exchange.
    fn sent(&mut self, frame: impl FnOnce() -> Sent);

    /// A packet of the MPDU that is reported next, when that goes on the air for the first time.
    fn msdu(&mut self, _from: StationId, _packet: PacketId) {}

    /// An MPDU of the frame reported last, which comes from a cell with access categories. Not asked for unless it listens.
    fn mpdu(&mut self, _mpdu: SentMpdu) {}

    /// Reports that all these stations heard a frame, or will within the present exchange. A station that only senses its
    /// power is not among them.
    fn heard(&mut self, by: impl Iterator<Item = Heard>);

    /// False where neither makes a difference, now and later.
    fn is_listening(&self) -> bool;
}

impl Witness for () {
    #[inline(always)]
    fn sent(&mut self, _frame: impl FnOnce() -> Sent) {}

    #[inline(always)]
    fn heard(&mut self, _by: impl Iterator<Item = Heard>) {}

    #[inline(always)]
    fn is_listening(&self) -> bool {
        false
    }
}
