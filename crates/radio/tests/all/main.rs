//! One binary for all tests of this crate: they link the same crates, once.

mod links;
mod support;
mod vectors;
