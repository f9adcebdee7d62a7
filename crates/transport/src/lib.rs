//! TCP on two axes (recovery, law) and UDP: passive, told (input, now), answering with segments.

pub mod tcp;
pub mod udp;
