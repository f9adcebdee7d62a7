//! Mobile IPv4 at work: agents and mobile nodes get what comes for them, and what they want is done.
//!
//! Their messages are packets like all others, on ways that are numbered as flows after those of the plan. A packet for a
//! mobile node goes to its home agent ([`net::Hop::Home`]), and from there through a tunnel or not.

mod errand;
mod mail;
mod messages;
mod obey;
mod record;
mod state;
mod traffic;

pub(crate) use errand::Errand;
pub use record::MobileIpOutcome;
pub(crate) use state::MobileIp;
