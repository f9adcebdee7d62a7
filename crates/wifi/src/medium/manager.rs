//! A station's management entity on a medium, and what it is told.

use crate::mlme::{AccessPoint, Client, Management};
use base::{StationId, Time};

/// A station's management entity.
#[derive(Clone, Debug)]
pub enum Entity {
    /// None.
    None,
    /// It looks for its access point.
    Client(Box<Client>),
    /// It is one.
    AccessPoint(AccessPoint),
}

/// An entity, and the event that stands for its timeout.
#[derive(Clone, Debug)]
pub struct Manager {
    /// Of which kind it is.
    pub entity: Entity,
    /// When its event comes up.
    pub registered: Time,
    /// When data were last delivered to or by a client.
    pub last_data: Time,
    /// It has joined an access point, and no data have been delivered since.
    pub is_new: bool,
}

/// What a management entity is to be told when an event is over.
#[derive(Clone, Copy, Debug)]
pub enum Notice {
    /// Its time may have come.
    Timeout(StationId),
    /// It has received a frame from another, W.
    Received(StationId, StationId, Management, f64),
    /// It has received data from another that is not known to belong to it.
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
    /// Whom it concerns.
    pub fn station(&self) -> StationId {
        match *self {
            Notice::Timeout(at) | Notice::Received(at, ..) | Notice::Unknown(at, _) => at,
            Notice::Sent(at, ..) | Notice::Data(at, _) | Notice::Tuned(at) | Notice::Free(at) => at,
        }
    }
}
