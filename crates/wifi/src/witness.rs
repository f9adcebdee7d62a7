//! Who is told of frames: captures and other probes. A witness changes nothing, and `()` costs nothing.

use crate::exchange::Frame;
use crate::frames::Kind;
use crate::mlme::{Channel, Management};
use crate::station::FrameDetails;
use base::{PacketId, Rate, Span, StationId, Time};

/// A frame that goes on the air.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// What it is for.
    pub kind: Kind,
    /// Who sends it.
    pub from: StationId,
    /// Whom it addresses.
    pub to: StationId,
    /// Start of the preamble.
    pub start: Time,
    /// PLCP preamble and header.
    pub plcp: Span,
    /// All of it.
    pub airtime: Span,
    /// MPDU, FCS included and before coding, bytes.
    pub bytes: u32,
    /// On which it is sent; `None`: its cell has but one.
    pub channel: Option<Channel>,
    /// At which the MPDU is sent.
    pub rate: Rate,
    /// Until when it tells bystanders to keep silent; its end or earlier: it does not.
    pub nav: Time,
    /// It has been sent before.
    pub retry: bool,
    /// The packet that enters service with this frame: the first of its first exchange, and only that.
    pub opens: Option<PacketId>,
    /// What it says, where it is a management frame.
    pub management: Option<Management>,
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
        }
    }
}

/// What a station made of the frame that another has sent last.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// Who has sent it.
    pub from: StationId,
    /// Who has heard it.
    pub at: StationId,
    /// Its power there, W, where stations have places.
    pub power_w: Option<f64>,
    /// True where all is understood.
    pub decoded: bool,
}

/// Is told of frames, in the order in which they begin; of what was heard before their sender's next.
pub trait Witness {
    /// A frame that goes on the air, now or within the present exchange.
    fn sent(&mut self, frame: impl FnOnce() -> Sent);

    /// A frame that was heard, or will be within the present exchange, by all of these. Who notices power only is not
    /// among them.
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
