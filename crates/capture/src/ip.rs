//! A packet as IPv4 bytes: real TCP and UDP headers around a payload of zeros.
//!
//! The IP total length is the packet's length in the model. Where a real header does not fit into that (a SYN's options,
//! which the model does not charge; ns-2's options and headers without size) the datagram is as long as it must be; where
//! the model has more, NOP options fill the TCP header, and what is still left follows the datagram as a trailer.

use crate::bytes::Put;
use crate::checksum::Sum;
use crate::tcp::{self, TcpForm};
use net::{Datagram, Direction, Ecn, Header, Packet, Segment};

/// What a capture knows of a flow beside its packets.
#[derive(Clone, Copy, Debug)]
pub struct FlowForm {
    /// Address and port where the data come from.
    pub source: ([u8; 4], u16),
    /// Address and port where they go.
    pub sink: ([u8; 4], u16),
    /// What a connection agrees on in its SYNs.
    pub tcp: TcpForm,
}

const IP_HEADER: usize = 20;
const UDP_HEADER: usize = 8;
const FIRST_TTL: u8 = 64;

/// Appends a packet that has passed `hops` hops.
pub fn put_packet(out: &mut Vec<u8>, flow: &FlowForm, packet: &Packet) {
    let ends = match packet.direction {
        Direction::Forward => (flow.source, flow.sink),
        Direction::Reverse => (flow.sink, flow.source),
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

type Ends = (([u8; 4], u16), ([u8; 4], u16));

fn put_tcp(out: &mut Vec<u8>, (flow, ends): (&FlowForm, Ends), packet: &Packet, segment: &Segment) {
    let options = tcp::options(&flow.tcp, segment, packet.bytes as usize - IP_HEADER);
    let len = tcp::HEADER + options.len() + segment.len as usize;
    let ecn = match segment.ecn {
        Ecn::NotCapable => 0b00,
        Ecn::Capable => 0b10,
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
