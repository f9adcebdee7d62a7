//! A station's management entity on a medium, and its inputs.

use crate::mlme::{AccessPoint, Client, Management};
use base::{StationId, Time};

/// A station's management entity.
#[derive(Clone, Debug)]
pub enum Entity {
    /// None.
    None,
    /// A client, which looks for its access point.
    Client(Box<Client>),
    /// An access point.
    AccessPoint(AccessPoint),
}

/// An entity, and the event of its timeout.
#[derive(Clone, Debug)]
pub struct Manager {
    /// Client or access point.
    pub entity: Entity,
    /// Time of its event.
    pub registered: Time,
    /// Time at which data were last delivered to or by a client.
    pub last_data: Time,
    /// True if it has joined an access point and no data have been delivered since.
    pub is_new: bool,
}

/// Input of a management entity when an event is over.
#[derive(Clone, Copy, Debug)]
pub enum Notice {
    /// Its time may have come.
    Timeout(StationId),
    /// It has received a frame from another station, W.
    Received(StationId, StationId, Management, f64),
    /// It has received data from a station that is not known to belong to it.
    Unknown(StationId, StationId),
    /// Its frame to another has been sent: acknowledged, or given up.
    Sent(StationId, StationId, Management, bool),
    /// A packet has been acknowledged, or given up.
    Data(StationId, bool),
    /// It is on another channel.
    Tuned(StationId),
    /// It may leave its channel.
    Free(StationId),
}

impl Notice {
    /// The station concerned.
    pub fn station(&self) -> StationId {
        match *self {
            Notice::Timeout(at) | Notice::Received(at, ..) | Notice::Unknown(at, _) => at,
            Notice::Sent(at, ..) | Notice::Data(at, _) | Notice::Tuned(at) | Notice::Free(at) => at,
        }
    }
}
