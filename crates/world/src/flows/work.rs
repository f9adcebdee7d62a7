//! The present work of a connection.

use apps::Object;
use base::named;

/// The fate of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// It carries all that its flow has, and stays.
    Lasting,
    /// It is over.
    Free,
    /// It waits for the next object.
    Idle,
    /// It carries an object.
    Fetching(Fetch),
    /// The object is there; the rest is on its way.
    Draining,
    /// It is one of those that carry a flow in two legs, and stays.
    Leg(Leg),
}

/// The place of a connection among those of a flow in two legs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// The number of the relay between both legs.
    pub relay: u32,
    pub part: Part,
}

named! {
    /// The connections of a flow in two legs.
    pub enum Part, "connection of a split" {
        First = "first": "from the source to the node",
        Beyond = "beyond": "from the node to the sink",
        State = "state": "from the node to the next, where the state moves",
    }
}

/// An object under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetch {
    pub object: Object,
    /// Bytes of the request that the source has not got.
    pub request_left: u64,
    /// Bytes of the response that the sink has not got.
    pub response_left: u64,
    /// The source has begun to respond.
    pub is_answered: bool,
}
