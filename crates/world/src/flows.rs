//! Flows at work: their endpoints, what they carry, and what their hosts know of the paths.
//!
//! What transports say is put in the outbox, from which the network takes it.

mod choices;
mod connection;
mod fetch;
mod flow;
mod legs;
mod level;
mod memories;
mod moving;
mod outbox;
mod packets;
mod recall;
mod relay;
mod surfing;
mod table;
mod tcp;
mod traffic;
mod web;
mod work;

pub(crate) use flow::{Application, Endpoints, Flow, Saturated, Score};
pub(crate) use level::Level;
pub(crate) use outbox::Batch;
pub(crate) use relay::Standing;
pub(crate) use table::Flows;
pub(crate) use tcp::{Fetching, Register, Salts, TcpFlow};
pub(crate) use traffic::Burst;
