//! A station as a capture follows it: what it has in service, and what it has sent last.

use crate::agreements::{Agreements, Body, tid};
use crate::dot11::{Distribution, Form, Mac, QosControl, put_subframe};
use crate::flow_form::FlowForm;
use crate::ip::put_packet;
use crate::layout::Radio;
use crate::management;
use crate::on_air::OnAir;
use crate::radiotap::Ampdu;
use base::{StationId, Time};
use net::Packet;
use wifi::mlme::Management;
use wifi::qos::Sends;
use wifi::{FrameKind, QosDetails, Sent, SentMpdu};

/// A station.
#[derive(Clone, Debug, Default)]
pub struct Station {
    /// The last sequence number that it has given.
    sequence: u16,
    /// Sequence number of the packet in service; management frames may go between its attempts.
    packet_sequence: u16,
    /// The packet in service, as IPv4.
    packet: Vec<u8>,
    /// The packets of the MPDU that is to come.
    pub packets: Vec<Packet>,
    /// Its last frame.
    frame: Option<Sent>,
    /// The reference number of the A-MPDU that is.
    reference: u32,
    /// Its last frame, or the MPDUs of that.
    pub last: Vec<Aloft>,
}

/// A frame or an MPDU on the air.
#[derive(Clone, Debug)]
pub struct Aloft {
    /// What it looks like.
    pub on_air: OnAir,
    /// When it has come.
    pub up: Time,
    /// Who does not decode it.
    pub loss: Option<Loss>,
}

/// The stations that do not decode an MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Its addressee alone, as far as the model knows.
    At(StationId),
    /// Every one.
    ForAll,
}

impl Aloft {
    /// A frame of which those who hear it say whether they have decoded it.
    pub fn alone(on_air: OnAir) -> Aloft {
        Aloft { up: on_air.span.1, on_air, loss: None }
    }

    /// True where a station that decodes its PPDU has it.
    pub fn comes_to(&self, at: StationId) -> bool {
        self.loss.is_none_or(|loss| loss != Loss::ForAll && loss != Loss::At(at))
    }
}

impl Station {
    /// The next sequence number of frames without a block-ack agreement.
    pub fn next_sequence(&mut self) -> u16 {
        self.sequence = (self.sequence + 1) % 4096;
        self.sequence
    }

    /// A packet enters service.
    pub fn serve(&mut self, packet: &Packet, flow: &FlowForm) {
        self.packet_sequence = self.next_sequence();
        self.packet.clear();
        put_packet(&mut self.packet, flow, packet);
    }

    /// The packet in service, as IPv4.
    pub fn packet(&self) -> &Vec<u8> {
        &self.packet
    }

    /// A frame goes: true where its MPDUs are yet to be told.
    pub fn begin(&mut self, frame: &Sent, agreements: &mut Agreements) -> bool {
        self.last.clear();
        self.frame = Some(*frame);
        let Some((_, qos)) = self.frame_with_mpdus() else { return false };
        agreements.of(frame.from, frame.to, qos.category).forget(qos.oldest);
        self.reference = agreements.next_reference();
        true
    }

    /// Its last frame, if that has MPDUs.
    pub fn frame_with_mpdus(&self) -> Option<(Sent, QosDetails)> {
        let frame = self.frame.filter(|frame| frame.kind == FrameKind::Data)?;
        Some((frame, frame.qos?))
    }

    /// The place of the MPDU that is told next in an A-MPDU, if it is in one.
    pub fn next_place(&self, qos: &QosDetails) -> Option<Ampdu> {
        let is_last = self.last.len() + 1 == qos.mpdus as usize;
        let is_single = qos.sends == Sends::Single;
        qos.delimited.then_some(Ampdu { reference: self.reference, is_last, is_single })
    }

