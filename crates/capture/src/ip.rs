//! A packet as IPv4 bytes: real TCP and UDP headers around a payload of zeros.
//!
//! The IP total length is the packet's length in the model. Where a real header does not fit into that (a SYN's options,
//! which the model does not charge; ns-2's options and headers without size) the datagram is as long as it must be; where
//! the model has more, NOP options fill the TCP header, and what is still left follows the datagram as a trailer.

use crate::bytes::Put;
use crate::checksum::Sum;
use crate::flow_form::{DYNAMIC_PORTS, FlowForm, HOW_MANY};
use crate::tcp;
use net::{Datagram, Direction, Ecn, Header, Mark, Packet, Segment, Socket};

const IP_HEADER: usize = 20;
const UDP_HEADER: usize = 8;
const FIRST_TTL: u8 = 64;

/// Appends a packet that has passed `hops` hops.
pub fn put_packet(out: &mut Vec<u8>, flow: &FlowForm, packet: &Packet) {
    let sink = (flow.sink.0, client_port(flow.sink.1, packet.socket));
    let ends = match packet.direction {
        Direction::Forward => (flow.source, sink),
        Direction::Reverse => (sink, flow.source),
    };
    let start = out.len();
    match &packet.header {
        Header::Tcp(segment) => put_tcp(out, (flow, ends), packet, segment),
        Header::Udp(datagram) => put_udp(out, ends, packet, datagram),
    }
    let modelled = start + packet.bytes as usize;
    if out.len() < modelled {
        out.resize(modelled, 0);
    }
}

/// Appends a packet within a tunnel (RFC 2003 section 3.1): `way` is from the agent at its end to the home agent.
pub fn put_tunnelled(out: &mut Vec<u8>, way: &FlowForm, flow: &FlowForm, packet: &Packet) {
    let start = out.len();
    let bytes = packet.bytes - IP_HEADER as u32;
    // Its hops are counted anew in the tunnel.
    put_packet(out, flow, &Packet { bytes, mark: Mark::default(), ..*packet });
    let len = out.len() - start;
    put_ip(out, (way.sink, way.source), (packet, 0), (IP_IN_IP, len));
    out[start..].rotate_right(IP_HEADER);
}

const IP_IN_IP: u8 = 4;

/// The port of one of a flow's connections, from that of the first: another for each that is near in time.
fn client_port(first: u16, socket: Socket) -> u16 {
    if socket == Socket::default() {
        return first; // Of messages of Mobile IP a registered one.
    }
    let Socket { connection, epoch } = socket;
    let number = connection.wrapping_add(epoch.wrapping_mul(EPOCHS_APART)) % HOW_MANY;
    let offset = (u32::from(first) + HOW_MANY - DYNAMIC_PORTS + number) % HOW_MANY;
    (DYNAMIC_PORTS + offset) as u16
}

/// The distance between the ports of connections that follow each other; a prime, with those of the same time
/// between.
const EPOCHS_APART: u32 = 61;

type Ends = (([u8; 4], u16), ([u8; 4], u16));

fn put_tcp(out: &mut Vec<u8>, (flow, ends): (&FlowForm, Ends), packet: &Packet, segment: &Segment) {
    let options = tcp::options(&flow.tcp, segment, packet.bytes as usize - IP_HEADER);
    let len = tcp::HEADER + options.len() + segment.len as usize;
    let ecn = match segment.ecn {
        Ecn::NotCapable => 0b00,
        Ecn::Capable => 0b10,
        Ecn::Scalable => 0b01,
        Ecn::Marked => 0b11,
    };
    put_ip(out, ends, (packet, ecn), (tcp::PROTOCOL, len));
    let start = out.len();
    let ports = (ends.0.1, ends.1.1);
    tcp::put_header(out, ports, (&flow.tcp, packet.direction), segment, &options);
    let sum = pseudo(ends, tcp::PROTOCOL, len).add(&out[start..]).finish();
    out[start + 16..start + 18].copy_from_slice(&sum.to_be_bytes());
    out.resize(start + len, 0);
}

