//! The probe: from what happens in a world to the bytes of its captures.

use crate::band::Tuned;
use crate::dot11::{self, BROADCAST, DATA_HEADER, Distribution, Form, Mac};
use crate::ip::{put_packet, put_tunnelled};
use crate::layout::{Air, Layout, Port, Radio};
use crate::management::{self, Says};
use crate::on_air::OnAir;
use crate::pcapng::{self, Interface, Way};
use crate::radiotap::LONGEST;
use crate::sorter::{Record, Sorter};
use base::{CellId, Span, Time};
use engine::Watch;
use net::{Packet, Transit};
use std::sync::Arc;
use wifi::mlme::{Body, Management};
use wifi::{FrameKind, Heard, Sent};
use world::{Note, Plan};

/// Takes the bytes of the files.
pub trait Sink {
    /// A file begins; more of it comes under the same number. False: it is not wanted.
    fn begin(&mut self, file: usize, name: &str) -> bool;

    /// The next bytes of a file: whole blocks.
    fn write(&mut self, file: usize, bytes: &[u8]);
}

/// A station as a capture follows it.
#[derive(Clone, Debug, Default)]
struct Station {
    /// The last sequence number that it has given.
    sequence: u16,
    /// Sequence number of the packet in service; management frames may go between its attempts.
    packet_sequence: u16,
    /// The packet in service, as IPv4.
    packet: Vec<u8>,
    /// Its last frame.
    last: Option<OnAir>,
}

impl Station {
    fn next_sequence(&mut self) -> u16 {
        self.sequence = (self.sequence + 1) % 4096;
        self.sequence
    }

    /// A frame of an exchange that carries the packet in service, or the answer to one.
    fn form(&self, frame: &Sent, (sender, to): (&Radio, Mac)) -> Form {
        let transmitter = sender.mac;
        match frame.kind {
            FrameKind::Rts => Form::Rts { transmitter },
            FrameKind::Cts => Form::Cts,
            FrameKind::Ack | FrameKind::BlockAck | FrameKind::BlockAckRequest | FrameKind::End => {
                Form::Ack
            }
            FrameKind::Data | FrameKind::Group => Form::Data {
                distribution: sender.distribution,
                transmitter,
                // The destination or the source beyond the access point is the access point itself: nodes are routers.
                third: match sender.distribution {
                    Distribution::AdHoc | Distribution::From => sender.bssid,
                    Distribution::To => to,
                },
                sequence: self.packet_sequence,
                retry: frame.retry,
            },
        }
    }

