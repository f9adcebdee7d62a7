//! What a capture knows of a flow: addresses, ports, what its connections agree on.

use crate::tcp::TcpForm;

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

/// From this port on, none is registered (RFC 6335 section 6).
pub const DYNAMIC_PORTS: u32 = 49_152;
/// How many there are.
pub const HOW_MANY: u32 = 16_384;
