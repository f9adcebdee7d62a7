//! What an access function sends in an exchange.

use super::window::Psdu;
use base::StationId;

/// What it sends in an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// A block ack request.
    Request,
    /// One MPDU, which an ACK answers.
    Single,
    /// An A-MPDU.
    Aggregate,
    /// A frame about an agreement, which an ACK answers.
    Action,
}

/// An exchange of its, from its choice to its end.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Receiver.
    pub to: StationId,
    /// What goes.
    pub sends: Sends,
    /// What is in it.
    pub psdu: Psdu,
}
