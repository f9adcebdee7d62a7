//! Mobile IPv4 (RFC 5944): a node keeps its address while it goes from one access point's network to the next.
//!
//! Two state machines take `(input, now)` and answer with actions and their next timeout; nothing here knows
//! packets, links or clocks. An [`Agent`] advertises itself, relays registrations and keeps the tables with
//! the place of each mobile node; a [`Mobile`] finds agents, notices when it has lost one, and registers.
//! Nodes serve as their addresses.
//!
//! Home agents deliver by IP-in-IP (RFC 2003) to a foreign agent, whose own address is the care-of address; mobile nodes send
//! directly by their agent. Not modelled: co-located care-of addresses, reverse tunnels (RFC 3024), simultaneous bindings,
//! broadcasts through tunnels, authentication beyond its bytes, route optimisation.

mod agent;
mod config;
mod message;
mod mobile;
mod record;
mod tables;

pub use agent::{Agent, AgentAction, Roles};
pub use config::{
    AgentConfig, Detection, Expiry, MobileConfig, Preset, Renewal, RouterRule, Rules, Settings,
    Solicits,
};
pub use message::{Advertisement, Code, Message, Reply, Request, Sizes, TUNNEL_BYTES};
pub use mobile::{Mobile, MobileAction};
pub use record::{Registration, Trigger};
