//! TCP on two axes (recovery, law), proxies between its ends, and UDP: passive machines that take (input,
//! now) and answer with segments.

pub mod proxy;
pub mod tcp;
pub mod udp;
