//! Captures: the packets of an interface as pcapng that Wireshark reads. A probe turns notes into bytes; the
//! owner of the [`Sink`] writes them.

mod agreements;
mod band;
mod bytes;
mod capture;
mod checksum;
mod dot11;
mod flow_form;
mod ip;
mod layout;
mod management;
mod modes;
mod on_air;
mod pcapng;
mod radiotap;
mod scoreboard;
mod sorter;
mod station;
mod tcp;

pub use capture::{Capture, Sink};

/// The names of all interfaces and channels of a plan, in the order of their files.
pub fn interfaces(plan: &world::Plan) -> Vec<String> {
    layout::Layout::new(plan).ports.into_iter().map(|port| port.name).collect()
}
