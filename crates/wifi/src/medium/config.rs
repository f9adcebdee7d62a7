//! What a medium is made of.

use super::links::Propagation;
use super::receiver::Reception;
use crate::errors::ErrorConfig;
use crate::mlme::{Channel, Role};
use crate::station::StationConfig;
use radio::mobility::Mobility;

/// A station of a medium.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where it is.
    pub place: Mobility,
    /// Timing, rates, rules, limits and queue.
    pub station: StationConfig,
    /// True for an access point.
    pub is_access_point: bool,
    /// The number of its random streams.
    pub stream: u64,
    /// The channel on which it begins.
    pub channel: Channel,
    /// What it does about association.
    pub role: Role,
}

/// What a medium is made of.
#[derive(Clone, Debug)]
pub struct MediumConfig {
    /// All stations that can hear each other, now or on another channel, of whatever cell.
    pub members: Vec<Member>,
    /// What happens to power on its way.
    pub propagation: Propagation,
    /// Transmit power with antenna gains, W.
    pub transmit_w: f64,
    /// How frames are received.
    pub reception: Reception,
    /// How bits are lost beyond that.
    pub errors: ErrorConfig,
}
