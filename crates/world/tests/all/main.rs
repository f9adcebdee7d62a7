//! One binary for all tests of this crate: they link the same crates, once.

mod adhoc;
mod cuts;
mod media;
mod mobile_ip;
mod promises;
mod reroute;
mod roaming;
mod support;
mod web;
mod wired;
mod wired_sack;
