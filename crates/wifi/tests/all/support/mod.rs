//! Helpers that tests share.

pub mod saturated;
