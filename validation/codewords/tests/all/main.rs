//! One binary for all tests of this crate.

mod codes;
mod curves;
mod links;