    fn management_form(
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

/// Bytes gathered before a write to the file.
const CHUNK: usize = 1 << 16;

/// Captures of every interface of a world.
pub struct Capture<S> {
    sink: S,
    layout: Layout,
    /// By port; `None`: not wanted.
    buffers: Vec<Option<Vec<u8>>>,
    queue: Sorter,
    /// By element of the air, then by station; empty where nobody wants them.
    stations: Vec<Vec<Station>>,
    /// The most that is kept of a packet, bytes.
    snap: usize,
    scratch: Vec<u8>,
    body: Vec<u8>,
}

impl<S: Sink> Capture<S> {
    /// Captures of the world of `plan`. At most `snap` bytes of each packet are kept, whatever comes before the IP header
    /// included; `None`: all.
    pub fn new(plan: &Plan, snap: Option<u32>, mut sink: S) -> Capture<S> {
        let layout = Layout::new(plan);
        let ports = layout.ports.iter().enumerate();
        let begin = |(file, port): (usize, &Port)| {
            let wanted = sink.begin(file, &port.name);
            if wanted {
                sink.write(file, &preamble(&layout, port, snap));
            }
            wanted.then(Vec::new)
        };
        let buffers: Vec<Option<Vec<u8>>> = ports.map(begin).collect();
        let stations = layout.airs.iter().map(|air| {
            let mut ports = air.radios.iter().map(|radio| radio.port).chain(air.port);
            let wanted = ports.any(|port| buffers[port].is_some());
            vec![Station::default(); if wanted { air.radios.len() } else { 0 }]
        });
        Capture {
            stations: stations.collect(),
            buffers,
            sink,
            queue: Sorter::default(),
            snap: snap.map_or(usize::MAX, |snap| snap as usize),
            scratch: Vec::new(),
            body: Vec::new(),
            layout,
        }
    }

    /// The sink of the bytes.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// The world has come to `end`: writes all that had happened by then, and gives the sink back.
    pub fn finish(mut self, end: Time) -> S {
        self.write_until(end);
        for (file, buffer) in self.buffers.iter().enumerate() {
            if let Some(buffer) = buffer {
                self.sink.write(file, buffer);
            }
        }
        self.sink
    }

    fn write_until(&mut self, now: Time) {
        while let Some(record) = self.queue.take_until(now) {
            let Some(buffer) = &mut self.buffers[record.port] else { continue };
            let (head, len) = &record.head;
            let parts = [&head[..*len], &record.body[..]];
            pcapng::packet(buffer, record.at, record.way, record.len, parts);
            if buffer.len() >= CHUNK {
                self.sink.write(record.port, buffer);
                buffer.clear();
            }
        }
    }

    fn wants(&self, port: usize) -> bool {
        self.buffers[port].is_some()
    }

    fn on_wire(&mut self, (from, to): (usize, usize), packet: &Packet, transit: Transit) {
        if !self.wants(from) && !self.wants(to) {
            return;
        }
        self.scratch.clear();
        let flow = &self.layout.flows[packet.flow.index()];
        match packet.tunnel {
            Some(way) => {
                put_tunnelled(&mut self.scratch, &self.layout.flows[way.index()], flow, packet);
            }
            None => put_packet(&mut self.scratch, flow, packet),
        }
        let len = self.scratch.len();
        let body: Arc<[u8]> = Arc::from(&self.scratch[..len.min(self.snap)]);
        let record = |at, port, way| {
            let (head, body) = (([0; LONGEST], 0), body.clone());
            Record { at, port, way, head, body, len }
        };
        self.queue.add(record(transit.start, from, Way::Out));
        if let Some(arrival) = transit.arrival {
            self.queue.add(record(arrival, to, Way::In));
        }
    }

    fn on_sent(&mut self, cell: CellId, frame: &Sent, packet: Option<&Packet>) {
        let air = &self.layout.airs[cell.index()];
        let Some(station) = self.stations[cell.index()].get_mut(frame.from.index()) else { return };
        if let Some(packet) = packet {
            station.packet_sequence = station.next_sequence();
            station.packet.clear();
            put_packet(&mut station.packet, &self.layout.flows[packet.flow.index()], packet);
        }
        let channel = air.band.channel(frame.channel.unwrap_or(air.channel));
        let sender = air.radios[frame.from.index()];
        let to = air.radios.get(frame.to.index()).map_or(BROADCAST, |radio| radio.mac);
        self.body.clear();
        let (form, body) = match &frame.management {
            Some(management) => {
                let says = says(air, frame, management, channel);
                management::put_body(&mut self.body, management, &says);
                (station.management_form(frame, management, (&sender, to)), &self.body)
            }
            None => (station.form(frame, (&sender, to)), &station.packet),
        };
        self.scratch.clear();
        let duration = (to, duration_us(frame));
        dot11::put_frame(&mut self.scratch, &form, duration, body, frame.bytes as usize);
        let on_air = OnAir::new(frame, &self.scratch, channel, self.snap);
        self.queue.add(on_air.record(frame.start, sender.port, Way::Out));
        if let Some(port) = air.port {
            self.queue.add(on_air.record(frame.start, port, Way::Neither));
        }
        station.last = Some(on_air);
    }

    fn on_heard(&mut self, cell: CellId, heard: &Heard) {
        let radio = self.layout.airs[cell.index()].radios.get(heard.at.index());
        let Some(port) = radio.map(|radio| radio.port).filter(|&port| self.wants(port)) else {
            return;
        };
        if let Some(last) = &self.stations[cell.index()][heard.from.index()].last {
            let seen = last.heard(heard.power_w, heard.decoded);
            self.queue.add(seen.record(last.span.1, port, Way::In));
        }
    }
}

impl<S: Sink> Watch<Note> for Capture<S> {
    fn see(&mut self, now: Time, note: &Note) {
        match note {
            Note::WireIn { link, packet, transit, .. } => {
                self.on_wire(self.layout.links[link.index()], packet, *transit);
            }
            Note::FrameSent { cell, frame, packet } => self.on_sent(*cell, frame, packet.as_ref()),
            Note::FrameHeard { cell, heard } => self.on_heard(*cell, heard),
            _ => return,
        }
        self.write_until(now);
    }
}

/// Builds the beginning of a file.
fn preamble(layout: &Layout, port: &Port, snap: Option<u32>) -> Vec<u8> {
    let hosts: Vec<([u8; 4], &str)> =
        layout.hosts.iter().map(|(address, name)| (*address, name.as_str())).collect();
    let interface = Interface {
        link_type: port.link_type,
        name: &port.name,
        description: &port.description,
        speed: port.speed,
    };
    let mut out = Vec::new();
    pcapng::preamble(&mut out, &interface, snap.unwrap_or(0), &hosts);
    out
}

/// Returns the content of a management frame: the time and the network.
fn says(air: &Air, frame: &Sent, management: &Management, channel: Tuned) -> Says {
    let header = Span((DATA_HEADER as u64 + 2) * 8 * 1_000_000_000 / frame.rate.0);
    Says {
        timestamp_us: (frame.start + frame.plcp + header).0 / 1000,
        channel: channel.number,
        association_id: (frame.to.0 % LARGEST_ID) as u16 + 1,
        current: match management.body {
            Body::ReassociationRequest(last) => air.radios[last.index()].mac,
            _ => BROADCAST,
        },
    }
}

/// Largest association ID (802.11-2020, 9.4.1.8).
const LARGEST_ID: u32 = 2007;

/// The duration field: what is left of the reservation when the frame ends, rounded up (802.11-2020, 9.2.5).
fn duration_us(frame: &Sent) -> u16 {
    let left = frame.nav.since(frame.start + frame.airtime);
    u16::try_from(left.0.div_ceil(1000)).unwrap_or(LARGEST_DURATION).min(LARGEST_DURATION)
}

/// Higher values of the field mean something else (802.11-2020, 9.2.4.2).
const LARGEST_DURATION: u16 = 32_767;
