//! The phases of a handoff.

use base::{Span, StationId, Time, named};

named! {
    /// Why a station looked for an access point.
    pub enum Trigger, "trigger" {
        Start = "start": "it had none yet",
        MissedBeacons = "missed_beacons": "beacons of its own access point were missing",
        FailedPackets = "failed_packets": "too many packets in a row were given up",
        WeakSignal = "weak_signal": "its signal had become weak, and another was stronger",
        Deauthenticated = "deauthenticated": "the access point no longer knew it",
    }
}

/// The way of a station from one access point to the next, by the clock: each moment ends one part and begins the next,
/// so the parts add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoffRecord {
    /// Station that moved.
    pub station: StationId,
    /// Its access point before; `None`: it had none yet.
    pub from: Option<StationId>,
    /// Its access point now.
    pub to: StationId,
    /// Why.
    pub trigger: Trigger,
    /// The last beacon of the old access point (the beginning of the search where there was none).
    pub last_contact: Time,
    /// The search begins.
    pub detected: Time,
    /// Time at which it had chosen, and was on the channel of, the access point that accepted it.
    pub scanned: Time,
    /// Authenticated.
    pub authenticated: Time,
    /// Associated.
    pub associated: Time,
}

impl HandoffRecord {
    /// From the last beacon to the decision to look for another.
    pub fn detection(&self) -> Span {
        self.detected - self.last_contact
    }

    /// Looking, changes of channel included.
    pub fn scan(&self) -> Span {
        self.scanned - self.detected
    }

    /// Open system authentication, with all attempts.
    pub fn authentication(&self) -> Span {
        self.authenticated - self.scanned
    }

    /// Association or reassociation, with all attempts.
    pub fn association(&self) -> Span {
        self.associated - self.authenticated
    }

    /// All of it.
    pub fn total(&self) -> Span {
        self.associated - self.last_contact
    }
}
