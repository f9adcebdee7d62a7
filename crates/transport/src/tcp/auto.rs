//! An endpoint that picks its variant by what it has measured of the path.
//!
//! A [`Policy`] is an ordered list of rules that a person can read; a [`PathMemory`] is what a host keeps of its path to a
//! peer from connection to connection, as Linux' `tcp_metrics` does. The sender asks the policy when the handshake is
//! through and at each transfer that begins with nothing in flight, and nowhere else: no packet is sent or judged
//! differently for it, and a sender without a policy does nothing of this.

mod chooser;
mod memory;
mod policy;
mod quantity;

pub use chooser::{Choice, Chooser};
pub use memory::{News, PathMemory, Transfers};
pub use policy::{Alternative, Condition, Policy, Rule, Side};
pub use quantity::{Measured, Quantity};
