//! lasthop in a browser: a handful of functions over plain memory, built for `wasm32-unknown-unknown`.
//!
//! Texts go in as UTF-8 bytes that the caller has put into memory of ours, and JSON comes out behind its length.
//! Nothing is global: the caller that starts a run holds it, and takes it in steps, so that a worker can
//! report progress.

mod asked;
mod exports;
mod memory;
mod said;
mod schema;

pub use exports::*;
