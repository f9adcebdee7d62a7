//! The probe: from what happens in a world to the bytes of its captures.

use crate::agreements::Agreements;
use crate::band::Tuned;
use crate::dot11::{self, BROADCAST, DATA_HEADER};
use crate::ip::{put_packet, put_tunnelled};
use crate::layout::{Air, Layout, Port};
use crate::management::{self, Says};
use crate::on_air::OnAir;
use crate::pcapng::{self, Interface, Way};
use crate::radiotap::LONGEST;
use crate::sorter::{Record, Sorter};
use crate::station::{Aloft, Loss, Station, mpdu_form};
use base::{CellId, Span, StationId, Time};
use engine::Watch;
use net::{Packet, Transit};
use std::sync::Arc;
use wifi::mlme::{Body, Management};
use wifi::{Heard, Sent, SentMpdu};
use world::{Note, Plan};

/// Takes the bytes of the files.
pub trait Sink {
    /// A file begins; more of it comes under the same number. False: it is not wanted.
    fn begin(&mut self, file: usize, name: &str) -> bool;

    /// The next bytes of a file: whole blocks.
    fn write(&mut self, file: usize, bytes: &[u8]);
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
    /// By element of the air.
    agreements: Vec<Agreements>,
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
            let mut ports = air.radios.iter().map(|radio| radio.port).chain([air.port]);
            let wanted = ports.any(|port| buffers[port].is_some());
            vec![Station::default(); if wanted { air.radios.len() } else { 0 }]
        });
        let agreements = layout.airs.iter().map(|air| Agreements::new(air.window));
        Capture {
            agreements: agreements.collect(),
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
        let agreements = &mut self.agreements[cell.index()];
        if station.begin(frame, agreements) {
            return; // its MPDUs follow
        }
        if let Some(packet) = packet {
            station.serve(packet, &self.layout.flows[packet.flow.index()]);
        }
        let channel = air.channel_of(frame);
        let (sender, to) = air.ends(frame);
        self.body.clear();
        let (form, body) = match &frame.management {
            Some(management) => {
                let says = says(air, frame, management, channel);
                management::put_body(&mut self.body, management, &says);
                (station.management_form(frame, management, (&sender, to)), &self.body)
            }
            None => (station.form(frame, (&sender, to), agreements), station.packet()),
        };
        self.scratch.clear();
        let duration = (to, duration_us(frame));
        dot11::put_frame(&mut self.scratch, &form, duration, body, frame.bytes as usize);
        let on_air = OnAir::new(frame, (&self.scratch, None), channel, self.snap);
        self.go(cell, frame, Aloft::alone(on_air));
    }

    /// A packet of the MPDU that comes next.
    fn on_msdu(&mut self, cell: CellId, from: StationId, packet: &Packet) {
        let station = self.stations[cell.index()].get_mut(from.index());
        station.into_iter().for_each(|station| station.packets.push(*packet));
    }

    fn on_mpdu(&mut self, cell: CellId, mpdu: &SentMpdu) {
        let air = &self.layout.airs[cell.index()];
        let Some(station) = self.stations[cell.index()].get_mut(mpdu.from.index()) else { return };
        let Some((frame, qos)) = station.frame_with_mpdus() else { return };
        let (sender, to) = air.ends(&frame);
        let own = self.agreements[cell.index()].of(frame.from, frame.to, qos.category);
        if !mpdu.retry {
            let sequence = match qos.agreed {
                true => (mpdu.number % 4096) as u16,
                false => station.next_sequence(),
            };
            let ends = (to, sender.mac);
            own.keep(mpdu.number, station.body(sequence, &self.layout.flows, ends));
        }
        if !mpdu.lost {
            own.board.take(mpdu.number);
        }
        let Some(body) = own.body(mpdu.number) else { return };
        let form = mpdu_form(&qos, mpdu, body, (&sender, to));
        self.scratch.clear();
        let duration = (to, duration_us(&frame));
        dot11::put_frame(&mut self.scratch, &form, duration, &body.bytes, mpdu.bytes as usize);
        let place = (&self.scratch[..], station.next_place(&qos));
        let on_air = OnAir::new(&frame, place, air.channel_of(&frame), self.snap);
        let loss =
            mpdu.lost.then_some(if mpdu.for_all { Loss::ForAll } else { Loss::At(frame.to) });
        self.go(cell, &frame, Aloft { on_air, up: mpdu.up, loss });
    }

    /// A frame, or an MPDU of it, goes on the air.
    fn go(&mut self, cell: CellId, frame: &Sent, aloft: Aloft) {
        let air = &self.layout.airs[cell.index()];
        let port = air.radios[frame.from.index()].port;
        self.queue.add(aloft.on_air.record(frame.start, port, Way::Out));
        self.queue.add(aloft.on_air.record(frame.start, air.port, Way::Neither));
        self.stations[cell.index()][frame.from.index()].last.push(aloft);
    }

    fn on_heard(&mut self, cell: CellId, heard: &Heard) {
        let Some(station) = self.stations[cell.index()].get(heard.from.index()) else { return };
        if heard.decoded {
            station.tell_of_request(heard.at, &mut self.agreements[cell.index()]);
        }
        let radio = self.layout.airs[cell.index()].radios.get(heard.at.index());
        let Some(port) = radio.map(|radio| radio.port).filter(|&port| self.wants(port)) else {
            return;
        };
        for aloft in &station.last {
            let seen = aloft.on_air.heard(heard.power_w, heard.decoded && aloft.comes_to(heard.at));
            self.queue.add(seen.record(aloft.up, port, Way::In));
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
            Note::MsduSent { cell, from, packet } => self.on_msdu(*cell, *from, packet),
            Note::MpduSent { cell, mpdu } => self.on_mpdu(*cell, mpdu),
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
