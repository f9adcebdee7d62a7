//! TCP on two axes (recovery, law), what stands between its ends, and UDP: passive, told (input, now), answering with segments.

pub mod proxy;
pub mod tcp;
pub mod udp;
