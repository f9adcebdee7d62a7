//! One binary for all tests of this crate: they link the same crates, once.

mod apps;
mod association;
mod auto;
mod clusters;
mod defaults;
mod dsdv;
mod extremes;
mod guards;
mod laws;
mod linux;
mod media;
mod mismatches;
mod mobile_ip;
mod motion;
mod mutations;
mod plans;
mod proxies;
mod queues;
mod refusals;
mod runs;
mod split;
mod web;
mod wimax;
mod wimax_arq;
