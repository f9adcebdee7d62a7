//! One binary for all tests of this crate: they link the same crates, once.

mod auto;
mod halves;
mod hostile;
mod plain;
mod proxies;
mod rack;
mod repeat;
mod sack;
mod script;
mod sender;
