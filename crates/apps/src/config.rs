//! The applications, as plain values.

use crate::on_times::OnTimesConfig;
use crate::source::{DatagramConfig, SourceConfig};
use crate::web::WebConfig;
use base::Rate;

/// Application of a flow.
#[derive(Clone, Debug, PartialEq)]
pub enum AppConfig {
    /// A file over TCP: this many bytes, or without end.
    Bulk {
        /// Size; `None`: without end.
        bytes: Option<u64>,
        /// On-times of its data; `None`: it always has data.
        on_times: Option<Box<OnTimesConfig>>,
    },
    /// Datagrams, each at its time.
    Datagrams(Box<DatagramConfig>),
    /// Datagrams of one size, always one ready when the first device can take it.
    Saturated {
        /// Payload of a datagram, bytes.
        payload: u32,
    },
    /// Requests and responses over connections that come and go.
    Web(Box<WebConfig>),
}

impl AppConfig {
    /// Datagrams of `payload` bytes at a constant rate of payload.
    pub fn cbr(payload: u32, rate: Rate) -> AppConfig {
        let source = SourceConfig::Cbr { payload, rate };
        AppConfig::Datagrams(Box::new(DatagramConfig { source, playout: None }))
    }
}
