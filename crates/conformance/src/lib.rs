//! Rules that all congestion control laws keep, checked for any of them: those of lasthop, and those of
//! users.

pub mod laws;
