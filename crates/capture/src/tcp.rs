//! A TCP header with its options. Initial sequence numbers are 0, so the numbers in a capture are lasthop's own, modulo
//! 2^32.

use crate::bytes::Put;
use net::{Direction, Flags, Segment};

/// Options that a connection agrees on in its SYNs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpForm {
    /// The largest payload of a segment, bytes.
    pub mss: u16,
    /// SACK blocks are welcome (RFC 2018 section 2).
    pub sack: bool,
    /// The window scale, where the connection has one (RFC 7323 section 2). Without a SYN there is none.
    pub window_shift: Option<u8>,
}

/// Protocol number.
pub const PROTOCOL: u8 = 6;
/// The header without options, bytes.
pub const HEADER: usize = 20;
/// Bytes that the data offset leaves for options.
const MOST_OPTIONS: usize = 40;
/// RFC 7323 section 2.3.
const LARGEST_SHIFT: u8 = 14;
/// The window that an end advertises where its own is not modelled: in a SYN, and where nothing is sent to
/// it.
const IDLE_WINDOW: u16 = u16::MAX;

const NOP: u8 = 1;

/// The smallest scale with which the field can say `window`.
pub fn window_shift(window: u64) -> u8 {
    (0..LARGEST_SHIFT)
        .find(|&shift| window >> shift <= u64::from(u16::MAX))
        .unwrap_or(LARGEST_SHIFT)
}

/// The options of a segment, in whole words. `room` is what the model has for the whole segment, bytes: NOPs fill it.
pub fn options(form: &TcpForm, segment: &Segment, room: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(MOST_OPTIONS);
    if segment.flags.has(Flags::SYN) {
        out.put(&[2, 4]);
        out.put_be16(form.mss);
        if form.sack {
            out.put(&[NOP, NOP, 4, 2]);
        }
        if let Some(shift) = form.window_shift {
            out.put(&[NOP, 3, 3, shift]);
        }
    }
    if let Some(stamps) = segment.stamps() {
        out.put(&[NOP, NOP, 8, 10]);
        out.put_be32(stamps.value);
        out.put_be32(stamps.echo);
    }
    if let Some(counts) = segment.mark_bytes() {
        // RFC 9768 section 3.2.3: the kinds of order 0 and 1, with their first two fields.
        out.put(&[if counts.scalable { 174 } else { 172 }, 8]);
        for field in [counts.capable, counts.marked] {
            out.put(&field.to_be_bytes()[1..]);
        }
    }
    let blocks = segment.sack_blocks().count();
    if blocks > 0 {
        out.put(&[NOP, NOP, 5, (2 + 8 * blocks) as u8]);
        for (start, end) in segment.sack_blocks() {
            out.put_be32(start as u32);
            out.put_be32(end as u32);
        }
    }
    let spare = room.saturating_sub(HEADER + segment.len as usize).min(MOST_OPTIONS) / 4 * 4;
    if out.len() < spare {
        out.resize(spare, NOP);
    }
    out
}

/// Appends a header whose checksum is still zero.
pub fn put_header(
    out: &mut Vec<u8>,
    ports: (u16, u16),
    (form, direction): (&TcpForm, Direction),
    segment: &Segment,
    options: &[u8],
) {
    let acks = segment.flags.has(Flags::ACK);
    out.put_be16(ports.0);
    out.put_be16(ports.1);
    out.put_be32(segment.seq as u32);
    out.put_be32(if acks { segment.ack as u32 } else { 0 });
    // RFC 9768 section 3.1: AE is the last bit before the eight others.
    let ae = u8::from(segment.flags.has(Flags::AE));
    let offset = (((HEADER + options.len()) / 4) << 4) as u8;
    out.put(&[offset | ae, control_bits(segment.flags)]);
    let untold = direction == Direction::Forward || segment.flags == Flags::SYN;
    out.put_be16(match segment.window {
        0 if untold => IDLE_WINDOW,
        _ => window(form, segment),
    });
    out.put_be32(0); // checksum, urgent pointer
    out.put(options);
}

/// A SYN's window is not scaled (RFC 7323 section 2.2).
fn window(form: &TcpForm, segment: &Segment) -> u16 {
    let scaled = form.window_shift.filter(|_| !segment.flags.has(Flags::SYN));
    u16::try_from(segment.window >> scaled.unwrap_or(0)).unwrap_or(u16::MAX)
}

/// RFC 9293 section 3.1 and RFC 3168 section 6.1.
fn control_bits(flags: Flags) -> u8 {
    let bits = [
        (Flags::FIN, 0x01),
        (Flags::SYN, 0x02),
        (Flags::RST, 0x04),
        (Flags::ACK, 0x10),
        (Flags::ECE, 0x40),
        (Flags::CWR, 0x80),
    ];
    bits.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, bit)| bit).sum()
}
