//! What all congestion control laws keep to, checked of any of them: those of lasthop, and those that people write.

pub mod laws;
