//! The sequence of frames by which a station sends one: RTS, CTS, data and ACK, or as much of it as is asked for.
//!
//! It is data: each frame has its start, its duration and its reservation, and follows a SIFS after the one before. The cell in
//! which all hear all goes through it at once, the medium plays it frame by frame as long as each is understood.

use crate::frames::{ControlFrame, Kind, Timing};
use crate::mlme::GROUP;
use crate::rate::Modulations;
use crate::rates::{RateRef, Rates};
use crate::station::Service;
use base::{Span, StationId, Time};
use radio::Modulation;

/// A frame, as it goes on the air.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Kind of frame.
    pub kind: Kind,
    /// Sender.
    pub from: StationId,
    /// Addressee; the sender itself if the frame has none and only sets the NAV of all (CTS-to-self).
    pub to: StationId,
    /// Rates of its exchange.
    pub rates: RateRef,
    /// True where it is sent at the lowest basic rate (802.11-2020, 10.6.5).
    pub basic: bool,
    /// Start of the preamble.
    pub start: Time,
    /// PLCP and MPDU.
    pub airtime: Span,
    /// PLCP preamble and header.
    pub plcp: Span,
    /// Bits of the MPDU before coding.
    pub bits: u64,
    /// Bits of the MPDU as sent.
    pub sent_bits: u64,
    /// End of the NAV that it sets at bystanders.
    pub nav: Time,
}

impl Frame {
    /// Its last instant.
    pub fn end(&self) -> Time {
        self.start + self.airtime
    }

    /// Its first instant, and when its preamble and header are over.
    pub fn preamble(&self) -> (Time, Time) {
        (self.start, self.start + self.plcp)
    }

    /// Modulation of the frame.
    #[inline]
    pub fn modulation(&self, rates: &Rates) -> Modulation {
        let Modulations { data, answers, basic } = rates.modulations(self.rates);
        match self.kind {
            _ if self.basic => basic,
            Kind::Data => data,
            _ => answers,
        }
    }

    /// True where it carries data or management.
    pub fn is_data(&self) -> bool {
        matches!(self.kind, Kind::Data | Kind::Group)
    }

    /// True where a code protects it.
    pub fn is_coded(&self) -> bool {
        self.bits != self.sent_bits
    }

    /// The station whose exchange it belongs to.
    pub fn owner(&self) -> StationId {
        if self.kind.is_answer() { self.to } else { self.from }
    }
}

/// The exchange of one frame of data.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    timing: &'a Timing,
    rates: RateRef,
    from: StationId,
    to: StationId,
    basic: bool,
    bits: u64,
    sent_bits: u64,
}

impl<'a> Sequence<'a> {
    /// Builds the exchange of the frame in service at `from`, `sent_bits` long if it is coded.
    #[inline(always)]
    pub fn new(
        (timing, rates): (&'a Timing, RateRef),
        (from, service): (StationId, &Service),
        sent_bits: u64,
    ) -> Sequence<'a> {
        let (to, bits, basic) = (service.to, service.mpdu_bits, service.is_basic());
        Sequence { timing, rates, from, to, basic, bits, sent_bits }
    }

    /// The first frame of an exchange that begins with an RTS. It reserves the medium to the end of the ACK.
    #[inline(always)]
    pub fn rts(&self, start: Time) -> Frame {
        let Timing { rts, cts, sifs, .. } = self.timing;
        let data = self.data(start + rts.airtime + *sifs + cts.airtime + *sifs);
        control(Kind::Rts, *rts, (self.from, self.to, self.rates), start, data.nav)
    }

    /// A CTS to oneself, before data that others on the air cannot decode (802.11-2020, 10.27).
    #[inline(always)]
    pub fn announcement(&self, start: Time) -> Frame {
        let Timing { cts, sifs, .. } = self.timing;
        let data = self.data(start + cts.airtime + *sifs);
        control(Kind::Cts, *cts, (self.from, self.from, self.rates), start, data.nav)
    }

    /// The data. They reserve the medium to the end of the ACK, where one is due.
    #[inline(always)]
    pub fn data(&self, start: Time) -> Frame {
        let Sequence { timing, rates, from, to, basic, bits, sent_bits } = *self;
        let (airtime, plcp, ack) = match basic {
            true => (timing.basic(sent_bits), timing.basic_plcp(), timing.basic_ack),
            false => (timing.data(sent_bits), timing.data_plcp(), timing.ack),
        };
        let (kind, nav) = match to == GROUP {
            true => (Kind::Group, Time::ZERO),
            false => (Kind::Data, start + airtime + timing.sifs + ack.airtime),
        };
        Frame { kind, from, to, rates, basic, start, airtime, plcp, bits, sent_bits, nav }
    }

    /// Returns true if a CTS-to-self precedes the data.
    #[inline(always)]
    pub fn is_announced(&self) -> bool {
        self.timing.announces && !self.basic
    }

    /// The CTS that answers an RTS, with what is left of its reservation.
    #[inline(always)]
    pub fn cts(timing: &Timing, rts: &Frame) -> Frame {
        let way = (rts.to, rts.from, rts.rates);
        control(Kind::Cts, timing.cts, way, rts.end() + timing.sifs, rts.nav)
    }

    /// The acknowledgement of data.
    #[inline(always)]
    pub fn ack(timing: &Timing, data: &Frame) -> Frame {
        let form = if data.basic { timing.basic_ack } else { timing.ack };
        let way = (data.to, data.from, data.rates);
        let ack = control(Kind::Ack, form, way, data.end() + timing.sifs, Time::ZERO);
        Frame { basic: data.basic, ..ack }
    }
}

#[inline(always)]
fn control(
    kind: Kind,
    ControlFrame { airtime, plcp, bits }: ControlFrame,
    (from, to, rates): (StationId, StationId, RateRef),
    start: Time,
    nav: Time,
) -> Frame {
    let (basic, sent_bits) = (false, bits);
    Frame { kind, from, to, rates, basic, start, airtime, plcp, bits, sent_bits, nav }
}
