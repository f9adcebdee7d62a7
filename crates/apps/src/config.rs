//! The applications, as plain values.

use crate::web::WebConfig;
use base::Rate;

/// What a flow carries.
#[derive(Clone, Debug, PartialEq)]
pub enum AppConfig {
    /// A file over TCP: this many bytes, or without end.
    Bulk {
        /// Size; `None`: without end.
        bytes: Option<u64>,
    },
    /// Datagrams of one size at a constant rate.
    Cbr {
        /// Payload of a datagram, bytes.
        payload: u32,
        /// Bits per second of payload.
        rate: Rate,
    },
    /// Datagrams of one size, always one ready when the first device can take it.
    Saturated {
        /// Payload of a datagram, bytes.
        payload: u32,
    },
    /// Requests and responses over connections that come and go.
    Web(Box<WebConfig>),
}
