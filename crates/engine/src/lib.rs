//! The agenda of events, timers that re-arm lazily, and probes. Knows no packet.

mod agenda;
mod probe;
mod timer;

pub use agenda::{Agenda, EventCode, Phase};
pub use probe::{Probe, Watch};
pub use timer::{Timer, Wake};