    /// The body of an MPDU with the packets that have been told, which goes for the first time.
    pub fn body(&mut self, sequence: u16, flows: &[FlowForm], ends: (Mac, Mac)) -> Body {
        let is_amsdu = self.packets.len() > 1;
        let mut bytes = Vec::new();
        for packet in self.packets.drain(..) {
            let flow = &flows[packet.flow.index()];
            if is_amsdu {
                put_subframe(&mut bytes, ends, |out| put_packet(out, flow, &packet));
            } else {
                put_packet(&mut bytes, flow, &packet);
            }
        }
        Body { sequence, is_amsdu, bytes }
    }

    /// Another station has decoded its last frame: if that is a request for it, its window moves.
    pub fn tell_of_request(&self, at: StationId, agreements: &mut Agreements) {
        let request = self.frame.filter(|frame| frame.kind == FrameKind::BlockAckRequest);
        if let Some(Sent { from, to, qos: Some(qos), .. }) = request.filter(|sent| sent.to == at) {
            agreements.of(from, to, qos.category).board.move_to(qos.oldest);
        }
    }

    /// A frame of an exchange that carries the packet in service, or a control frame.
    pub fn form(
        &self,
        frame: &Sent,
        (sender, to): (&Radio, Mac),
        agreements: &mut Agreements,
    ) -> Form {
        let transmitter = sender.mac;
        let number = |number: u64| (number % 4096) as u16;
        match (frame.kind, frame.qos) {
            (FrameKind::Rts, _) => Form::Rts { transmitter },
            (FrameKind::Cts, _) => Form::Cts,
            (FrameKind::End, _) => Form::CfEnd { transmitter },
            (FrameKind::BlockAckRequest, Some(qos)) => {
                let (tid, start) = (tid(qos.category), number(qos.oldest));
                Form::BlockAckRequest { transmitter, tid, start }
            }
            (FrameKind::BlockAck, Some(qos)) => {
                let own = agreements.of(frame.to, frame.from, qos.category);
                let (start, bitmap) = own.board.tell(qos.oldest);
                Form::BlockAck { transmitter, tid: tid(qos.category), start: number(start), bitmap }
            }
            // Only cells with access categories send block acknowledgements, and say whose.
            (FrameKind::Ack | FrameKind::BlockAck | FrameKind::BlockAckRequest, _) => Form::Ack,
            (FrameKind::Data | FrameKind::Group, _) => {
                data_form((sender, to), (self.packet_sequence, frame.retry), None)
            }
        }
    }

    /// A management frame.
    pub fn management_form(
        &mut self,
        frame: &Sent,
        management: &Management,
        (sender, to): (&Radio, Mac),
    ) -> Form {
        Form::Management {
            subtype: management::subtype(management.body),
            transmitter: sender.mac,
            // The access point's; a probe request is for any (802.11-2020, 9.3.3.1).
            bssid: match sender.distribution {
                Distribution::From => sender.mac,
                Distribution::To | Distribution::AdHoc => to,
            },
            sequence: if frame.retry { self.sequence } else { self.next_sequence() },
            retry: frame.retry,
        }
    }
}

/// An MPDU of a frame of a cell with access categories; one between stations without QoS is as any data frame.
pub fn mpdu_form(qos: &QosDetails, mpdu: &SentMpdu, body: &Body, ends: (&Radio, Mac)) -> Form {
    let control = QosControl { tid: tid(qos.category), is_amsdu: body.is_amsdu };
    data_form(ends, (body.sequence, mpdu.retry), qos.agreed.then_some(control))
}

fn data_form(
    (sender, to): (&Radio, Mac),
    (sequence, retry): (u16, bool),
    qos: Option<QosControl>,
) -> Form {
    let is_amsdu = qos.is_some_and(|qos| qos.is_amsdu);
    Form::Data {
        distribution: sender.distribution,
        transmitter: sender.mac,
        // The destination or the source beyond the access point is the access point itself: nodes are routers. Of an A-MSDU each
        // subframe has them (802.11-2020, table 9-30).
        third: match sender.distribution {
            Distribution::To if !is_amsdu => to,
            Distribution::AdHoc | Distribution::From | Distribution::To => sender.bssid,
        },
        sequence,
        retry,
        qos,
    }
}
