//! The form of a flow in a capture: addresses, ports, the options of its connections.

use crate::tcp::TcpForm;

/// The properties of a flow in a capture, beside its packets.
#[derive(Clone, Copy, Debug)]
pub struct FlowForm {
    /// Address and port where the data come from.
    pub source: ([u8; 4], u16),
    /// Address and port where they go.
    pub sink: ([u8; 4], u16),
    /// The options that both ends agree on in their SYNs.
    pub tcp: TcpForm,
}

/// From this port on, none is registered (RFC 6335 section 6).
pub const DYNAMIC_PORTS: u32 = 49_152;
/// The number of connections.
pub const HOW_MANY: u32 = 16_384;
