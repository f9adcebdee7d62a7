//! The receivers of an access function, and the rules by which it sends to them.

use super::agreement::Agreement;
use super::window::Window;
use base::{Span, StationId, Time};

/// The rules of its station.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Attempts for a frame sent alone.
    pub retry_limit: Option<u32>,
    /// Attempts for an MPDU of an aggregate.
    pub ampdu_retry_limit: Option<u32>,
    pub lifetime: Span,
    pub request_after_miss: bool,
    /// Agreements exist for frames sent alone too, so that a request follows one that is given up.
    pub always_agreed: bool,
    /// Agreements are asked for with frames.
    pub asks: bool,
    /// MPDUs of a window.
    pub window: u32,
    /// Aggregates that are built ahead, the one on the air included, where the station's queues are shared ([`Sharing`]).
    pub turns: Option<u32>,
}

/// A receiver.
#[derive(Clone, Debug)]
pub struct Peer {
    pub to: StationId,
    pub window: Window,
    /// Where agreements are asked for.
    pub agreement: Agreement,
    /// Since when requests to it have failed; [`Time::NEVER`]: none has.
    pub unheard_since: Time,
    /// It has not answered requests for a lifetime: it is asked again when something has come through.
    pub is_silent: bool,
}

/// The end of an agreement, at a handoff.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// The receiver.
    pub from: StationId,
    /// The one that gets what that does not have: itself, or another; `None`: the receiver has gone, and all for it goes.
    pub to: Option<StationId>,
}
