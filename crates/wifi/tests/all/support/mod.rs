//! What tests share.

pub mod saturated;