fn put_udp(out: &mut Vec<u8>, ends: Ends, packet: &Packet, _datagram: &Datagram) {
    let len = (packet.bytes as usize).max(IP_HEADER + UDP_HEADER) - IP_HEADER;
    put_ip(out, ends, (packet, 0), (UDP, len));
    let start = out.len();
    out.put_be16(ends.0.1);
    out.put_be16(ends.1.1);
    out.put_be16(u16::try_from(len).unwrap_or(0)); // RFC 2675 section 4: 0 where it does not fit
    out.put_be16(0);
    let sum = match pseudo(ends, UDP, len).add(&out[start..]).finish() {
        0 => 0xffff, // 0 says that there is no checksum (RFC 768)
        sum => sum,
    };
    out[start + 6..start + 8].copy_from_slice(&sum.to_be_bytes());
    out.resize(start + len, 0);
}

const UDP: u8 = 17;

/// RFC 791 section 3.1. A datagram too long for the field has 0 there, as after segmentation offload.
fn put_ip(
    out: &mut Vec<u8>,
    ((source, _), (destination, _)): Ends,
    (packet, ecn): (&Packet, u8),
    (protocol, len): (u8, usize),
) {
    let start = out.len();
    out.put(&[0x45, ecn]);
    out.put_be16(u16::try_from(IP_HEADER + len).unwrap_or(0));
    out.put_be16(identification(packet));
    out.put_be16(0x4000); // don't fragment
    out.put(&[FIRST_TTL.saturating_sub(packet.mark.hops().min(63) as u8), protocol, 0, 0]);
    out.put(&source);
    out.put(&destination);
    let sum = Sum::default().add(&out[start..]).finish();
    out[start + 10..start + 12].copy_from_slice(&sum.to_be_bytes());
}

