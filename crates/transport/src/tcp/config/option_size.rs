//! The size of options in a packet.

use base::named;
use net::Segment;

named! {
    /// The way in which the options' bytes count in the size of a packet.
    pub enum OptionSize, "size of options" {
        Nothing = "nothing": "not at all: the header is all",
        Padded = "padded": "as they are, padded to four bytes: timestamps 12 B, SACK 4 B and 8 B a block",
        Blocks = "blocks": "SACK 8 B a block and nothing else (ns-2)",
    }
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
