//! The station management entity: the access point of a station, and how it is found (802.11-2020, clause 11).
//!
//! Given `(input, now)`, it answers with [`Action`]s and its next timeout; [`Medium`](crate::Medium) carries them out. A
//! [`Client`] scans, authenticates, associates and notices when it has lost its access point; an [`AccessPoint`] sends
//! beacons, answers, and keeps the table of its stations. All access points of a medium belong to one network (SSID).

mod access_point;
mod client;
mod config;
mod frames;
mod record;
mod scan;
mod signal;
mod state;

pub use access_point::AccessPoint;
pub use client::Client;
pub use config::{
    AccessPointConfig, AssociationConfig, AssociationName, AssociationSettings, Role, ScanConfig,
    ScanName,
};
pub use frames::{
    ADDBA_BYTES, Addba, Body, DELBA_BYTES, Delba, Elements, FIRST_RATES, Management, Reason, Status,
};
pub use record::{HandoffRecord, Trigger};

use base::{Span, StationId};

/// The address of frames for all.
pub const GROUP: StationId = StationId(u32::MAX);

/// A radio channel by its number. Channels with different numbers do not disturb each other.
pub type Channel = u32;

/// Action that a management entity requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Send a management frame.
    Send(StationId, Management),
    /// Forget management frames that have not been sent.
    Withdraw,
    /// Go to another channel, deaf for so long.
    Tune(Channel, Span),
    /// This station is associated now, and data go to its access point.
    Joined(HandoffRecord),
    /// This station has lost its access point, or was deauthenticated.
    Left(StationId),
    /// This access point has a new station: the wired network should know.
    Admitted(StationId),
}