/// The same at every interface that the packet passes, and another for nearly every other packet: a hash of when it was
/// made (Knuth's multiplicative one).
fn identification(packet: &Packet) -> u16 {
    (packet.born.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16
}

/// The pseudo-header (RFC 9293 section 3.1, RFC 768).
fn pseudo(((source, _), (destination, _)): Ends, protocol: u8, len: usize) -> Sum {
    let len = (len as u32).to_be_bytes();
    Sum::default().add(&source).add(&destination).add(&[0, protocol]).add(&len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::TcpForm;

    #[test]
    fn connections_of_a_flow_have_ports_of_their_own() {
        let port = |connection, epoch| client_port(49_153, Socket { connection, epoch });
        assert_eq!((port(0, 0), port(1, 0), port(0, 1)), (49_153, 49_154, 49_214));
        assert_eq!(port(16_383, 0), 49_152);
    }

    use base::{FlowId, Time};
    use net::{Flags, Stamps};

    const FORM: FlowForm = FlowForm {
        source: ([10, 0, 0, 1], 49_152),
        sink: ([10, 0, 0, 2], 49_153),
        tcp: TcpForm { mss: 1460, sack: true, window_shift: Some(7) },
    };

    fn bytes_of(header: Header, bytes: u32, direction: Direction) -> Vec<u8> {
        let (born, flow, mut mark, socket) =
            (Time(5), FlowId(0), Mark::default(), net::Socket::default());
        mark.advance(); // one hop lies behind it
        let mut out = Vec::new();
        put_packet(
            &mut out,
            &FORM,
            &Packet {
                born,
                header,
                flow,
                bytes,
                routing_header: 0,
                mark,
                direction,
                tunnel: None,
                socket,
            },
        );
        assert_eq!(Sum::default().add(&out[..20]).finish(), 0, "IP header");
        let len = out.len() - 20;
        let ends = match direction {
            Direction::Forward => (FORM.source, FORM.sink),
            Direction::Reverse => (FORM.sink, FORM.source),
        };
        assert_eq!(pseudo(ends, out[9], len).add(&out[20..]).finish(), 0, "TCP or UDP");
        out
    }

    fn total_length(bytes: &[u8]) -> u16 {
        u16::from_be_bytes([bytes[2], bytes[3]])
    }

    #[test]
    fn a_segment_of_data_has_the_length_of_the_model_and_the_ecn_of_its_packet() {
        let segment = Segment {
            seq: (1 << 32) + 5,
            ack: 1,
            len: 100,
            flags: Flags::ACK.with(Flags::CWR),
            ecn: Ecn::Marked,
            ..Segment::default()
        };
        let out = bytes_of(Header::Tcp(segment), 140, Direction::Forward);
        assert_eq!((out.len(), total_length(&out)), (140, 140));
        assert_eq!((out[1], out[8], out[9]), (0b11, 63, 6));
        assert_eq!(out[20..28], [0xc0, 0, 0xc0, 1, 0, 0, 0, 5]);
        assert_eq!(out[32..36], [0x50, 0x90, 0xff, 0xff]);
    }

    /// The model charges a SYN 40 B; what it agrees on must be seen all the same.
    #[test]
    fn a_syn_is_as_long_as_its_options_make_it() {
        let syn = Segment {
            window: 4 << 20,
            flags: Flags::SYN.with(Flags::ACK),
            ack: 1,
            ..Segment::default()
        };
        let out = bytes_of(Header::Tcp(syn), 40, Direction::Reverse);
        assert_eq!(total_length(&out), 52);
        assert_eq!(out[34..36], [0xff, 0xff], "a SYN's window is not scaled");
        assert_eq!(out[40..], [2, 4, 5, 0xb4, 1, 1, 4, 2, 1, 3, 3, 7]);
    }

    #[test]
    fn acknowledgements_carry_blocks_stamps_and_a_scaled_window() {
        let mut ack =
            Segment { seq: 1, ack: 1000, window: 1 << 20, flags: Flags::ACK, ..Segment::default() };
        ack.set_stamps(Some(Stamps { value: 7, echo: 9 }));
        assert!(ack.push_sack(2000, 3000));
        let out = bytes_of(Header::Tcp(ack), 40 + ack.option_bytes(), Direction::Reverse);
        assert_eq!((out.len(), total_length(&out)), (64, 64));
        assert_eq!(out[34..36], (1u16 << 13).to_be_bytes());
        assert_eq!(out[40..52], [1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 9]);
        assert_eq!(out[52..], [1, 1, 5, 10, 0, 0, 0x07, 0xd0, 0, 0, 0x0b, 0xb8]);
    }

    #[test]
    fn headers_that_the_model_makes_longer_are_filled() {
        let segment = Segment { len: 10, flags: Flags::ACK, ..Segment::default() };
        let out = bytes_of(Header::Tcp(segment), 62, Direction::Forward);
        assert_eq!((out[32] >> 4, total_length(&out)), (8, 62));
        assert_eq!(out[40..52], [NOP; 12]);
    }

    /// ns-2 counts the application's bytes as the packet's.
    #[test]
    fn a_datagram_without_header_in_the_model_keeps_its_length() {
        let datagram = Datagram { number: 3, len: 160 };
        let out = bytes_of(Header::Udp(datagram), 160, Direction::Forward);
        assert_eq!((out.len(), total_length(&out), out[9]), (160, 160, 17));
        assert_eq!(out[24..26], 140u16.to_be_bytes());
        let tiny = bytes_of(Header::Udp(Datagram { number: 0, len: 1 }), 1, Direction::Forward);
        assert_eq!(total_length(&tiny), 28);
    }

    const NOP: u8 = 1;

    #[test]
    fn a_tunnel_puts_a_header_of_its_own_in_front() {
        let way = FlowForm { source: ([10, 0, 0, 7], 434), sink: ([10, 0, 0, 8], 434), ..FORM };
        let mut packet = Packet {
            born: Time(5),
            header: Header::Udp(Datagram { number: 3, len: 160 }),
            flow: FlowId(0),
            socket: Socket::default(),
            bytes: 208,
            routing_header: 0,
            mark: Mark::default(),
            direction: Direction::Forward,
            tunnel: Some(FlowId(1)),
        };
        packet.mark.advance();
        let mut out = Vec::new();
        put_tunnelled(&mut out, &way, &FORM, &packet);
        assert_eq!((out.len(), total_length(&out), total_length(&out[20..])), (208, 208, 188));
        assert_eq!((out[8], out[9], out[28], out[29]), (63, 4, 64, 17));
        assert_eq!((&out[12..16], &out[16..20]), (&[10, 0, 0, 8][..], &[10, 0, 0, 7][..]));
        assert_eq!(out[32..36], [10, 0, 0, 1]);
        for header in [&out[..20], &out[20..40]] {
            assert_eq!(Sum::default().add(header).finish(), 0);
        }
    }
}
