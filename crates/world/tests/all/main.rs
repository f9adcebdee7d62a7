//! One binary for all tests of this crate: they link the same crates, once.

mod adhoc;
mod cuts;
mod link_layer;
mod media;
mod mobile_ip;
mod promises;
mod reroute;
mod roaming;
mod slots;
mod support;
mod web;
mod window;
mod wired;
mod wired_sack;
