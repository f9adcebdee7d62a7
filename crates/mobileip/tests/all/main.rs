//! One binary for all tests of this crate: they link the same crates, once.

mod link;
mod ns2;
mod rules;
