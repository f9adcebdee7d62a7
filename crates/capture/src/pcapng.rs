//! The blocks of a pcapng file (draft-ietf-opsawg-pcapng), low byte first.

use crate::bytes::Put;
use base::Time;

/// Header with which the packets of an interface begin (the registry of link types at tcpdump.org).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum LinkType {
    /// An IPv4 or IPv6 header: LINKTYPE_RAW.
    RawIp = 101,
    /// A radiotap header and an 802.11 frame: LINKTYPE_IEEE802_11_RADIOTAP.
    Radiotap = 127,
}

/// Direction of a packet at the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Way {
    /// Unknown, or none.
    Neither = 0,
    /// Incoming.
    In = 1,
    /// Outgoing.
    Out = 2,
}

/// One interface: its name, what it is, and its rate in bit/s where it has one.
#[derive(Clone, Debug)]
pub struct Interface<'a> {
    /// The header that its packets begin with.
    pub link_type: LinkType,
    /// Such as "server-eth0".
    pub name: &'a str,
    /// A description in words.
    pub description: &'a str,
    /// Bits per second.
    pub speed: Option<u64>,
}

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const NAMES: u32 = 4;
const ENHANCED_PACKET: u32 = 6;

/// `if_tsresol`: timestamps count units of 10^-9 s.
const NANOSECONDS: u8 = 9;

/// The blocks before the first packet: a section with one interface, and the names of addresses (IPv4).
pub fn preamble(
    out: &mut Vec<u8>,
    interface: &Interface<'_>,
    snap: u32,
    hosts: &[([u8; 4], &str)],
) {
    block(out, SECTION_HEADER, |out| {
        out.put_le32(0x1a2b_3c4d);
        out.put_le16(1);
        out.put_le16(0);
        out.put_le64(u64::MAX); // the section's length: not said
        option(out, 4, concat!("lasthop ", env!("CARGO_PKG_VERSION")).as_bytes());
        end_of_options(out);
    });
    block(out, INTERFACE, |out| {
        out.put_le16(interface.link_type as u16);
        out.put_le16(0);
        out.put_le32(snap);
        option(out, 2, interface.name.as_bytes());
        option(out, 3, interface.description.as_bytes());
        if let Some(speed) = interface.speed {
            option(out, 8, &speed.to_le_bytes());
        }
        option(out, 9, &[NANOSECONDS]);
        end_of_options(out);
    });
    block(out, NAMES, |out| {
        for (address, name) in hosts {
            out.put_le16(1);
            out.put_le16((address.len() + name.len() + 1) as u16);
            out.put(address);
            out.put(name.as_bytes());
            out.put(&[0]);
            pad(out);
        }
        out.put_le32(0);
    });
}

/// One packet of `len` bytes, of which `parts` are kept.
pub fn packet(out: &mut Vec<u8>, at: Time, way: Way, len: usize, parts: [&[u8]; 2]) {
    block(out, ENHANCED_PACKET, |out| {
        out.put_le32(0);
        out.put_le32((at.0 >> 32) as u32);
        out.put_le32(at.0 as u32);
        out.put_le32((parts[0].len() + parts[1].len()) as u32);
        out.put_le32(len as u32);
        out.put(parts[0]);
        out.put(parts[1]);
        pad(out);
        if way != Way::Neither {
            option(out, 2, &(way as u32).to_le_bytes());
            end_of_options(out);
        }
    });
}

/// A block: type, length, body, length again.
fn block(out: &mut Vec<u8>, kind: u32, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.put_le32(kind);
    out.put_le32(0);
    body(out);
    let len = (out.len() - start + 4) as u32;
    out.put_le32(len);
    out[start + 4..start + 8].copy_from_slice(&len.to_le_bytes());
}

fn option(out: &mut Vec<u8>, code: u16, value: &[u8]) {
    out.put_le16(code);
    out.put_le16(value.len() as u16);
    out.put(value);
    pad(out);
}

fn end_of_options(out: &mut Vec<u8>) {
    out.put_le32(0);
}

/// Fills up to four bytes. Every block begins at such a place, and so does every buffer that holds whole blocks.
fn pad(out: &mut Vec<u8>) {
    while out.len() % 4 != 0 {
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_an_enhanced_packet_block() {
        let mut out = Vec::new();
        packet(&mut out, Time(0x1_0000_0002), Way::Out, 9, [&[1, 2], &[3]]);
        let words: Vec<u32> = out
            .chunks(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
        let option = [2 | 4 << 16, 2, 0];
        assert_eq!(words[..7], [6, 48, 0, 1, 2, 3, 9]);
        assert_eq!(out[28..32], [1, 2, 3, 0]);
        assert_eq!(words[8..11], option);
        assert_eq!(words[11], 48);
    }

    #[test]
    fn the_preamble_is_three_whole_blocks() {
        let mut out = Vec::new();
        let interface = Interface {
            link_type: LinkType::RawIp,
            name: "a-eth0",
            description: "a>b",
            speed: Some(8_000_000),
        };
        preamble(&mut out, &interface, 0, &[([10, 0, 0, 1], "a")]);
        let mut kinds = Vec::new();
        let mut at = 0;
        while at < out.len() {
            let word = |i: usize| u32::from_le_bytes([out[i], out[i + 1], out[i + 2], out[i + 3]]);
            let len = word(at + 4);
            assert_eq!(word(at + len as usize - 4), len);
            kinds.push(word(at));
            at += len as usize;
        }
        assert_eq!(kinds, [SECTION_HEADER, INTERFACE, NAMES]);
    }
}
