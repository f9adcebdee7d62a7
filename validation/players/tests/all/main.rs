//! One binary for all tests of this crate: they link the same crates, once.

mod drops;
mod linux;
mod packetdrill;
mod theory;
mod timelines;
mod trajectories;
mod vectors;
mod wimax;
