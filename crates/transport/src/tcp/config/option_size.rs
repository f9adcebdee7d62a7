//! What the options add to a packet.

use net::Segment;

/// How the options' bytes count in the size of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSize {
    /// Not at all: `header_bytes` is all.
    Nothing,
    /// As they are, padded to four bytes: timestamps 12, SACK 4 and 8 a block.
    Padded,
    /// SACK 8 a block and nothing else: ns-2's way.
    Blocks,
}

impl OptionSize {
    /// The network-layer size of a packet that carries `segment` behind `header_bytes` of fixed headers, bytes.
    #[inline]
    pub fn packet_bytes(self, header_bytes: u32, segment: &Segment) -> u32 {
        if segment.options.is_empty() {
            return segment.len + header_bytes;
        }
        let options = match self {
            OptionSize::Nothing => 0,
            OptionSize::Padded => segment.option_bytes(),
            OptionSize::Blocks => 8 * segment.sack_blocks().count() as u32,
        };
        segment.len + header_bytes + options
    }
}
